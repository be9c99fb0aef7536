-- plain.lua - the plain fights of osric in plain Lua 5.4, as plain.c has them; see there for the rules.
--
-- usage: lua5.4 plain.lua N TRIALS SEED
-- prints the same line as plain.c.
--
-- Two blows come of one draw: a table holds the damage of both by face, 160 faces for each.

local random = math.random
local HIT_POINTS, NEED, FACES, DAMAGE, SURPRISED = 9, 13, 20, 8, 2
local ONE = FACES * DAMAGE

local blow, pair = {}, {}
for i = 1, ONE do blow[i] = i <= (NEED - 1) * DAMAGE and 0 or 1 + (i - 1) % DAMAGE end
for i = 1, ONE do
	for k = 1, ONE do pair[(i - 1) * ONE + k] = blow[i] + blow[k] end
end
local TWO = ONE * ONE

-- The damage of so many blows.
local function blows(n)
	local sum = 0
	for _ = 2, n, 2 do sum = sum + pair[random(TWO)] end
	if n % 2 == 1 then sum = sum + blow[random(ONE)] end
	return sum
end

-- How many are up and the hit points of the first of them, after so much damage.
local function suffer(up, first, damage)
	if damage < first then return up, first - damage end
	return up - 1, HIT_POINTS
end

local function lost()
	local d = random(6)
	return d <= SURPRISED and d or 0
end

local n, trials, seed = math.tointeger(tonumber(arg[1])), math.tointeger(tonumber(arg[2])), math.tointeger(tonumber(arg[3]))
math.randomseed(seed)
local left_won, right_won, both, all_rounds = 0, 0, 0, 0
for _ = 1, trials do
	local a, a_first, b, b_first, rounds = n, HIT_POINTS, n, HIT_POINTS, 0
	local lost_a, lost_b = lost(), lost()
	for segment = 1, SURPRISED do
		if a > 0 and b > 0 then
			if lost_a < segment and lost_b >= segment then
				b, b_first = suffer(b, b_first, blows(a))
			elseif lost_b < segment and lost_a >= segment then
				a, a_first = suffer(a, a_first, blows(b))
			end
		end
	end
	while a > 0 and b > 0 and rounds < 1000 do
		local die_a, die_b = random(6), random(6)
		rounds = rounds + 1
		if die_a > die_b then
			b, b_first = suffer(b, b_first, blows(a))
			if b > 0 then a, a_first = suffer(a, a_first, blows(b)) end
		elseif die_a < die_b then
			a, a_first = suffer(a, a_first, blows(b))
			if a > 0 then b, b_first = suffer(b, b_first, blows(a)) end
		else
			local by_a, by_b = blows(a), blows(b)
			b, b_first = suffer(b, b_first, by_a)
			a, a_first = suffer(a, a_first, by_b)
		end
	end
	all_rounds = all_rounds + rounds
	if a > 0 then left_won = left_won + 1 elseif b > 0 then right_won = right_won + 1 else both = both + 1 end
end
local all = math.max(trials, 1)
print(string.format("left %.6f right %.6f both %.6f rounds %.6f", left_won / all, right_won / all, both / all, all_rounds / all))
