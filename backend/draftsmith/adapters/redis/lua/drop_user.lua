-- Forget a person; 1 if there was one.
-- KEYS 1 users  2 subjects    ARGV 1 id
local text = redis.call('HGET', KEYS[1], ARGV[1])
if not text then return 0 end
local subject = cjson.decode(text)['subject']
if subject ~= '' and redis.call('HGET', KEYS[2], subject) == ARGV[1] then redis.call('HDEL', KEYS[2], subject) end
redis.call('HDEL', KEYS[1], ARGV[1])
return 1
