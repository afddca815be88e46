-- No two requests are the same. Arguments: what differs, and the number of the first request.
local kind, place

function init(args)
  kind, place = args[1], tonumber(args[2])
end

local requests = {
  header = function(n)
    return wrk.format("GET", wrk.path, { ["Host"] = wrk.headers["Host"], ["X-Request-Id"] = tostring(n) })
  end,
  target = function(n) return wrk.format("GET", wrk.path .. n) end,
  -- Strides that meet each of the 19,901 offsets before any again.
  page = function(n) return wrk.format("GET", wrk.path .. (n * 7919) % 19901) end,
}

function request()
  place = place + 1
  return requests[kind](place)
end
