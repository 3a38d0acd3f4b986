-- End a run, with its last events and its turn in the conversation; whether it did.
-- What was staged goes: the outcome tells what came of it, and it may be large.
-- KEYS 1 run  2 events  3 conversation  4 active runs
-- ARGV 1 id  2 statuses to end from, with spaces around each  3.. the ending
local status = redis.call('HGET', KEYS[1], 'status')
if not status or not string.find(ARGV[2], ' ' .. status .. ' ', 1, true) then return 0 end
redis.call('HSET', KEYS[1], 'outcome', ARGV[4], 'status', ARGV[3], 'staged', '', 'updated', whole(now_ms()))
redis.call('HDEL', KEYS[4], ARGV[1])
end_with(KEYS[1], KEYS[2], KEYS[3], 3)
return 1
