-- Write a run that is over already.
-- KEYS 1 run  2 events  3 conversation  4 runs
-- ARGV 1 id  2 request  3 worker  4 runs to keep  5 how many more there may be  6.. the ending
if redis.call('EXISTS', KEYS[1]) == 1 then return {'there'} end
local ms = whole(now_ms())
redis.call('HSET', KEYS[1], 'status', ARGV[6], 'request', ARGV[2], 'outcome', ARGV[7], 'staged', '',
  'worker', ARGV[3], 'alive', ms, 'created', ms, 'updated', ms)
end_with(KEYS[1], KEYS[2], KEYS[3], 6)
return {'recorded', list(KEYS[4], ARGV[1], ARGV[4], ARGV[5])}
