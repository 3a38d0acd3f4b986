-- Make a key of a program.
-- KEYS 1 keys by hash  2 hashes by id    ARGV 1 hash  2 id  3 JSON
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
return 1
