-- Remove everything that the assistant has of a workspace.
-- The caller listed the keys after reading; if there may be others by now, it reads again ('moved').
-- KEYS 1 runs  2 proposals  3.. every other key
-- ARGV 1 runs as read, with spaces between  2 proposals as read, likewise
for i = 1, 2 do
  if table.concat(redis.call('ZRANGE', KEYS[i], 0, -1), ' ') ~= ARGV[i] then return 'moved' end
end
for i = 1, #KEYS do redis.call('UNLINK', KEYS[i]) end
return 'ok'
