-- Make a key of a program, or give one that is there another secret; nothing happens to one that is not.
-- KEYS 1 keys by hash  2 hashes by id    ARGV 1 hash  2 id  3 JSON  4 1 for one that is there
if ARGV[4] == '1' then
  local before = redis.call('HGET', KEYS[2], ARGV[2])
  if not before then return 0 end
  redis.call('HDEL', KEYS[1], before)
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
return 1
