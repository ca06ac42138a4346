-- Requests the paths of a file in turn; counts responses that are not redirects.
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init(args)
  others = 0
  requests = {}
  wrk.headers["Host"] = "short.test"
  for path in io.lines(args[1]) do requests[#requests + 1] = wrk.format("GET", path) end
  at = 0
end
function request() at = at % #requests + 1; return requests[at] end
function response(status) if status ~= 302 then others = others + 1 end end
function done()
  local sum = 0
  for _, thread in ipairs(threads) do sum = sum + thread:get("others") end
  io.write("others: " .. sum .. "\n")
end
