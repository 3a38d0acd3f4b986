-- Put in front of the scripts of the list by the loader (scripts.py). All keys of the list have one hash tag, and those
-- of its shelves begin with the same stem. A row: time of change, '1' in the trash, sort key, words, folder.
local function now_ms()
  local t = redis.call('TIME')
  return string.format('%.0f', tonumber(t[1]) * 1000 + math.floor(tonumber(t[2]) / 1000))
end
