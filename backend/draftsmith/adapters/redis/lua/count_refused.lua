-- Count a call of an agent that was refused: how often in a row it was the same one.
-- KEYS 1 hash: `print`, `count`    ARGV 1 fingerprint   2 life, milliseconds
if redis.call('HGET', KEYS[1], 'print') ~= ARGV[1] then
  redis.call('HSET', KEYS[1], 'print', ARGV[1], 'count', '0')
end
local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return count
