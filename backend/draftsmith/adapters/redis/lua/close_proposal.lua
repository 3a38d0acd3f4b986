-- Close an open proposal; whether it was open.
-- KEYS 1 proposal
-- ARGV 1 accepted, rejected or withdrawn  2 outcome
if redis.call('HGET', KEYS[1], 'status') ~= 'open' then return 0 end
redis.call('HSET', KEYS[1], 'status', ARGV[1], 'outcome', ARGV[2])
return 1
