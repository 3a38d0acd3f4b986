-- Put in front of the scripts about runs by the loader (scripts.py).
-- A run's hash: status, request, outcome, staged, worker, alive, created, updated; times are milliseconds; 'rating', if it
-- was rated: '<rating> <day that it counts for>'.
-- While a call waits for a yes: 'approval' (JSON), 'asked': '<its id> <deadline>', and once it is answered 'verdict':
-- '<yes or no> <name of who said so>'.
-- The hash of active runs: run -> '<alive> <whose edit run it is>', for every run that is not over.
local ROW = {'status', 'request', 'outcome', 'staged', 'worker', 'alive', 'created', 'updated', 'rating', 'approval', 'verdict'}

-- Numbers are doubles here; '%.0f' writes them without exponent up to 2^53, which microseconds reach in the year 2255.
local function whole(number)
  return string.format('%.0f', number)
end

local function now_us()
  local t = redis.call('TIME')
  return tonumber(t[1]) * 1000000 + tonumber(t[2])
end

local function now_ms()
  return math.floor(now_us() / 1000)
end

local function alive_until(entry)
  return tonumber(string.match(entry, '^%d+'))
end

local function edits_for(entry)
  return string.match(entry, '^%d+ (.*)$')
end

local function prolong(run, active, id, until_ms)
  redis.call('HSET', run, 'alive', whole(until_ms))
  redis.call('HSET', active, id, whole(until_ms) .. ' ' .. edits_for(redis.call('HGET', active, id)))
end

-- Scores of runs are microseconds that only ever grow, so that pages neither repeat nor skip one, even if the clock does.
-- Answers the oldest runs beyond what is kept; their keys are not ours to touch here, the caller drops them.
local function list(runs, id, kept, slack)
  local top = redis.call('ZREVRANGE', runs, 0, 0, 'WITHSCORES')
  redis.call('ZADD', runs, whole(math.max(now_us(), tonumber(top[2] or '0') + 1)), id)
  local many = redis.call('ZCARD', runs)
  if many <= tonumber(kept) + tonumber(slack) then return {} end
  return redis.call('ZRANGE', runs, 0, many - tonumber(kept) - 1)
end

-- An ending is a row of arguments: status, outcome, turn ('' for none), milliseconds to keep, most events, most turns,
-- and then the events. The run's hash is written by the caller, first: that is the write that may be refused.
local function end_with(run, events, conversation, at)
  for i = at + 6, #ARGV do redis.call('XADD', events, 'MAXLEN', '~', ARGV[at + 4], '*', 'e', ARGV[i]) end
  if ARGV[at + 2] ~= '' then redis.call('XADD', conversation, 'MAXLEN', '~', ARGV[at + 5], '*', 't', ARGV[at + 2]) end
  redis.call('PEXPIRE', run, ARGV[at + 3])
  redis.call('PEXPIRE', events, ARGV[at + 3])
end
