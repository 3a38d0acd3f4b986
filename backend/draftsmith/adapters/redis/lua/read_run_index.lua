-- Read the index, oldest first, and the store's clock.
-- KEYS 1 runs in flight
return {now_ms(), redis.call('ZRANGE', KEYS[1], 0, -1, 'WITHSCORES')}
