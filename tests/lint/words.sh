#!/bin/sh
# words.sh - phrases that readers stumbled over stay out of what they read.
#
# Each line below is an extended regular expression for a phrase that was replaced by plainer
# English (docs/CONTRIBUTING.md). They are looked for, in any case, in the pages, the messages,
# the help texts and the code that answers. A line of `allowed` is "FILE:pattern": that pattern
# may be in that file, for the reason given.
set -eu
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/../.."

pages='README.md docs/HACKING.md docs/ARCHITECTURE.md docs/CONTRIBUTING.md docs/departures.md docs/editors.md docs/language.md
docs/odds.md docs/repl.md docs/table.md docs/tutorial.md'
texts=$(find runtime/base/message*.def lang/api/message_*.def lang/api/help.c lang/app/cmd.def)
code=$(find runtime/explain lang/api lang/app -name '*.c' | sort)

# phrases that are wrong wherever somebody reads them
everywhere='all of a sort are
one met beats it
it has not come to that
nobody took this line
stand where something
whom the bonus carries
its man was not
called "x"\. declare it
are to count - what
is not said anew
is given too many or too few
another sort of key
i cannot tell what this
played to its end
no more rounds may be played'

# orders of words and private expressions that plain English does not use
plain='\bis no (plain|unit|kind|single|other|number|word|list|part|code)\b
\bare no (such|sides?|candidates)\b
\bsaid otherwise\b
\bso many as\b
\bof which it is not known\b
\bstands for (is|the)\b
\bthere stands\b
\bstands? (behind|there|above|below|inside|in quotes)\b
\bbehind it stands\b
\bcomes? to the same\b
\bwithout a word\b
\bwhoever is told\b
\bput right what\b
\bas f0[0-9]{3}\b
\bis so or is not\b
\bsays? besides\b
\blays? the next\b
\bwhat comes of\b
\bwhat is told\b
\bwhat stands\b
\bin which he\b
\bwhom nobody\b'

allowed='lang/api/odds.c:played to its end' # a comment about a fight that stopped early

bad=0
look() {
	printf '%s\n' "$1" | while IFS= read -r pattern; do
		# shellcheck disable=SC2086
		grep -niE -- "$pattern" $2 /dev/null | while IFS= read -r hit; do
			case $(printf '%s\n' "$allowed" | grep -cxF -- "${hit%%:*}:$pattern") in
			0) printf '%s\n    matches: %s\n' "$hit" "$pattern" ;;
			esac
		done
	done
}
found=$(look "$everywhere" "$pages $texts $code"; look "$plain" "$pages $texts")
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	bad=1
fi
exit $bad
