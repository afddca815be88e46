-- Every request asks for the same target, with a header that no other one has.
local place

function init(args)
  place = tonumber(args[1])
end

function request()
  place = place + 1
  return wrk.format("GET", wrk.path, { ["Host"] = wrk.headers["Host"], ["X-Request-Id"] = tostring(place) })
end
