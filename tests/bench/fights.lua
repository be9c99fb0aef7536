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

-- F1: one blow, if there is anybody to receive it.
local duel = {}
function duel.sides()
	return { { hp = roll(3, 10), need = 13, faces = 8 }, up = 1 }, { { hp = roll(4, 8) + 1, need = 11, faces = 10 }, up = 1 }
end
function duel.act(_, own, enemy)
	local me = own[1]
	if random(20) >= me.need then wound(enemy, enemy[1], random(me.faces)) end
end
function duel.actors() end

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

-- F3: a random enemy; the fallen leave the list, the last one taking their place.
local horde = {}
function horde.sides()
	local a, b = { up = 20, need = 13, faces = 8 }, { up = 60, need = 19, faces = 6 }
	for i = 1, 20 do a[i] = roll(2, 8) end
	for i = 1, 60 do b[i] = math.max(1, random(8) - 1) end
	return a, b
end
function horde.actors(side) return side.up end
function horde.act(actors, own, enemy)
	local need, faces = own.need, own.faces
	for _ = 1, actors do
		local up = enemy.up
		if up == 0 then return end
		if random(20) >= need then
			local target = random(up)
			local hp = enemy[target] - random(faces)
			if hp <= 0 then
				hp = enemy[up]
				enemy.up = up - 1
			end
			enemy[target] = hp
		end
	end
end

-- Plays one trial; returns the outcome (A, B, both or unresolved) and the rounds.
local function play(fight)
	local a, b = fight.sides()
	local act, actors, sleep = fight.act, fight.actors, fight.sleep

	local function lost()
		local d = random(6)
		return d <= 2 and d or 0
	end
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

local fights = { f1 = duel, f2 = ford, f3 = horde }
local name, trials, seed = arg[1], math.tointeger(tonumber(arg[2])), math.tointeger(tonumber(arg[3]))
local fight = fights[name]
if not (fight and trials and seed) then
	io.stderr:write("usage: fights.lua f1|f2|f3 TRIALS SEED\n")
	os.exit(2)
end
math.randomseed(seed)
local count, all_rounds = { A = 0, B = 0, both = 0, unresolved = 0 }, 0
for _ = 1, trials do
	local outcome, rounds = play(fight)
	count[outcome] = count[outcome] + 1
	all_rounds = all_rounds + rounds
end
local n = math.max(trials, 1)
print(string.format("%s A %.6f B %.6f both %.6f unresolved %.6f rounds %.6f", name, count.A / n, count.B / n,
	count.both / n, count.unresolved / n, all_rounds / n))
