-- Write a person down; where another one signs in as the same subject, that one is given back and nothing changes.
-- Of who was removed nothing is written, and 'removed' is given back.
-- KEYS 1 users  2 subjects  3 removed    ARGV 1 id  2 subject, empty for none  3 JSON  4 keyed hash of subject or id
if ARGV[2] ~= '' then
  local other = redis.call('HGET', KEYS[2], ARGV[2])
  if other and other ~= ARGV[1] then
    local known = redis.call('HGET', KEYS[1], other)
    if known then return known end
  end
end
if redis.call('HEXISTS', KEYS[3], ARGV[4]) == 1 then return 'removed' end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[2], ARGV[2], ARGV[1]) end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return ARGV[3]
