-- Create a workspace together with its revision 1.
-- KEYS 1 meta  2 log  3 txn
-- ARGV 1 epoch  2 summary  3 schema version  4 publish command  5 channel  6.. the draft
local FIRST = 6
local m = redis.call('HMGET', KEYS[1], 'ep', 'v', 'h')
if m[1] then
  local known = redis.call('HGET', KEYS[3], ARGV[FIRST]) == '1'
  return {known and 'known' or 'conflict', m[1], m[2], m[3]}
end
local ms, hash = now_ms(), chain_hash('0', FIRST)
-- XADD is the first write: it is the one that is refused when memory is full, and then nothing has happened.
add_entry(KEYS[2], '1', hash, ms, FIRST)
redis.call('HSET', KEYS[3], ARGV[FIRST], '1')
redis.call('HSET', KEYS[1], 'ep', ARGV[1], 'v', '1', 'h', hash, 'base', '0', 'snap', '0', 'snap_h', '0',
  'snap_prev', '0', 'sv', ARGV[3], 'sum', ARGV[2], 'created', ms, 'updated', ms, 'bytes', #ARGV[FIRST + DRAFT - 1])
announce(ARGV[4], ARGV[5], '1', hash)
return {'appended', ARGV[1], '1', hash, ms}
