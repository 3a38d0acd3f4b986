-- Forget that somebody was removed; their JSON, or nothing where nobody of that id was.
-- KEYS 1 removed    ARGV 1 id
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  if cjson.decode(all[at + 1])['id'] == ARGV[1] then
    redis.call('HDEL', KEYS[1], all[at])
    return all[at + 1]
  end
end
return nil
