-- Add to counters of a day and keep them for a while from now.
-- KEYS 1 usage of the day
-- ARGV 1 milliseconds to keep  2.. for each its name and how much
for i = 2, #ARGV, 2 do redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
