-- Take runs off the list: those that have expired and, if asked, those that are over. Never one that is not over.
-- KEYS 1 runs  2 active runs  3.. for each its run and its events
-- ARGV 1 '1' for those that are over too  2.. their ids
for i = 2, #ARGV do
  local run, events = KEYS[2 * i - 1], KEYS[2 * i]
  local is_open = redis.call('HEXISTS', KEYS[2], ARGV[i]) == 1
  if not is_open and (ARGV[1] == '1' or redis.call('EXISTS', run) == 0) then
    redis.call('UNLINK', run, events)
    redis.call('ZREM', KEYS[1], ARGV[i])
  end
end
return 1
