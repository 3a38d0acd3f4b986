-- Revoke a key of a program; its JSON, or nothing if there is none.
-- KEYS 1 keys by hash  2 hashes by id  3 times of use by id    ARGV 1 id
local hash = redis.call('HGET', KEYS[2], ARGV[1])
if not hash then return nil end
local text = redis.call('HGET', KEYS[1], hash)
redis.call('HDEL', KEYS[1], hash)
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[1])
return text
