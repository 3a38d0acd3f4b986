-- Drop a kept state.
-- KEYS 1 kept  2 the state
-- ARGV 1 version
redis.call('HDEL', KEYS[1], ARGV[1])
return redis.call('UNLINK', KEYS[2])
