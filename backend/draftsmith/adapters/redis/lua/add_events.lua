-- Append to the events of a run that is not over; answers the id of the last one, '' if nothing was appended.
-- KEYS 1 active runs  2 events
-- ARGV 1 id  2 most events  3.. the events
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return '' end
local last = ''
for i = 3, #ARGV do last = redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'e', ARGV[i]) end
return last
