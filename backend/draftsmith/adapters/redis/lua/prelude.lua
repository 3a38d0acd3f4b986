-- Put in front of create, append, delete and replace by the loader (scripts.py).
-- A draft is seven arguments in a row: txid, fingerprint, actor, scope, kind, ref, body.
local DRAFT = 7

-- The formula of history.commit.chain_hash: every part behind its length in bytes, so that parts cannot run together.
local function chain_hash(before, at)
  local parts = {#before, ':', before}
  for i = at, at + DRAFT - 1 do
    parts[#parts + 1] = #ARGV[i]
    parts[#parts + 1] = ':'
    parts[#parts + 1] = ARGV[i]
  end
  return string.sub(redis.sha1hex(table.concat(parts)), 1, 16)
end

-- Numbers are doubles here; '%.0f' writes them without exponent up to 2^53.
local function whole(number)
  return string.format('%.0f', number)
end

local function now_ms()
  local t = redis.call('TIME')
  return whole(tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000))
end

local function add_entry(log, version, hash, ms, at)
  redis.call('XADD', log, version .. '-0', 't', ARGV[at], 'f', ARGV[at + 1], 'a', ARGV[at + 2], 's', ARGV[at + 3],
    'k', ARGV[at + 4], 'r', ARGV[at + 5], 'h', hash, 'ms', ms, 'b', ARGV[at + 6])
end

-- Only a wake-up, so it may fail (an ACL, say) without turning a commit that stands into an error.
-- An append names its worker, which need not look for it in the log.
local function announce(command, channel, version, hash, worker)
  redis.pcall(command, channel, version .. ' ' .. hash .. (worker and ' ' .. worker or ''))
end
