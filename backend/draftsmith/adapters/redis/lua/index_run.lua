-- Add a run that is about to start to the index, with the time.
-- KEYS 1 runs in flight
-- ARGV 1 workspace and run
redis.call('ZADD', KEYS[1], whole(now_ms()), ARGV[1])
return 1
