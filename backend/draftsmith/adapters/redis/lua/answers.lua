-- Put in front of append and trim by the loader (scripts.py).
-- Answers that changed nothing, beside the log. The stream: v revision, t txid, f fingerprint, b body, with ids by the
-- clock; the hash: txid -> id in the stream; in the meta, answer_bytes: the bytes of all bodies.

-- Drop the oldest answers while `is_due(revision, bytes of all)`.
local function drop_answers(meta, answers, answered, is_due)
  local bytes = tonumber(redis.call('HGET', meta, 'answer_bytes') or '0')
  local before = bytes
  while true do
    local oldest = redis.call('XRANGE', answers, '-', '+', 'COUNT', 1)[1]
    if not oldest or not is_due(tonumber(oldest[2][2]), bytes) then break end
    redis.call('XDEL', answers, oldest[1])
    redis.call('HDEL', answered, oldest[2][4])
    bytes = math.max(bytes - #oldest[2][8], 0)
  end
  if bytes ~= before then redis.call('HSET', meta, 'answer_bytes', string.format('%.0f', bytes)) end
end
