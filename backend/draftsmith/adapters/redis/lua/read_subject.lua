-- Who signs in as a subject; 'removed' for who was removed, nothing for nobody.
-- KEYS 1 users  2 subjects  3 removed    ARGV 1 subject  2 its keyed hash
local id = redis.call('HGET', KEYS[2], ARGV[1])
local text = id and redis.call('HGET', KEYS[1], id)
if text then return text end
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 1 then return 'removed' end
return nil
