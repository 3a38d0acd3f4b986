-- Count one more in a window of time; how many there are now.
-- KEYS 1 counter    ARGV 1 length of the window, milliseconds
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count
