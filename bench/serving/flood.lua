-- Every request is another query: words that nobody has, pages of several orders, filters and fields.
local place

function init(args)
  place = tonumber(args[1])
end

local countries = { "BR", "PT", "DE", "NO", "JP" }

local kinds = {
  function(n) return "q=x" .. n end,
  function(n) return "limit=" .. 1 + n % 13 .. "&offset=" .. n % 3989 end,
  function(n) return "sort=-host&limit=" .. 1 + n % 11 .. "&offset=" .. n % 3967 end,
  function(n) return "country=" .. countries[1 + n % 5] .. "&official-team-name=x" .. n end,
  function(n) return "fields=email,host&limit=" .. 1 + n % 17 .. "&offset=" .. n % 3947 end,
}

function request()
  place = place + 1
  return wrk.format("GET", wrk.path .. kinds[1 + place % #kinds](place))
end
