/** Most bytes that are read of one value. More was not written by this program. */
export const MAX_VALUE_BYTES = 16 * 2 ** 20;

/** Its holder renews it. A holder that has failed keeps others waiting for so long, in milliseconds. */
export const LEASE_MS = 3_000;

/**
 * The commands of shared lists as one Lua script, which Redis executes without interruption. KEYS[1] is the beginning of
 * all keys, ARGV[1] the command, followed by its arguments. A reply is a list. Times and durations are in milliseconds.
 *
 * | Key                       | Type   | Content                                                                |
 * | ------------------------- | ------ | ---------------------------------------------------------------------- |
 * | `epoch:<source>`          | string | begins anew when the source is forgotten, or when the key was lost     |
 * | `copy:<epoch>:<name>`     | hash   | verifiedAt, staleAt, records (their id), head                          |
 * | `rejected:<epoch>:<name>` | string | a reading that gave no list                                            |
 * | `lease:<epoch>:<name>`    | string | token of the instance that reads the list                              |
 * | `records:<id>`            | hash   | chunks by position                                                     |
 *
 * In another epoch, keys have other names: what was stored, rejected or leased before cannot be found any more.
 *
 * Each command reads before it writes, and begins with a write that a full memory refuses: it is executed wholly or not
 * at all.
 */
export const SHARED_LISTS_SCRIPT = `
local MINUTE, MONTH = '60000', '2592000000'
local prefix = KEYS[1]

local function read_epoch(source) return redis.call('GETRANGE', prefix .. 'epoch:' .. source, 0, 63) end

local function keys_of(source, name)
  local list = read_epoch(source) .. ':' .. name
  return prefix .. 'copy:' .. list, prefix .. 'rejected:' .. list, prefix .. 'lease:' .. list
end

-- Empty where it is too large.
local function bounded(key, field)
  return redis.call('HSTRLEN', key, field) <= ${MAX_VALUE_BYTES} and redis.call('HGET', key, field) or ''
end

local commands = {}

-- The reply begins with the epoch. A caller without a list gives a negative time. To it, and in place of a rejection, a
-- stale copy is better than none.
function commands.claim(source, name, token, after, now, ignores_rejected)
  if read_epoch(source) == '' then redis.call('SET', prefix .. 'epoch:' .. source, token, 'PX', MONTH) end
  local epoch = read_epoch(source)
  local copy, rejected, lease = keys_of(source, name)
  local verified_at, stale_at = unpack(redis.call('HMGET', copy, 'verifiedAt', 'staleAt'))
  local rejection = ignores_rejected ~= '1' and redis.call('GETRANGE', rejected, 0, ${MAX_VALUE_BYTES}) or ''
  local is_newer = verified_at and tonumber(verified_at) > tonumber(after)
  if is_newer and (tonumber(stale_at) > tonumber(now) or tonumber(after) < 0 or rejection ~= '') then
    return { epoch, 'found', bounded(copy, 'head') }
  end
  if rejection ~= '' then return { epoch, 'rejected', rejection } end
  if not redis.call('SET', lease, token, 'NX', 'PX', ${LEASE_MS}) then return { epoch, 'busy' } end
  redis.call('PEXPIRE', prefix .. 'epoch:' .. source, MONTH)
  return { epoch, 'granted' }
end

function commands.isHeld(source, name)
  local _, _, lease = keys_of(source, name)
  return { redis.call('EXISTS', lease) == 1 and 'held' or 'free' }
end

-- The following commands need the lease, with its token.
local function with_lease(source, name, token, run)
  local copy, rejected, lease = keys_of(source, name)
  if redis.call('GET', lease) ~= token then return { 'lost' } end
  return run(copy, rejected, lease)
end

function commands.renew(source, name, token)
  return with_lease(source, name, token, function(_, _, lease) redis.call('PEXPIRE', lease, ${LEASE_MS}) end)
end

function commands.release(source, name, token)
  return with_lease(source, name, token, function(_, _, lease) redis.call('DEL', lease) end)
end

function commands.reject(source, name, token, duration, rejection)
  return with_lease(source, name, token, function(_, rejected, lease)
    redis.call('SET', rejected, rejection, 'PX', duration)
    redis.call('DEL', lease)
  end)
end

function commands.publish(source, name, token, verified_at, stale_at, id, duration, kept, head)
  return with_lease(source, name, token, function(copy, rejected, lease)
    local records = prefix .. 'records:' .. id
    if redis.call('EXISTS', records) == 0 then return { 'incomplete' } end
    local replaced = redis.call('HGET', copy, 'records')
    redis.call('HSET', copy, 'verifiedAt', verified_at, 'staleAt', stale_at, 'records', id, 'head', head)
    redis.call('PEXPIRE', copy, duration)
    redis.call('PEXPIRE', records, kept)
    -- Other instances may be reading them.
    if replaced and replaced ~= id then redis.call('PEXPIRE', prefix .. 'records:' .. replaced, MINUTE) end
    redis.call('DEL', rejected, lease)
    return { 'published' }
  end)
end

function commands.forget(source, epoch) redis.call('SET', prefix .. 'epoch:' .. source, epoch, 'PX', MONTH) end

-- It writes, so that a full memory and a replica fail.
function commands.poll(...)
  redis.call('SET', prefix .. 'polled', '1', 'PX', MONTH)
  local epochs = {}
  for _, source in ipairs({ ... }) do table.insert(epochs, read_epoch(source)) end
  return epochs
end

function commands.writeChunk(id, position, chunk)
  redis.call('HSET', prefix .. 'records:' .. id, position, chunk)
  redis.call('PEXPIRE', prefix .. 'records:' .. id, MINUTE)
end

function commands.readChunk(id, position)
  local key = prefix .. 'records:' .. id
  return redis.call('HEXISTS', key, position) == 1 and { bounded(key, position) } or {}
end

return commands[ARGV[1]](unpack(ARGV, 2)) or {}
`;
