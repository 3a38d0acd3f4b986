-- Change a person, or forget them, where they are still as they were read; the last administrator stays one.
-- KEYS 1 users  2 subjects  3 removed
-- ARGV 1 id  2 JSON as read  3 JSON from now on, empty to forget  4 1 for an administrator
--      5 what to remember of somebody who is forgotten, under 6 the keyed hash of their subject or id
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 'moved' end
local before = cjson.decode(ARGV[2])
if before['is_admin'] and ARGV[4] ~= '1' then
  local others = false
  for _, text in ipairs(redis.call('HVALS', KEYS[1])) do
    local one = cjson.decode(text)
    if one['is_admin'] and one['id'] ~= ARGV[1] then others = true break end
  end
  if not others then return 'last' end
end
if ARGV[3] ~= '' then
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  return 'done'
end
local subject = before['subject']
if subject ~= '' and redis.call('HGET', KEYS[2], subject) == ARGV[1] then redis.call('HDEL', KEYS[2], subject) end
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[6], ARGV[5])
return 'done'
