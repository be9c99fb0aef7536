#!/bin/sh
# installed.sh - what `make install` copies and `make uninstall` removes: one row for each file.
#
# usage: sh docs/packaging/installed.sh BUILD ABI
# A row: MODE, where from, where to (with the variables of the Makefile as @BIN@, @LIB@ ..),
# between tabs. What is made while installing has `-` for the first two.
set -eu
export LC_ALL=C
build=${1:?usage: installed.sh BUILD ABI}
abi=${2:?usage: installed.sh BUILD ABI}

row() { printf '%s\t%s\t%s\n' "$1" "$2" "$3"; }

# row for each file of a folder that matches: FOLDER PATTERN TO
rows() {
	find "$1" -type f -name "$2" ! -path '*/node_modules/*' | sort | while IFS= read -r file; do
		row 644 "$file" "$3/${file#"$1"/}"
	done
}

row 755 "$build/fray" @BIN@/fray
row 644 "$build/libfray.a" @LIB@/libfray.a
row 755 "$build/libfray.so.$abi" "@LIB@/libfray.so.$abi"
row - - @LIB@/libfray.so
row - - @LIB@/pkgconfig/fray.pc
row 644 lang/api/fray.h @INCLUDE@/fray/fray.h
row 644 docs/fray.1 @MAN@/man1/fray.1
row 644 docs/fray.5 @MAN@/man5/fray.5
row - - @SHARE@/bash-completion/completions/fray
row - - @SHARE@/zsh/site-functions/_fray
row - - @SHARE@/fish/vendor_completions.d/fray.fish
row 644 README.md @DOC@/README.md
row 644 CHANGELOG.md @DOC@/CHANGELOG.md
row 644 LICENSE @DOC@/LICENSE
find docs -maxdepth 1 -name '*.md' | sort | while IFS= read -r file; do
	row 644 "$file" "@DOC@/$file"
done
find docs -maxdepth 1 -name '*.svg' | sort | while IFS= read -r file; do
	row 644 "$file" "@DOC@/$file"
done
rows docs/systems '*.md' @DOC@/docs/systems
rows docs/reference '*.md' @DOC@/docs/reference
rows docs/schema '*.json' @DOC@/docs/schema
rows examples '*.fray' @DOC@/examples
rows examples '*.c' @DOC@/examples
rows lang/editors/vim '*.vim' @SHARE@/vim/vimfiles
rows lang/editors/emacs '*.el' @SHARE@/emacs/site-lisp
rows lang/editors/vscode '*' @SHARE@/fray/vscode
