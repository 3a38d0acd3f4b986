-- Start a run, if it is new, the assistant is not switched off, and not too many others are alive.
-- KEYS 1 run  2 runs  3 active runs  4 switch
-- ARGV 1 id  2 request  3 worker  4 whose edit run it is ('' = nobody's)  5 milliseconds to live  6 most alive at once
--      7 runs to keep  8 how many more there may be
local ms = now_ms()
if redis.call('EXISTS', KEYS[1]) == 1 then return {'there', ms, redis.call('HMGET', KEYS[1], unpack(ROW))} end
if redis.call('EXISTS', KEYS[4]) == 1 then return {'off'} end

local alive, same = {}, {}
local active = redis.call('HGETALL', KEYS[3])
for i = 1, #active, 2 do
  if ms <= alive_until(active[i + 1]) then
    alive[#alive + 1] = active[i]
    if ARGV[4] ~= '' and edits_for(active[i + 1]) == ARGV[4] then same[#same + 1] = active[i] end
  end
end
if #same > 0 then return {'person', same} end
if #alive >= tonumber(ARGV[6]) then return {'workspace', alive} end

-- HSET is the first write: it is the one that is refused when memory is full, and a script that has written may finish.
local until_ms = whole(ms + tonumber(ARGV[5]))
redis.call('HSET', KEYS[1], 'status', 'running', 'request', ARGV[2], 'outcome', '{}', 'staged', '', 'worker', ARGV[3],
  'alive', until_ms, 'created', whole(ms), 'updated', whole(ms))
redis.call('HSET', KEYS[3], ARGV[1], until_ms .. ' ' .. ARGV[4])
return {'started', list(KEYS[2], ARGV[1], ARGV[7], ARGV[8])}
