"""What a seed promises (docs/language.md, Dice): the faces of a name depend on the seed, the name and how often it was rolled
before, and on nothing else; they are the same in every release."""

import json

import app

DUEL = """\
use %s
combatant Ann { hit points: 900; armour class: 9; THAC0: 20; attacks: fist 1d2 }
combatant Bob { hit points: 900; armour class: 9; THAC0: 20; attacks: fist 1d2 }
policy hit { attack my nearest enemy }
encounter e {
  side a: Ann
  side b: Bob
  distance: 5 ft
  %s
  Ann and Bob follow hit
  until round > 14
}
"""

# These are a promise: if they change, every seed that somebody wrote down plays another fight. Do not bless them away.
PROMISED = {1: [14, 2, 15, 6, 6, 15, 6, 5, 4, 6], 7: [7, 4, 12, 20, 3, 8, 19, 17, 4, 15]}


def faces(t, name, rules, lines, *args):
    t.write(name, DUEL % (rules, lines))
    status, out, err = t.fray("run", "--json", *args, name)
    t.check("%s runs %s" % (name, " ".join(args)), status == 0, err)
    return [face for line in out.splitlines() if '"roll"' in line for die in json.loads(line).get("dice", [])
            if die["label"] == "Ann's attack roll" and die["source"] == "rolled" for face in die["faces"]], out


def promised(t):
    for seed, wanted in PROMISED.items():
        got, _ = faces(t, "duel.fray", "osric", "dice: a's surprise die 6, b's surprise die 6", "--seed=%d" % seed)
        t.same("the first rolls of seed %d" % seed, got[:10], wanted)


def alone(t):
    got, _ = faces(t, "forced.fray", "osric", "dice: a's surprise die 6, b's surprise die 6, Bob's attack roll 3 then 4 then 5")
    t.same("dice of others that the table rolled change none of hers", got[:10], PROMISED[1])
    got, _ = faces(t, "other.fray", "lite", "")
    t.same("nor does another system", got[:8], PROMISED[1][:8])


def replayed(t):
    """A log holds its dice: it plays the same fight whatever the seed gives."""
    _, log = faces(t, "duel.fray", "osric", "dice: a's surprise die 6, b's surprise die 6", "--seed=7")
    t.write("log.json", log)
    status, out, err = t.fray("run", "--json", "--replay=log.json", "duel.fray")
    t.check("a log plays again with its own dice", status == 0 and '"Ann\'s attack roll"' in out, err)
    again = [line for line in out.splitlines() if "Ann's attack roll" in line and '"roll"' in line]
    t.same("all of them", [json.loads(x)["dice"][0]["faces"] for x in again][:10], [[f] for f in PROMISED[7]])


app.run([promised, alone, replayed])
