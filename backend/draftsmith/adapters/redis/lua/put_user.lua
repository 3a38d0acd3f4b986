-- Write a person down; where another one signs in as the same subject, that one is given back and nothing changes.
-- KEYS 1 users  2 subjects    ARGV 1 id  2 subject, empty for none  3 JSON
if ARGV[2] ~= '' then
  local other = redis.call('HGET', KEYS[2], ARGV[2])
  if other and other ~= ARGV[1] then
    local known = redis.call('HGET', KEYS[1], other)
    if known then return known end
  end
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return ARGV[3]
