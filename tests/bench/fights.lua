-- fights.lua - the three standard fights in plain Lua 5.4: what a programmer would write who
-- wants the odds of one fight from a scripting language. `make bench` compares Fray with it.
-- fights.c plays the same fights; their rules are in FIGHTS.md beside this file.
--
-- usage: lua5.4 fights.lua FIGHT TRIALS SEED        FIGHT is f1, f2 or f3
-- prints the same line as fights.c.
--
-- Dice: Lua's own generator, xoshiro256**, seeded from SEED; random(n) draws again rather
-- than favour a face.

local random = math.random

local function roll(count, sides)
	local sum = 0
	for _ = 1, count do sum = sum + random(sides) end
	return sum
end

-- One member as a table; who is asleep has hp 0, since nobody wakes and nobody strikes
-- sleepers. `up` counts the members with hit points.
local function wound(side, target, amount)
	local hp = target.hp - amount
	if hp <= 0 then
		hp = 0
		side.up = side.up - 1
	end
	target.hp = hp
end

-- The members up now, in list order: who acts in a segment that begins now.
local function standing(side)
	local list = {}
	for _, m in ipairs(side) do
		if m.hp > 0 then list[#list + 1] = m end
	end
	return list
end

-- The damage of a blow by one face of d20 and the damage die together, 0 for a miss.
local function blow_of(need, faces)
	local one = {}
	for i = 1, 20 * faces do one[i] = i <= (need - 1) * faces and 0 or 1 + (i - 1) % faces end
	return one, 20 * faces
end

local function lost()
	local d = random(6)
	return d <= 2 and d or 0
end

-- F1: all of it in locals.
local a_blow, a_faces = blow_of(13, 8)
local b_blow, b_faces = blow_of(11, 10)
local function duel()
	local a, b, rounds = roll(3, 10), roll(4, 8) + 1, 0
	local free = lost() - lost()
	for _ = 1, -free do b = b - a_blow[random(a_faces)] end
	for _ = 1, free do a = a - b_blow[random(b_faces)] end
	while a > 0 and b > 0 do
		if rounds == 1000 then return "unresolved", rounds end
		rounds = rounds + 1
		local da, db = random(6), random(6)
		if da > db then
			b = b - a_blow[random(a_faces)]
			if b > 0 then a = a - b_blow[random(b_faces)] end
		elseif da < db then
			a = a - b_blow[random(b_faces)]
			if a > 0 then b = b - a_blow[random(a_faces)] end
		else
			a, b = a - b_blow[random(b_faces)], b - a_blow[random(a_faces)]
		end
	end
	return a > 0 and "A" or b > 0 and "B" or "both", rounds
end

-- F2: the weakest enemy first; a magic-user with one sleep.
local ford = {}
local party = {
	-- to hit AC 0, AC, attacks, damage dice, plus, hit dice
	{ 19, 3, 1, 8, 0, 2, 10 },
	{ 19, 4, 1, 8, 0, 2, 10 },
	{ 20, 4, 1, 6, 1, 2, 8 },
	{ 20, 7, 2, 6, 0, 2, 6 },
	{ 20, 9, 3, 3, 0, 2, 4 },
}
local function warrior(w)
	return { to_hit = w[1], ac = w[2], attacks = w[3], faces = w[4], plus = w[5], hp = roll(w[6], w[7]) }
end
function ford.sides()
	local a, b = { up = 5 }, { up = 8 }
	for i = 1, 5 do a[i] = warrior(party[i]) end
	for i = 1, 8 do b[i] = warrior { 19, 6, 1, 8, 0, 1, 8 } end
	a.caster, a.has_spell = a[5], true
	return a, b
end
ford.actors = standing
local function weakest(side)
	local best
	for i = 1, #side do
		local m = side[i]
		if m.hp > 0 and (not best or m.hp < best.hp) then best = m end
	end
	return best
end
function ford.act(actors, own, enemy)
	for _, me in ipairs(actors) do
		if not (me == own.caster and own.busy) then
			for _ = 1, me.attacks do
				local target = weakest(enemy)
				if not target then return end
				if random(20) >= me.to_hit - target.ac then
					wound(enemy, target, random(me.faces) + me.plus)
					if target == enemy.caster then enemy.spoiled = true end
				end
			end
		end
	end
end
-- The first 2d4 that are up fall asleep.
function ford.sleep(orcs)
	local victims = roll(2, 4)
	for _, orc in ipairs(orcs) do
		if victims == 0 then break end
		if orc.hp > 0 then
			wound(orcs, orc, orc.hp)
			victims = victims - 1
		end
	end
end

-- F3: a random enemy; the fallen leave the list, the last one taking their place. How many of four attacks hit comes of one
-- draw, four d20 together; whom a hit falls on and for how much, of another.
local D20, FOUR = 20, 160000
local function hits_of(need)
	local one, four = {}, {}
	for i = 1, D20 do one[i] = i >= need and 1 or 0 end
	for i = 0, FOUR - 1 do
		four[i + 1] = one[i % 20 + 1] + one[i // 20 % 20 + 1] + one[i // 400 % 20 + 1] + one[i // 8000 + 1]
	end
	return one, four
end

-- The `n` who act against hp[1..up]; how many of those are left.
local function side_acts(n, one, four, faces, hp, up)
	local hits = 0
	for _ = 4, n, 4 do hits = hits + four[random(FOUR)] end
	for _ = 1, n % 4 do hits = hits + one[random(D20)] end
	for _ = 1, hits do
		local face = random(faces * up) - 1
		local target = face // faces + 1
		local left = hp[target] - face % faces - 1
		if left > 0 then
			hp[target] = left
		else
			hp[target] = hp[up]
			up = up - 1
			if up == 0 then return 0 end
		end
	end
	return up
end

local men, goblins = {}, {}
local a_one, a_four = hits_of(13)
local g_one, g_four = hits_of(19)
local function horde()
	local a, b, rounds = 20, 60, 0
	for i = 1, 20 do men[i] = random(8) + random(8) end
	for i = 1, 60 do goblins[i] = math.max(1, random(8) - 1) end
	local free = lost() - lost()
	for _ = 1, -free do
		if b > 0 then b = side_acts(a, a_one, a_four, 8, goblins, b) end
	end
	for _ = 1, free do
		if a > 0 then a = side_acts(b, g_one, g_four, 6, men, a) end
	end
	while a > 0 and b > 0 do
		if rounds == 1000 then return "unresolved", rounds end
		rounds = rounds + 1
		local da, db = random(6), random(6)
		if da > db then
			b = side_acts(a, a_one, a_four, 8, goblins, b)
			if b > 0 then a = side_acts(b, g_one, g_four, 6, men, a) end
		elseif da < db then
			a = side_acts(b, g_one, g_four, 6, men, a)
			if a > 0 then b = side_acts(a, a_one, a_four, 8, goblins, b) end
		else
			local a_before = a
			a = side_acts(b, g_one, g_four, 6, men, a)
			b = side_acts(a_before, a_one, a_four, 8, goblins, b)
		end
	end
	return a > 0 and "A" or b > 0 and "B" or "both", rounds
end

-- Plays one trial of F2; returns the outcome (A, B, both or unresolved) and the rounds.
local function play_ford()
	local a, b = ford.sides()
	local act, actors, sleep = ford.act, ford.actors, ford.sleep
	local lost_a, lost_b = lost(), lost()
	local own, enemy = a, b
	if lost_a > lost_b then own, enemy = b, a end
	for _ = 1, math.abs(lost_a - lost_b) do
		if enemy.up == 0 then break end
		local casts = own.has_spell and own.caster.hp > 0
		own.busy = casts
		act(actors(own), own, enemy)
		if casts then
			own.has_spell, own.busy = false, false
			sleep(enemy)
		end
	end

	local rounds = 0
	while a.up > 0 and b.up > 0 do
		if rounds == 1000 then return "unresolved", rounds end
		rounds = rounds + 1
		a.busy = a.has_spell and a.caster.hp > 0
		a.spoiled = not a.busy
		if a.busy then a.has_spell = false end
		local da, db = random(6), random(6)
		if da == db then
			local who_a, who_b = actors(a), actors(b)
			act(who_a, a, b)
			act(who_b, b, a)
		elseif da > db then
			act(actors(a), a, b)
			if b.up > 0 and not a.spoiled then
				sleep(b)
				a.spoiled = true
			end
			if b.up > 0 then act(actors(b), b, a) end
		else
			act(actors(b), b, a)
			if a.up > 0 then act(actors(a), a, b) end
		end
		if a.up > 0 and b.up > 0 and not a.spoiled then sleep(b) end
	end
	return a.up > 0 and "A" or b.up > 0 and "B" or "both", rounds
end

local fights = { f1 = duel, f2 = play_ford, f3 = horde }
local name, trials, seed = arg[1], math.tointeger(tonumber(arg[2])), math.tointeger(tonumber(arg[3]))
local fight = fights[name]
if not (fight and trials and seed) then
	io.stderr:write("usage: fights.lua f1|f2|f3 TRIALS SEED\n")
	os.exit(2)
end
math.randomseed(seed)
local count, all_rounds = { A = 0, B = 0, both = 0, unresolved = 0 }, 0
for _ = 1, trials do
	local outcome, rounds = fight()
	count[outcome] = count[outcome] + 1
	all_rounds = all_rounds + rounds
end
local n = math.max(trials, 1)
print(string.format("%s A %.6f B %.6f both %.6f unresolved %.6f rounds %.6f", name, count.A / n, count.B / n,
	count.both / n, count.unresolved / n, all_rounds / n))
