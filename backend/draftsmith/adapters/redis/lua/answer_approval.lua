-- Answer a call that waits for a yes; the first answer counts. Empty where none is waited for (any more).
-- KEYS 1 run
-- ARGV 1 id of the approval  2 the verdict
local now = redis.call('HMGET', KEYS[1], 'status', 'asked', 'verdict')
if now[1] ~= 'running' or not now[2] then return '' end
local id, deadline = string.match(now[2], '^(%S+) (%d+)$')
if id ~= ARGV[1] then return '' end
if now[3] then return now[3] end
if now_ms() > tonumber(deadline) then return '' end
redis.call('HSET', KEYS[1], 'verdict', ARGV[2])
return ARGV[2]
