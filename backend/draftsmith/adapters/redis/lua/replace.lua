-- Swap in a staged workspace with another epoch, in one step.
-- KEYS 1 meta  2 log  3 txn  4 lease  5 kept  6 staged log  7 staged txn  8 staged snapshot  9 its final key
--      10.. snapshots, kept states and kept answers to drop
-- ARGV 1 epoch  2 version  3 hash  4 version of the snapshot  5 its hash  6 schema version  7 summary  8 created
--      9 updated  10 deleted ('' = not)  11 bytes  12 number of entries  13 snap as read ('' = none)
--      14 snap_prev as read  15 publish command  16 channel  17 base  18 bytes that the snapshot covers
--      19.. kept versions to drop
local m = redis.call('HMGET', KEYS[1], 'ep', 'v', 'h', 'snap', 'snap_prev')
if m[1] == ARGV[1] then return {'same', m[2], m[3]} end
if (m[4] or '') ~= ARGV[13] or (m[5] or '') ~= ARGV[14] then return {'moved'} end
local has_entries, has_snapshot = ARGV[12] ~= '0', ARGV[4] ~= '0'
if has_entries and redis.call('EXISTS', KEYS[6], KEYS[7]) < 2 then return {'lost'} end
if has_snapshot and redis.call('EXISTS', KEYS[8]) == 0 then return {'lost'} end

redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
for i = 10, #KEYS do redis.call('UNLINK', KEYS[i]) end
for i = 19, #ARGV do redis.call('HDEL', KEYS[5], ARGV[i]) end
local function install(staged, final)
  redis.call('RENAME', staged, final)
  redis.call('PERSIST', final)
end
if has_entries then
  install(KEYS[6], KEYS[2])
  install(KEYS[7], KEYS[3])
end
if has_snapshot then install(KEYS[8], KEYS[9]) end
redis.call('HSET', KEYS[1], 'ep', ARGV[1], 'v', ARGV[2], 'h', ARGV[3], 'base', ARGV[17], 'snap', ARGV[4],
  'snap_h', ARGV[5], 'snap_prev', ARGV[4], 'sv', ARGV[6], 'sum', ARGV[7], 'created', ARGV[8], 'updated', ARGV[9],
  'bytes', ARGV[11], 'snap_bytes', ARGV[18])
if ARGV[10] ~= '' then redis.call('HSET', KEYS[1], 'deleted', ARGV[10]) end
announce(ARGV[15], ARGV[16], ARGV[2], ARGV[3])
return {'ok', ARGV[2], ARGV[3]}
