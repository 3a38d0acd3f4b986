-- Read which runs were about to start and when, oldest first, and the clock that goes by.
-- KEYS 1 runs in flight
return {now_ms(), redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')}
