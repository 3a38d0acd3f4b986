-- Write the access record of a workspace where it is still as expected, or there is none and none is expected.
-- KEYS 1 record    ARGV 1 JSON  2 expected JSON, empty for none
local before = redis.call('GET', KEYS[1])
if (before or '') ~= ARGV[2] then return 0 end
redis.call('SET', KEYS[1], ARGV[1])
return 1
