-- Put a workspace into the trash or take it out. Doing it twice keeps the time of the first.
-- KEYS 1 meta
-- ARGV 1 '1' for into  2 publish command  3 channel
local m = redis.call('HMGET', KEYS[1], 'ep', 'v', 'h')
if not m[1] then return 0 end
if ARGV[1] == '1' then
  redis.call('HSETNX', KEYS[1], 'deleted', now_ms())
else
  redis.call('HDEL', KEYS[1], 'deleted')
end
announce(ARGV[2], ARGV[3], m[2], m[3])
return 1
