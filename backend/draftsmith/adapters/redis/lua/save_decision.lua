-- Go from running to settling; saying the same again changes nothing but prolongs its life. Answers the status, '' if
-- there is no such run or it settles with something else.
-- KEYS 1 run  2 active runs
-- ARGV 1 id  2 what has been decided  3 milliseconds to live
local run = redis.call('HMGET', KEYS[1], 'status', 'staged')
if not run[1] then return '' end
if run[1] ~= 'running' and run[1] ~= 'settling' then return run[1] end
if run[1] == 'settling' and run[2] ~= ARGV[2] then return '' end
local ms = now_ms()
if run[1] == 'running' then
  redis.call('HSET', KEYS[1], 'staged', ARGV[2], 'status', 'settling', 'updated', whole(ms))
end
prolong(KEYS[1], KEYS[2], ARGV[1], ms + tonumber(ARGV[3]))
return 'settling'
