-- Append all drafts or none, and keep the answers to writes that change nothing.
-- KEYS 1 meta  2 log  3 txn  4 lease  5 answers  6 answered  7 claims
-- ARGV 1 epoch  2 expected version  3 expected hash  4 worker  5 summary  6 publish command  7 channel
--      8 most entries to return on a conflict  9 most answers to keep  10 most bytes of them  11 number of drafts
--      12 number of answers  13.. the drafts, then the answers: txid, fingerprint, body; then, where pages have sent some
--      of them, the connection of each
local FIRST, ANSWER = 13, 3
local m = redis.call('HMGET', KEYS[1], 'ep', 'v', 'h', 'deleted', 'bytes')
if not m[1] then return {'absent'} end
if m[4] then return {'deleted'} end
if m[1] ~= ARGV[1] then return {'conflict', m[1], m[2], m[3], {}} end

-- Known ids come before the comparison of heads: a draft sent again after a lost reply expects a head that its own
-- first arrival has moved, and must hear that it is in, not that it lost a race.
local count, unchanged = tonumber(ARGV[11]), tonumber(ARGV[12])
local ids = {}
for k = 1, count do ids[k] = ARGV[FIRST + (k - 1) * DRAFT] end
for k = 1, unchanged do ids[count + k] = ARGV[FIRST + count * DRAFT + (k - 1) * ANSWER] end
if #ids > 0 then
  local known, kept = {}, {}
  for k, version in ipairs(redis.call('HMGET', KEYS[3], unpack(ids))) do
    if version then
      known[#known + 1] = ids[k]
      known[#known + 1] = version
    end
  end
  for k, place in ipairs(redis.call('HMGET', KEYS[6], unpack(ids))) do
    local found = place and redis.call('XRANGE', KEYS[5], place, place)[1]
    if found then kept[#kept + 1] = found[2] end
  end
  if #known + #kept > 0 then return {'known', m[1], m[2], m[3], known, kept} end

  local sent_over, elsewhere = FIRST + count * DRAFT + unchanged * ANSWER, {}
  if ARGV[sent_over] then
    for k, claimed_by in ipairs(redis.call('HMGET', KEYS[7], unpack(ids))) do
      local connection = ARGV[sent_over + k - 1]
      if claimed_by and connection ~= '' and connection ~= claimed_by then elsewhere[#elsewhere + 1] = ids[k] end
    end
    if #elsewhere > 0 then return {'claimed', elsewhere} end
  end
end

if m[2] ~= ARGV[2] or m[3] ~= ARGV[3] then
  local missed = {}
  if tonumber(m[2]) > tonumber(ARGV[2]) then
    missed = redis.call('XRANGE', KEYS[2], '(' .. ARGV[2] .. '-0', '+', 'COUNT', ARGV[8])
  end
  return {'conflict', m[1], m[2], m[3], missed}
end

local function keep_answers(revision)
  if unchanged == 0 then return end
  local bytes = 0
  for k = 1, unchanged do
    local at = FIRST + count * DRAFT + (k - 1) * ANSWER
    local place = redis.call('XADD', KEYS[5], '*', 'v', revision, 't', ARGV[at], 'f', ARGV[at + 1], 'b', ARGV[at + 2])
    redis.call('HSET', KEYS[6], ARGV[at], place)
    bytes = bytes + #ARGV[at + 2]
  end
  redis.call('HINCRBY', KEYS[1], 'answer_bytes', whole(bytes))
  drop_answers(KEYS[1], KEYS[5], KEYS[6], function(_, left)
    return left > tonumber(ARGV[10]) or redis.call('XLEN', KEYS[5]) > tonumber(ARGV[9])
  end)
end

local ms = now_ms()
if count == 0 then
  keep_answers(m[2])
  return {'appended', m[1], m[2], m[3], ms}
end

local holder = redis.call('GET', KEYS[4])
if holder and holder ~= ARGV[4] then return {'leased', redis.call('PTTL', KEYS[4])} end

-- XADD is the first write: it is the one that is refused when memory is full, and a script that has written may finish.
local version, hash, bytes, index = tonumber(m[2]), m[3], tonumber(m[5]), {}
for k = 1, count do
  local at = FIRST + (k - 1) * DRAFT
  version, hash = version + 1, chain_hash(hash, at)
  add_entry(KEYS[2], whole(version), hash, ms, at)
  bytes = bytes + #ARGV[at + DRAFT - 1]
  index[2 * k - 1], index[2 * k] = ids[k], whole(version)
end
redis.call('HSET', KEYS[1], 'v', whole(version), 'h', hash, 'sum', ARGV[5], 'updated', ms, 'bytes', whole(bytes))
redis.call('HSET', KEYS[3], unpack(index))
keep_answers(whole(version))
if holder then redis.call('DEL', KEYS[4]) end
announce(ARGV[6], ARGV[7], whole(version), hash, ARGV[4])
return {'appended', m[1], whole(version), hash, ms}
