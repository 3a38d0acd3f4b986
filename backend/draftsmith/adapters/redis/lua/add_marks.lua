-- Add what an agent was shown of a workspace; a mark that is there at a later revision stays.
-- KEYS 1 hash: mark -> revision, and `epoch`
-- ARGV 1 epoch   2 revision   3 life, milliseconds   4 most marks   5… marks
local key = KEYS[1]
if redis.call('HGET', key, 'epoch') ~= ARGV[1] then
  redis.call('DEL', key)
  redis.call('HSET', key, 'epoch', ARGV[1])
end
local revision = tonumber(ARGV[2])
for i = 5, #ARGV do
  local known = tonumber(redis.call('HGET', key, ARGV[i]) or '-1')
  if known < revision then redis.call('HSET', key, ARGV[i], ARGV[2]) end
end
redis.call('PEXPIRE', key, ARGV[3])
local excess = redis.call('HLEN', key) - 1 - tonumber(ARGV[4])
if excess > 0 then
  local all, marks = redis.call('HGETALL', key), {}
  for i = 1, #all, 2 do
    if all[i] ~= 'epoch' then marks[#marks + 1] = {tonumber(all[i + 1]), all[i]} end
  end
  table.sort(marks, function(a, b) return a[1] < b[1] or (a[1] == b[1] and a[2] < b[2]) end)
  for i = 1, excess do redis.call('HDEL', key, marks[i][2]) end
end
return 1
