-- End the waiting for a yes; the verdict, empty where there is none.
-- KEYS 1 run
-- ARGV 1 id of the approval
local now = redis.call('HMGET', KEYS[1], 'asked', 'verdict')
if not now[1] or string.match(now[1], '^%S+') ~= ARGV[1] then return '' end
redis.call('HDEL', KEYS[1], 'approval', 'asked', 'verdict')
return now[2] or ''
