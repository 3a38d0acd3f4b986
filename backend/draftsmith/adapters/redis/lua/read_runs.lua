-- Read runs, and the clock that their times go by; a row of nothing for each that is not there.
-- KEYS 1.. the runs
local rows = {now_ms()}
for i = 1, #KEYS do rows[i + 1] = redis.call('HMGET', KEYS[i], unpack(ROW)) end
return rows
