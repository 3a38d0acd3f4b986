-- Read the same fields of many metas. Not on a cluster, where they are in many slots.
-- KEYS the metas    ARGV the fields
local found = {}
for i, key in ipairs(KEYS) do found[i] = redis.call('HMGET', key, unpack(ARGV)) end
return found
