-- Counts responses that are not redirects.
local threads = {}
function setup(thread) table.insert(threads, thread) end
function init() others = 0; wrk.headers["Host"] = "short.test" end
function response(status) if status ~= 302 then others = others + 1 end end
function done()
  local sum = 0
  for _, thread in ipairs(threads) do sum = sum + thread:get("others") end
  io.write("others: " .. sum .. "\n")
end
