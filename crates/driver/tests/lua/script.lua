-- Closures, tables, metatables, coroutines, errors, strings, numbers, sorting, goto, integer division, bit operations.
local function fib(n) if n < 2 then return n end return fib(n-1) + fib(n-2) end
print("fib", fib(15))
local t = {}
for i = 1, 50 do t[#t+1] = (i * 7919) % 101 end
table.sort(t)
print(table.concat(t, ",", 1, 10), #t)
table.sort(t, function(a, b) return a > b end)
print(t[1], t[#t])
local Point = {}
Point.__index = Point
Point.__add = function(a, b) return setmetatable({x = a.x + b.x, y = a.y + b.y}, Point) end
Point.__tostring = function(p) return "(" .. p.x .. "," .. p.y .. ")" end
Point.__eq = function(a, b) return a.x == b.x and a.y == b.y end
Point.__lt = function(a, b) return a.x < b.x end
local p = setmetatable({x = 1, y = 2}, Point) + setmetatable({x = 10, y = 20.5}, Point)
print(tostring(p), p == setmetatable({x = 11, y = 22.5}, Point), p < setmetatable({x = 12, y = 0}, Point))
local co = coroutine.create(function(a, b)
  local c = coroutine.yield(a + b)
  local d, e = coroutine.yield(c * 2)
  return d .. e
end)
print(coroutine.resume(co, 1, 2)); print(coroutine.resume(co, 21)); print(coroutine.resume(co, "x", "y")); print(coroutine.resume(co))
print(select(2, pcall(error, {code = 7})).code); print(select(2, pcall(error, "message", 0)))
print(pcall(function() local x = nil; return x.y end))
print(xpcall(function() error("deep") end, function(m) return "handled: " .. m:gsub("^.-:%d+: ", "") end))
print(("hello world"):gsub("o", "0"), ("key = value"):match("^(%w+)%s*=%s*(%w+)$"))
for w in ("one two  three"):gmatch("%a+") do io.write(w, ";") end print()
print(string.format("%5.2f|%-6s|%06d|%x|%q|%s", 3.14159, "ab", 42, 255, "a\nb", {} ~= nil))
print(("x"):rep(5, "-"), ("abc"):upper(), ("abc"):reverse(), ("abc"):byte(1, -1))
print(7 // 2, -7 // 2, 7 % -3, 7.5 // 2, 2^10, 10 / 4, 1 << 40, 0xff & 0x0f, ~0, 5 ~ 3)
print(math.maxinteger, math.mininteger, math.maxinteger + 1 == math.mininteger, math.type(1), math.type(1.0), math.floor(-3.5))
print(tostring(1e15), 1e100, -0.0, 1/0, 2^53, 0.1, 123456789012)
print(tonumber("0x1p4"), tonumber("  12  "), tonumber("z", 36), tonumber("1e"), #"\u{7FF}")
local s = 0
for k, v in pairs({a = 1, b = 2, c = 3}) do s = s + v end
print(s, next({}), type(next), rawlen({1, 2, 3}), select("#", nil, nil))
for i = 10, 1, -3 do io.write(i, " ") end print()
do local i = 1 ::top:: if i <= 3 then io.write(i, ".") i = i + 1 goto top end print() end
local a <const> = 5
do local c <close> = setmetatable({}, {__close = function() print("closed") end}) print(a) end
print(utf8.char(72, 228, 8364), utf8.len("hä€"))
print(string.pack("<i4", 100):byte(1, -1)); print(string.unpack("<i4", string.pack("<i4", -2)))
print(load("return 1 + 1")(), load("syntax error here"))
collectgarbage(); print(collectgarbage("count") > 0, os.time{year = 2020, month = 1, day = 1, hour = 12} > 0)
local weak = setmetatable({}, {__mode = "k"}) weak[{}] = 1 collectgarbage() print(next(weak))
print(table.unpack({1, 2, 3})); print(table.pack(1, nil, 3).n); print(#table.move({1, 2, 3}, 2, 3, 1))
print(string.find("a.b", ".", 1, true), ("%d"):format(3.0), math.tointeger(3.0), 3 | 0)
print(pcall(string.rep)) print(pcall(setmetatable, 1, {}))
