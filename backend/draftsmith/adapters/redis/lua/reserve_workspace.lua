-- Give a workspace its place among those of an application, if another has not the same name and there is one left.
-- KEYS 1 the application's workspaces    ARGV 1 field  2 workspace  3 how many there may be
local has = redis.call('HGET', KEYS[1], ARGV[1])
if has then return has end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then return false end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return ARGV[2]
