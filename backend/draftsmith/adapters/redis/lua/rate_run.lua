-- Keep the rating of a run that is over; answers the one before, '' if there was none. The same again keeps its day.
-- KEYS 1 run
-- ARGV 1 rating ('' takes it back)  2 day that it counts for
local run = redis.call('HMGET', KEYS[1], 'status', 'rating')
if not run[1] or run[1] == 'running' or run[1] == 'settling' then return '' end
local before = run[2] or ''
if ARGV[1] == '' then redis.call('HDEL', KEYS[1], 'rating')
elseif string.match(before, '^%S*') ~= ARGV[1] then redis.call('HSET', KEYS[1], 'rating', ARGV[1] .. ' ' .. ARGV[2]) end
return before
