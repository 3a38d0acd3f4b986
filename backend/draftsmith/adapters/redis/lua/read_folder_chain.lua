-- A folder and those around it, the innermost first.
-- KEYS 1 folders    ARGV 1 id  2 how many at most
local found, id = {}, ARGV[1]
while #found < tonumber(ARGV[2]) do
  local text = redis.call('HGET', KEYS[1], id)
  if not text then break end
  found[#found + 1] = text
  id = cjson.decode(text)['parent']
  if type(id) ~= 'string' then break end
end
return found
