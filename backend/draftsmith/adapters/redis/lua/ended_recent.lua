-- Marks whose time is over: id and time, one after the other.
-- KEYS 1 recent    ARGV 1 how many at most
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now_ms(), 'WITHSCORES', 'LIMIT', 0, ARGV[1])
