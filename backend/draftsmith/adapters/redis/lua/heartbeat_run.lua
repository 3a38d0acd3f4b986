-- Prolong the life of a run that is not over and belongs to this worker; answers its status, '' if there is none.
-- KEYS 1 run  2 active runs
-- ARGV 1 id  2 worker  3 milliseconds to live
local run = redis.call('HMGET', KEYS[1], 'status', 'worker')
if not run[1] then return '' end
if run[2] == ARGV[2] and redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then
  prolong(KEYS[1], KEYS[2], ARGV[1], now_ms() + tonumber(ARGV[3]))
end
return run[1]
