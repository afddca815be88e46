-- Every request is different. Arguments: the part that differs, and the number of the first request.
local kind, place

function init(args)
  kind, place = args[1], tonumber(args[2])
end

local requests = {
  header = function(n)
    return wrk.format("GET", wrk.path, { ["Host"] = wrk.headers["Host"], ["X-Request-Id"] = tostring(n) })
  end,
  target = function(n) return wrk.format("GET", wrk.path .. n) end,
  -- The stride visits all 19,901 offsets before it repeats one.
  page = function(n) return wrk.format("GET", wrk.path .. (n * 7919) % 19901) end,
}

function request()
  place = place + 1
  return requests[kind](place)
end
