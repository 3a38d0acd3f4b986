-- A key of a program, and the person whose it is or who made it; nothing for no key, an empty text for no person.
-- KEYS 1 keys by hash  2 hashes by id  3 users    ARGV 1 hash, empty to go by the id  2 id
local hash = ARGV[1]
if hash == '' then hash = redis.call('HGET', KEYS[2], ARGV[2]) end
local text = hash and redis.call('HGET', KEYS[1], hash)
if not text then return nil end
local key = cjson.decode(text)
local id = key['user_id'] ~= '' and key['user_id'] or key['made_by'] or ''
return {text, id ~= '' and redis.call('HGET', KEYS[3], id) or ''}
