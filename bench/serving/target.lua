-- Every request has a target of its own: a number that no other one has follows it.
local place

function init(args)
  place = tonumber(args[1])
end

function request()
  place = place + 1
  return wrk.format("GET", wrk.path .. place)
end
