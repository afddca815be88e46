import { LEASE_MARGIN_MS, WAIT_MARGIN_MS } from '../sharing/shared-store.js';

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
 * | `epoch`          | hash       | id, since, configuration ('' if there were several), run id of the server,   |
 * |                  |            | hasChanges: 1 where `changes` exists unless it was evicted                   |
 * | `sequence`       | string     | number of the last change or lease                                           |
 * | `changes`        | sorted set | name of each entry, also of removed ones: number of its last change.         |
 * |                  |            | Name of each source that was removed: number of its last removal             |
 * | `entry:<name>`   | hash       | version, activeAt, waitAt, records (their id), head                          |
 * | `lease:<name>`   | hash       | token: the last one; until. Absent: nobody has the lease                     |
 * | `rejected:<name>`| hash       | until, result, token of the lease                                            |
 * | `records:<id>`   | hash       | chunks by position; count: their number, when all are written                |
 *
 * The name of an entry begins with that of its source and a point. Removing a source makes everything void that has a lower
 * number: nothing has to be found, and no fetch in progress brings it back.
 *
 * Each command reads before it writes, and begins with a write that a full memory refuses: it is executed wholly or not at all.
 */
export const SHARED_STORE_SCRIPT = `
local MINUTE, MONTH = 60000, 30 * 86400000
local prefix = KEYS[1]
local clock = redis.call('TIME')
local micros = clock[1] * 1000000 + clock[2]
local now = math.floor(micros / 1000)

-- Numbers over 10^14 have an exponent where Lua formats them.
local function digits(number) return string.format('%.0f', number) end
local function keep(key, duration) redis.call('PEXPIRE', key, digits(duration)) end
local function hint(sender, name) redis.pcall('PUBLISH', prefix .. 'hints', sender .. ' ' .. name) end

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

-- Returns the id of the epoch; nil where there is none, or where the server was restarted, took over from another one, or
-- has evicted the changes: it may have lost writes since the last report.
local function read_epoch()
  local fields = redis.call('HMGET', prefix .. 'epoch', 'id', 'since', 'configuration', 'run', 'hasChanges')
  local id, since, configuration, run, has_changes = unpack(fields)
  if not id or run ~= run_id() then return nil end
  if has_changes == '1' and redis.call('EXISTS', prefix .. 'changes') == 0 then return nil end
  return id, since, configuration
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
  redis.call('HSET', prefix .. 'epoch', 'hasChanges', 1)
  keep(prefix .. 'epoch', MONTH)
  return number
end

local function last_change(name) return tonumber(redis.call('ZSCORE', prefix .. 'changes', name) or 0) or 0 end

-- Number of the last removal of the source of an entry.
local function last_removal(name)
  local source = string.match(name, '^([^.]+)%.')
  return source and last_change(source) or 0
end

local function is_void(name, number)
  local removal = last_removal(name)
  return removal > 0 and (tonumber(number) or 0) <= removal
end

local function is_held(name, token)
  return redis.call('HGET', prefix .. 'lease:' .. name, 'token') == token and not is_void(name, token)
end

local function read_entry(name, ...)
  local fields = redis.call('HMGET', prefix .. 'entry:' .. name, 'version', ...)
  if not fields[1] or is_void(name, fields[1]) then return nil end
  return unpack(fields)
end

-- A lease that has ended is good until another one is handed out, or it is deleted: then no token is held. Tokens are
-- numbers, and never used twice.
local function set_lease(name, token, ends)
  redis.call('HSET', prefix .. 'lease:' .. name, 'token', token, 'until', digits(ends))
  keep(prefix .. 'lease:' .. name, math.max(ends - now, 0) + ${LEASE_MARGIN_MS})
end

-- A renewal that arrives late finds no lease.
local function give_up_lease(sender, name)
  redis.call('DEL', prefix .. 'lease:' .. name)
  hint(sender, name)
end

local function read(name)
  local version, active_at = read_entry(name, 'activeAt')
  if not version then return {} end
  return { version, active_at, bounded(prefix .. 'entry:' .. name, 'head') }
end

local function read_rejected(name)
  local key = prefix .. 'rejected:' .. name
  local ends, token = unpack(redis.call('HMGET', key, 'until', 'token'))
  if not ends or is_void(name, token) then return {} end
  return { ends, bounded(key, 'result') }
end

local commands = {}

function commands.synchronize(instance, configuration, notice, new_id, known_id, known_sequence)
  local members = redis.call('HGETALL', prefix .. 'members')
  local id, since, common = read_epoch()
  local sequence = redis.call('GET', prefix .. 'sequence') or '0'
  redis.call('HSET', prefix .. 'members', instance, digits(now + notice) .. ' ' .. configuration)
  keep(prefix .. 'members', MONTH)
  keep(prefix .. 'changes', MONTH)
  local mixed = false
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
  local is_lost = not id or is_behind
  if is_lost or (not mixed and common ~= configuration) then id, since = new_id, digits(now + notice) end
  local has_changes = redis.call('EXISTS', prefix .. 'changes')
  redis.call('HSET', prefix .. 'epoch', 'id', id, 'since', since, 'configuration', mixed and '' or configuration,
    'run', run_id(), 'hasChanges', has_changes)
  keep(prefix .. 'epoch', MONTH)
  return { now, id, since, mixed and 1 or 0, sequence, changes(id == known_id and known_sequence or '0') }
end

function commands.changes(after) return changes(after) end

function commands.claim(name, epoch, version, duration, ignores_rejected)
  if read_epoch() ~= epoch then return { 'new-epoch' } end
  local current, wait_at = read_entry(name, 'waitAt')
  if current and current ~= version then return { 'newer', read(name) } end
  local rejected_until, result = unpack(read_rejected(name))
  if ignores_rejected ~= '1' and rejected_until and tonumber(rejected_until) > now then
    return { 'rejected', rejected_until, result }
  end
  local held_by, held_until = unpack(redis.call('HMGET', prefix .. 'lease:' .. name, 'token', 'until'))
  if held_until and tonumber(held_until) > now and not is_void(name, held_by) then return { 'busy' } end
  local token = next_number()
  set_lease(name, token, now + duration)
  return { 'granted', token, wait_at or '0', now, { rejected_until, result } }
end

function commands.renew(name, token, duration)
  if not is_held(name, token) then return { 0 } end
  set_lease(name, token, now + duration)
  return { 1 }
end

function commands.release(sender, name, token)
  if not is_held(name, token) then return { 0 } end
  give_up_lease(sender, name)
  return { 1 }
end

function commands.publish(sender, name, token, epoch, head, active_at, wait_at, records, kept, duration, unchanged, followed, notice)
  if not is_held(name, token) or read_epoch() ~= epoch then return { 'lost' } end
  local key = prefix .. 'entry:' .. name
  local replaced, replaced_wait_at = read_entry(name, 'waitAt')
  local replaced_records = redis.call('HGET', key, 'records')
  if unchanged ~= '1' then
    -- Until then an instance may not know that the source was removed, and serve what it had.
    local removal = last_removal(name)
    local required = removal > 0 and math.ceil(removal / 1000) + notice or 0
    if replaced then
      required = math.max(required, math.min(now + notice, tonumber(replaced_wait_at) + ${WAIT_MARGIN_MS}))
    elseif redis.call('ZSCORE', prefix .. 'changes', name) then
      -- What was evicted may still be served.
      required = math.max(required, now + notice)
    end
    if tonumber(active_at) < required then return { 'late', required } end
  end
  if not redis.call('HGET', prefix .. 'records:' .. records, 'count') then
    return redis.error_reply('ERR the records of the entry are not stored')
  end
  local version = followed == '1' and record_change(name) or next_number()
  redis.call('HSET', key, 'version', version, 'activeAt', active_at, 'waitAt', wait_at, 'records', records, 'head', head)
  keep(key, duration)
  if replaced_records then keep(prefix .. 'records:' .. replaced_records, MINUTE) end
  keep(prefix .. 'records:' .. records, kept)
  redis.call('DEL', prefix .. 'rejected:' .. name)
  give_up_lease(sender, name)
  return { 'published', version }
end

function commands.reject(sender, name, token, ends, kept, result)
  if not is_held(name, token) then return { 0 } end
  local key = prefix .. 'rejected:' .. name
  redis.call('HSET', key, 'until', ends, 'result', result, 'token', token)
  keep(key, math.max(tonumber(ends) - now, tonumber(kept), 1))
  give_up_lease(sender, name)
  return { 1 }
end

function commands.read(name, epoch)
  if epoch and read_epoch() ~= epoch then return redis.error_reply('ERR the epoch is another one') end
  return read(name)
end

commands.readRejected = read_rejected

function commands.lastChange(name) return { digits(last_change(name)) } end

function commands.remove(sender, source)
  local number = record_change(source)
  hint(sender, source)
  return { number }
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
