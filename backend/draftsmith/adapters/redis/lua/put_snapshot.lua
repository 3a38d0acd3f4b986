-- Make a staged snapshot the newest one, if the log confirms what it is a snapshot of.
-- The caller named the key to drop after reading snap_prev; if that has moved since, it reads again ('moved').
-- KEYS 1 meta  2 log  3 staged snapshot  4 its final key  5 snapshot of snap_prev as read
-- ARGV 1 epoch  2 version  3 hash  4 snap_prev as read
local function refuse(why)
  redis.call('UNLINK', KEYS[3])
  return why
end

local m = redis.call('HMGET', KEYS[1], 'ep', 'v', 'h', 'snap', 'snap_prev', 'bytes')
if not m[1] then return refuse('gone') end
if m[1] ~= ARGV[1] then return refuse('epoch') end
local version = tonumber(ARGV[2])
if version <= tonumber(m[4]) then return refuse('old') end
if version > tonumber(m[2]) then return refuse('ahead') end
if m[5] ~= ARGV[4] then return 'moved' end

local hash = m[3]
if ARGV[2] ~= m[2] then
  local found = redis.call('XRANGE', KEYS[2], ARGV[2] .. '-0', ARGV[2] .. '-0')
  if #found == 0 then return refuse('trimmed') end
  local fields = found[1][2]
  for i = 1, #fields, 2 do
    if fields[i] == 'h' then hash = fields[i + 1] end
  end
end
if hash ~= ARGV[3] then return refuse('diverged') end
if redis.call('EXISTS', KEYS[3]) == 0 then return 'lost' end

redis.call('RENAME', KEYS[3], KEYS[4])
redis.call('PERSIST', KEYS[4])
-- What has been appended since that version is counted as covered; it only tells when the next one is due.
redis.call('HSET', KEYS[1], 'snap', ARGV[2], 'snap_h', ARGV[3], 'snap_prev', m[4], 'snap_bytes', m[6])
-- After a replacement snap and snap_prev are one snapshot; it stays as the new snap_prev.
if tonumber(m[5]) < tonumber(m[4]) then redis.call('UNLINK', KEYS[5]) end
return 'ok'
