-- Remove everything of a workspace that is in the trash.
-- The caller listed the keys after reading; if there may be others by now, it reads again ('moved').
-- KEYS 1 meta  2 kept  3.. every other key
-- ARGV 1 snap as read  2 snap_prev as read  3 number of kept states as read
local m = redis.call('HMGET', KEYS[1], 'ep', 'deleted', 'snap', 'snap_prev')
if not m[1] then return 'absent' end
if not m[2] then return 'alive' end
if m[3] ~= ARGV[1] or m[4] ~= ARGV[2] or redis.call('HLEN', KEYS[2]) ~= tonumber(ARGV[3]) then return 'moved' end
redis.call('UNLINK', unpack(KEYS))
return 'ok'
