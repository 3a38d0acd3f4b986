-- Write the row of a workspace and take its mark off, unless it was marked again.
-- KEYS 1 recent  2 rows  3 folders: how many lie in each
-- ARGV 1 stem of the shelves  2 id  3 time of the mark as read  4 the row, '' for none
local stem, id = ARGV[1], ARGV[2]
if redis.call('ZSCORE', KEYS[1], id) ~= ARGV[3] then return 0 end
local function each_place(text, visit)
  local row = cjson.decode(text)
  local state = row[2] == '1' and 'trash' or 'live'
  for _, shelf in ipairs({state, state .. ':' .. row[5]}) do
    visit(stem .. 'changed:' .. shelf, '-' .. row[1], id)
    visit(stem .. 'name:' .. shelf, '0', row[3] .. '\0' .. id)
  end
  for word in string.gmatch(row[4], '%S+') do visit(stem .. 'words:' .. state, '0', word .. '\0' .. id) end
  return row[5]
end
local old = redis.call('HGET', KEYS[2], id)
if old ~= ARGV[4] then
  if old then
    local folder = each_place(old, function(key, _, member) redis.call('ZREM', key, member) end)
    if redis.call('HINCRBY', KEYS[3], folder, -1) <= 0 then redis.call('HDEL', KEYS[3], folder) end
    redis.call('HDEL', KEYS[2], id)
  end
  if ARGV[4] ~= '' then
    local folder = each_place(ARGV[4], function(key, score, member) redis.call('ZADD', key, score, member) end)
    redis.call('HINCRBY', KEYS[3], folder, 1)
    redis.call('HSET', KEYS[2], id, ARGV[4])
  end
end
redis.call('ZREM', KEYS[1], id)
return 1
