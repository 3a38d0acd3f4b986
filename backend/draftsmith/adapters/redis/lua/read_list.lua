-- A stretch of the list: whether it was built, the marks, and what each shelf has after a key.
-- KEYS 1 recent  2 rows  3 built  4 folders
-- ARGV 1 stem of the shelves  2 changed or name  3 how many  4 '1' for the trash  5 time or sort key to begin after
--      6 its id, '' to begin at the beginning  7 one folder, all or others  8 number of folders  9.. the folders (the one
--      that is wanted, or those that are not), then the words
-- Answers {built, marks, rows where words are rare, shelves}; a shelf: {'1' at its end, key scanned last, keys…}.
local RARE, SCAN = 500, 1000
local stem, order, count = ARGV[1], ARGV[2], tonumber(ARGV[3])
local state = ARGV[4] == '1' and 'trash' or 'live'
local folders, words = {}, {}
for i = 9, 8 + tonumber(ARGV[8]) do folders[#folders + 1] = ARGV[i] end
for i = 9 + #folders, #ARGV do words[#words + 1] = ARGV[i] end
local recent = redis.call('ZRANGE', KEYS[1], 0, -1)
local built = redis.call('EXISTS', KEYS[3])

local rarest, fewest = nil, RARE + 1
for _, word in ipairs(words) do
  local many = redis.call('ZLEXCOUNT', stem .. 'words:' .. state, '[' .. word, '(' .. word .. '\255')
  if many < fewest then rarest, fewest = word, many end
end
if rarest then
  local rows = {}
  local found = redis.call('ZRANGEBYLEX', stem .. 'words:' .. state, '[' .. rarest, '(' .. rarest .. '\255')
  for _, member in ipairs(found) do
    local id = string.match(member, '%z(.*)$')
    rows[#rows + 1] = id
    rows[#rows + 1] = redis.call('HGET', KEYS[2], id) or ''
  end
  return {built, recent, rows, {}}
end

local function fits(id)
  if #words == 0 then return true end
  local text = redis.call('HGET', KEYS[2], id)
  if not text then return false end
  local within = ' ' .. cjson.decode(text)[4]
  for _, word in ipairs(words) do
    if not string.find(within, ' ' .. word, 1, true) then return false end
  end
  return true
end

local function by_change(key, visit)
  local from = ARGV[6] == '' and '-inf' or ARGV[5]
  for offset = 0, SCAN, 100 do
    local page = redis.call('ZRANGEBYSCORE', key, from, '+inf', 'WITHSCORES', 'LIMIT', offset, 100)
    for i = 1, #page, 2 do
      if (page[i + 1] ~= ARGV[5] or page[i] > ARGV[6]) and not visit(page[i], page[i + 1] .. ' ' .. page[i]) then
        return false
      end
    end
    if #page < 200 then return true end
  end
  return false
end

local function by_name(key, visit)
  local from = ARGV[6] == '' and '-' or '(' .. ARGV[5] .. '\0' .. ARGV[6]
  local most = #words == 0 and count + 2 or SCAN
  local page = redis.call('ZRANGEBYLEX', key, from, '+', 'LIMIT', 0, most)
  for _, member in ipairs(page) do
    if not visit(string.match(member, '%z(.*)$'), member) then return false end
  end
  return #page < most
end

local names = {}
if ARGV[7] == 'all' then
  names = {state}
elseif ARGV[7] == 'one' then
  names = {state .. ':' .. folders[1]}
else
  local left = {}
  for _, folder in ipairs(folders) do left[folder] = true end
  for _, folder in ipairs(redis.call('HKEYS', KEYS[4])) do
    if not left[folder] then names[#names + 1] = state .. ':' .. folder end
  end
end
local shelves = {}
for _, name in ipairs(names) do
  local shelf, scanned = {'0', ''}, 0
  local walk = order == 'name' and by_name or by_change
  local is_end = walk(stem .. order .. ':' .. name, function(id, key)
    if #shelf >= count + 2 or scanned >= SCAN then return false end
    scanned, shelf[2] = scanned + 1, key
    if fits(id) then shelf[#shelf + 1] = key end
    return true
  end)
  if is_end then shelf[1] = '1' end
  shelves[#shelves + 1] = shelf
end
return {built, recent, {}, shelves}
