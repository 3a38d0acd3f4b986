-- Write folders and remove others where none was written since they were read; 1 if it was done.
-- KEYS 1 folders  2 version    ARGV 1 version as read  2 how many are written, then id and JSON of each, then ids removed
if tonumber(redis.call('GET', KEYS[2]) or '0') ~= tonumber(ARGV[1]) then return 0 end
local written = tonumber(ARGV[2])
for at = 3, 2 + 2 * written, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
for at = 3 + 2 * written, #ARGV do redis.call('HDEL', KEYS[1], ARGV[at]) end
redis.call('INCR', KEYS[2])
return 1
