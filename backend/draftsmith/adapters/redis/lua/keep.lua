-- Make a staged state a kept one. The reason with the longer life wins: an hourly state never hides a checkpoint.
-- KEYS 1 meta  2 staged state  3 kept  4 the state's final key
-- A state of another epoch is none of this workspace's: it has been replaced meanwhile ('gone').
-- ARGV 1 version  2 milliseconds  3 reason  4 hash  5 epoch
local function life(reason)
  if string.sub(reason, 1, 11) == 'checkpoint:' then return 3 end
  return reason == 'day' and 2 or 1
end

if redis.call('HGET', KEYS[1], 'ep') ~= ARGV[5] then
  redis.call('UNLINK', KEYS[2])
  return 'gone'
end
local old = redis.call('HGET', KEYS[3], ARGV[1])
if old and life(string.match(old, '^%d+ (.*)$')) > life(ARGV[3]) and redis.call('HGET', KEYS[4], 'chain') == ARGV[4] then
  redis.call('UNLINK', KEYS[2])
  return 'ok'
end
if redis.call('EXISTS', KEYS[2]) == 0 then return 'lost' end
redis.call('RENAME', KEYS[2], KEYS[4])
redis.call('PERSIST', KEYS[4])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
return 'ok'
