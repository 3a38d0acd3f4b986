-- Answer several questions of access in one step, in their order; false where there is nothing.
-- ARGV 1 the questions, one letter each. What each takes stands one after the other, in their order:
--   k  a key of a program by its hash, and whose it is or who made it ('' for nobody)  KEYS keys by hash, users  ARGV hash
--   i  the same by its id                        KEYS keys by hash, hashes by id, users  ARGV id
--   s  a session and who signed in               KEYS session, users
--   u  a person                                  KEYS users  ARGV id
--   w  the record of a workspace, and its folder with those around it, the innermost first  KEYS record, folders  ARGV most
--   l  a share link                              KEYS links of the workspace  ARGV id
--   f  a folder and those around it              KEYS folders  ARGV most, id
--   c  one more in a window of time; how many there are now  KEYS counter  ARGV length of the window, milliseconds
local key_at, argument_at, facts = 0, 1, {}

local function key()
  key_at = key_at + 1
  return KEYS[key_at]
end

local function argument()
  argument_at = argument_at + 1
  return ARGV[argument_at]
end

local function with_person(text, users, own, maker)
  if not text then return false end
  local shape = cjson.decode(text)
  local id = shape[own] ~= '' and shape[own] or shape[maker] or ''
  return {text, id ~= '' and redis.call('HGET', users, id) or ''}
end

local function folders_from(folders, most, id)
  local found = {}
  while type(id) == 'string' and #found < tonumber(most) do
    local text = redis.call('HGET', folders, id)
    if not text then break end
    found[#found + 1] = text
    id = cjson.decode(text)['parent']
  end
  return found
end

local function answer(question)
  if question == 'k' then return with_person(redis.call('HGET', key(), argument()), key(), 'user_id', 'made_by') end
  if question == 'i' then
    local keys, hash = key(), redis.call('HGET', key(), argument())
    return with_person(hash and redis.call('HGET', keys, hash), key(), 'user_id', 'made_by')
  end
  if question == 's' then return with_person(redis.call('GET', key()), key(), 'user_id') end
  if question == 'u' or question == 'l' then return redis.call('HGET', key(), argument()) end
  if question == 'w' then
    local text, folders, most = redis.call('GET', key()), key(), argument()
    local is_inside = text and string.find(text, '"folder"', 1, true)
    return text and {text, is_inside and folders_from(folders, most, cjson.decode(text)['folder']) or {}}
  end
  if question == 'f' then return folders_from(key(), argument(), argument()) end
  local counter = key()
  local count = redis.call('INCR', counter)
  local window = argument()
  if count == 1 then redis.call('PEXPIRE', counter, window) end
  return count
end

for question in string.gmatch(ARGV[1], '.') do facts[#facts + 1] = answer(question) end
return facts
