-- Drop old entries and, with them, their transaction ids and the answers that were kept there; answers the base.
-- Refuses above snap_prev by itself: a reader that took the older snapshot must find everything after it.
-- KEYS 1 meta  2 log  3 txn  4 answers  5 answered
-- ARGV 1 epoch  2 newest version to drop  3 most entries to drop
local m = redis.call('HMGET', KEYS[1], 'ep', 'snap_prev', 'base', 'bytes', 'snap_bytes')
if not m[1] then return '0' end
if m[1] ~= ARGV[1] or tonumber(ARGV[2]) > tonumber(m[2]) then return m[3] end

local dropped = redis.call('XRANGE', KEYS[2], '-', ARGV[2] .. '-0', 'COUNT', ARGV[3])
if #dropped == 0 then return m[3] end
local ids, bytes = {}, 0
for _, entry in ipairs(dropped) do
  for i = 1, #entry[2], 2 do
    if entry[2][i] == 't' then ids[#ids + 1] = entry[2][i + 1] end
    if entry[2][i] == 'b' then bytes = bytes + #entry[2][i + 1] end
  end
end
local base = string.match(dropped[#dropped][1], '^%d+')
redis.call('XTRIM', KEYS[2], 'MINID', '=', string.format('%.0f', tonumber(base) + 1) .. '-0')
redis.call('HDEL', KEYS[3], unpack(ids))
local function less(before)
  return string.format('%.0f', math.max(tonumber(before or '0') - bytes, 0))
end
redis.call('HSET', KEYS[1], 'base', base, 'bytes', less(m[4]), 'snap_bytes', less(m[5]))
drop_answers(KEYS[1], KEYS[4], KEYS[5], function(version) return version <= tonumber(base) end)
return base
