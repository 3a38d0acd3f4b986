-- Have a call of a run wait for a yes; whether the run still runs, on this worker.
-- KEYS 1 run
-- ARGV 1 id of the approval  2 milliseconds to wait  3 the approval as JSON  4 worker
local now = redis.call('HMGET', KEYS[1], 'status', 'worker')
if now[1] ~= 'running' or now[2] ~= ARGV[4] then return 0 end
local until_ms = whole(now_ms() + tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], 'approval', ARGV[3], 'asked', ARGV[1] .. ' ' .. until_ms)
redis.call('HDEL', KEYS[1], 'verdict')
return 1
