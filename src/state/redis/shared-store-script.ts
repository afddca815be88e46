/** Most bytes that are read of one head, result or chunk of records. More was not written by this program. */
const MAX_VALUE_BYTES = 16 * 2 ** 20;

/** Names of changed entries that one reply contains, so that it arrives in time. */
const NAMES_PER_REPLY = 1_000;

/**
 * The commands of the shared memory as one Lua script, which Redis executes without interruption. KEYS[1] is the beginning of
 * all keys, ARGV[1] the command, followed by its arguments. A reply is a list. Times and durations are in milliseconds.
 *
 * | Key              | Type       | Content                                                                      |
 * | ---------------- | ---------- | ---------------------------------------------------------------------------- |
 * | `members`        | hash       | instance: time until which its report counts, and its configuration          |
 * | `epoch`          | hash       | id, since, configuration ('' if there were several), run id of the server    |
 * | `sequence`       | string     | number of the last change or lease                                           |
 * | `changes`        | sorted set | name of each entry, also of removed ones: number of its last change          |
 * | `entry:<name>`   | hash       | version, activeAt, waitAt, records (their id), head                          |
 * | `lease:<name>`   | hash       | token: the last one; until                                                   |
 * | `rejected:<name>`| hash       | until, result                                                                |
 * | `records:<id>`   | hash       | chunks by position; count: their number, when all are written                |
 *
 * Each command reads before it writes, and begins with a write that a full memory refuses: it is executed wholly or not at all.
 */
