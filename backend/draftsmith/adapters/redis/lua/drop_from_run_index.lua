-- Remove runs from the index, unless they were added again after they were read.
-- KEYS 1 runs in flight
-- ARGV 1.. for each its workspace and run, and the time as read
for i = 1, #ARGV, 2 do
  if redis.call('ZSCORE', KEYS[1], ARGV[i]) == ARGV[i + 1] then redis.call('ZREM', KEYS[1], ARGV[i]) end
end
return 1
