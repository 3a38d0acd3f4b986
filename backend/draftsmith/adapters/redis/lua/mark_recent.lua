-- Mark a workspace as recently written; a mark that lasts longer stays. Also where its time is over at once.
-- KEYS 1 recent
-- ARGV 1 milliseconds  2.. ids
local ends = string.format('%.0f', tonumber(now_ms()) + tonumber(ARGV[1]))
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], 'GT', ends, ARGV[i]) end
return 1
