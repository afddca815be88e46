-- Every request asks for another page: the offset follows the target, in strides that meet every one of the 19,901 before any again.
local place

function init(args)
  place = tonumber(args[1])
end

function request()
  place = place + 1
  return wrk.format("GET", wrk.path .. (place * 7919) % 19901)
end
