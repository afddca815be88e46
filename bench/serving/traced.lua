-- Every request asks the same, with a number that no other has: as those ask who trace their requests.
local place

function init(args)
  place = tonumber(args[1])
end

function request()
  place = place + 1
  return wrk.format("GET", wrk.path, { ["Host"] = wrk.headers["Host"], ["X-Request-Id"] = tostring(place) })
end