export const SHARED_STORE_SCRIPT = `
local MINUTE, DAY, MONTH = 60000, 86400000, 30 * 86400000
local prefix = KEYS[1]
local clock = redis.call('TIME')
local micros = clock[1] * 1000000 + clock[2]
local now = math.floor(micros / 1000)

-- Numbers over 10^14 have an exponent where Lua formats them.
local function digits(number) return string.format('%.0f', number) end
local function keep(key, duration) redis.call('PEXPIRE', key, digits(duration)) end
local function hint(sender) redis.pcall('PUBLISH', prefix .. 'hints', sender) end

local function bounded(key, field)
  if redis.call('HSTRLEN', key, field) > ${MAX_VALUE_BYTES} then error('a stored value is too large') end
  return redis.call('HGET', key, field)
end

-- Numbers are never used twice, even where the memory was emptied in between: they follow the time in microseconds.
local function next_number()
  local last = tonumber(redis.call('GET', prefix .. 'sequence') or 0) or 0
  local number = digits(math.max(last + 1, micros))
  redis.call('SET', prefix .. 'sequence', number, 'PX', digits(MONTH))
  return number
end

-- A server with another run id was restarted, or took over from another one: it may have lost writes.
local function run_id()
  local info = redis.pcall('INFO', 'server')
  return type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
end

local function changes(after)
  local found = redis.call('ZRANGEBYSCORE', prefix .. 'changes', '(' .. after, '+inf', 'LIMIT', 0, ${NAMES_PER_REPLY})
  local last = #found == ${NAMES_PER_REPLY} and redis.call('ZSCORE', prefix .. 'changes', found[#found]) or ''
  local names = {}
  for _, name in ipairs(found) do
    if #name <= 256 then table.insert(names, name) end
  end
  return { last, names }
end

local function record_change(name)
  local number = next_number()
  redis.call('ZADD', prefix .. 'changes', number, name)
  redis.call('ZREMRANGEBYSCORE', prefix .. 'changes', '-inf', digits(micros - 1000 * MONTH))
  keep(prefix .. 'changes', MONTH)
  return number
end

local function is_held(name, token) return redis.call('HGET', prefix .. 'lease:' .. name, 'token') == token end

-- A lease that has ended is good until another one is handed out.
local function set_lease(name, token, ends)
  redis.call('HSET', prefix .. 'lease:' .. name, 'token', token, 'until', digits(ends))
  keep(prefix .. 'lease:' .. name, math.max(ends - now, 0) + DAY)
end

local function read(name)
  local key = prefix .. 'entry:' .. name
  local version, active_at = unpack(redis.call('HMGET', key, 'version', 'activeAt'))
  if not version then return {} end
  return { version, active_at, bounded(key, 'head') }
end

local commands = {}

function commands.synchronize(instance, configuration, notice, new_id, known_id, known_sequence)
  local members = redis.call('HGETALL', prefix .. 'members')
  local id, since, common, run = unpack(redis.call('HMGET', prefix .. 'epoch', 'id', 'since', 'configuration', 'run'))
  local sequence = redis.call('GET', prefix .. 'sequence') or '0'
  redis.call('HSET', prefix .. 'members', instance, digits(now + notice) .. ' ' .. configuration)
  keep(prefix .. 'members', MONTH)
  local mixed, present_run = false, run_id()
  for at = 1, #members, 2 do
    local ends, other = string.match(members[at + 1], '^(%d+) (.*)$')
    if members[at] == instance then
      -- Its earlier report no longer counts.
    elseif (tonumber(ends) or 0) <= now then
      redis.call('HDEL', prefix .. 'members', members[at])
    elseif other ~= configuration then
      mixed = true
    end
  end
  local is_behind = id == known_id and tonumber(known_sequence) > (tonumber(sequence) or 0)
  local is_lost = not id or run ~= present_run or is_behind
  if is_lost or (not mixed and common ~= configuration) then id, since = new_id, digits(now + notice) end
  redis.call('HSET', prefix .. 'epoch', 'id', id, 'since', since, 'configuration', mixed and '' or configuration, 'run', present_run)
  keep(prefix .. 'epoch', MONTH)
  return { now, id, since, mixed and 1 or 0, sequence, changes(id == known_id and known_sequence or '0') }
end

function commands.changes(after) return changes(after) end

function commands.claim(name, version, duration, ignores_rejected)
  local current, wait_at = unpack(redis.call('HMGET', prefix .. 'entry:' .. name, 'version', 'waitAt'))
  if current and current ~= version then return { 'newer', read(name) } end
  local key = prefix .. 'rejected:' .. name
  local rejected_until = redis.call('HGET', key, 'until')
  if ignores_rejected ~= '1' and rejected_until and tonumber(rejected_until) > now then
    return { 'rejected', rejected_until, bounded(key, 'result') }
  end
  local held_until = redis.call('HGET', prefix .. 'lease:' .. name, 'until')
  if held_until and tonumber(held_until) > now then return { 'busy' } end
  local token = next_number()
  set_lease(name, token, now + duration)
  return { 'granted', token, wait_at or '0', now }
end

function commands.renew(name, token, duration)
  if not is_held(name, token) then return { 0 } end
  set_lease(name, token, now + duration)
  return { 1 }
end

function commands.release(sender, name, token)
  if not is_held(name, token) then return { 0 } end
  set_lease(name, token, 0)
  hint(sender)
  return { 1 }
end

function commands.publish(sender, name, token, head, active_at, wait_at, records, kept, duration, unchanged, notice)
  if not is_held(name, token) then return { 'lost' } end
  local key = prefix .. 'entry:' .. name
  local replaced, replaced_wait_at, replaced_records = unpack(redis.call('HMGET', key, 'version', 'waitAt', 'records'))
  -- What was removed or evicted may still be served.
  local is_served = replaced or redis.call('ZSCORE', prefix .. 'changes', name)
  if is_served and unchanged ~= '1' then
    local required = now + notice
    if replaced then required = math.min(required, tonumber(replaced_wait_at) + 500) end
    if tonumber(active_at) < required then return { 'late', required } end
  end
  if not redis.call('HGET', prefix .. 'records:' .. records, 'count') then
    return redis.error_reply('ERR the records of the entry are not stored')
  end
  local version = record_change(name)
  redis.call('HSET', key, 'version', version, 'activeAt', active_at, 'waitAt', wait_at, 'records', records, 'head', head)
  keep(key, duration)
  if replaced_records then keep(prefix .. 'records:' .. replaced_records, MINUTE) end
  keep(prefix .. 'records:' .. records, kept)
  redis.call('DEL', prefix .. 'rejected:' .. name)
  set_lease(name, token, 0)
  hint(sender)
  return { 'published', version }
end

function commands.reject(sender, name, token, ends, result)
  if not is_held(name, token) then return { 0 } end
  local key = prefix .. 'rejected:' .. name
  redis.call('HSET', key, 'until', ends, 'result', result)
  keep(key, math.max(tonumber(ends) - now, 1))
  set_lease(name, token, 0)
  hint(sender)
  return { 1 }
end

commands.read = read

function commands.remove(sender, ...)
  for _, name in ipairs({ ... }) do
    local records = redis.call('HGET', prefix .. 'entry:' .. name, 'records')
    record_change(name)
    redis.call('DEL', prefix .. 'entry:' .. name, prefix .. 'rejected:' .. name, prefix .. 'lease:' .. name)
    if records then keep(prefix .. 'records:' .. records, MINUTE) end
  end
  hint(sender)
  return {}
end

function commands.writeChunk(id, position, chunk)
  local key = prefix .. 'records:' .. id
  if position == '0' and redis.call('EXISTS', key) == 1 then return redis.error_reply('ERR the records exist already') end
  redis.call('HSET', key, position, chunk)
  keep(key, MINUTE)
  return {}
end

function commands.completeRecords(id, count)
  redis.call('HSET', prefix .. 'records:' .. id, 'count', count)
  keep(prefix .. 'records:' .. id, MINUTE)
  return {}
end

function commands.countChunks(id) return { redis.call('HGET', prefix .. 'records:' .. id, 'count') } end

function commands.readChunk(id, position) return { bounded(prefix .. 'records:' .. id, position) } end

return commands[ARGV[1]](unpack(ARGV, 2))
`;
