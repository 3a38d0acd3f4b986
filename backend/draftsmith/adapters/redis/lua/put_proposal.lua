-- Store an open proposal that goes by itself when its time is over; 0 if there is one of this id.
-- KEYS 1 proposal  2 proposals
-- ARGV 1 id  2 content  3 milliseconds to live
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local us = now_us()
local ms = math.floor(us / 1000)
local expires = whole(ms + tonumber(ARGV[3]))
redis.call('HSET', KEYS[1], 'status', 'open', 'content', ARGV[2], 'outcome', '{}', 'created_us', whole(us),
  'expires', expires)
redis.call('PEXPIREAT', KEYS[1], expires)
-- The list is scored by when they expire, and goes with the last of them.
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', whole(ms))
redis.call('ZADD', KEYS[2], expires, ARGV[1])
redis.call('PEXPIREAT', KEYS[2], redis.call('ZREVRANGE', KEYS[2], 0, 0, 'WITHSCORES')[2])
return 1
