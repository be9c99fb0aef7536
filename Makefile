# Fray: all builds and checks. `make help` lists the targets.
#
# Everything made goes to build/<mode>/; `make` makes mode release and leaves the command
# at build/fray. Sources are found by pattern: a new .c file needs no line here.
#
#   runtime/*/*.c  lang/*/*.c (not lang/app, lang/web)  gen/  ->  libfray.a
#   lang/app/*.c + libfray.a                        ->  fray
#   tests/unit/test_*.c + libfray.a                 ->  tests/unit/test_*
#
# Variables: MODE (release debug profile asan ubsan san tsan cov fuzz), CC, OPT, CFLAGS, LDFLAGS,
# READLINE=0 (a prompt without GNU readline), PREFIX, DESTDIR, FUZZ_SECONDS, JOBS (all
# processors), V=1 (whole commands), TEST (check only tests with this in their path), and
# FIGHTS, ODDS, MOMENTS, ANSWERS, SEQUENCES, SESSIONS, SYSTEMS: how much `make soak` plays.

MAKEFLAGS += --no-print-directory --no-builtin-rules
# Sub-makes share the job slots of the first.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(or $(JOBS),$(shell nproc 2>/dev/null),2)
endif
.SUFFIXES:
.DELETE_ON_ERROR:

ifeq ($(origin CC),default)
CC := gcc
endif

# What was asked for; each target has its own mode when nothing was.
ASKED_MODE := $(MODE)
MODE ?= release
B := build/$(MODE)
GEN := $(B)/gen

PREFIX ?= /usr/local
READLINE ?= 1
FUZZ_SECONDS ?= 60
FIGHTS ?= 10000
SEQUENCES ?= 1000
SESSIONS ?= 200
SYSTEMS ?= $(filter-out core shelf,$(notdir $(patsubst %/,%,$(wildcard stdlib/*/))))

# Both numbers live in the public header, and nowhere else.
VERSION := $(shell sed -n 's/^.define FRAY_VERSION "\(.*\)".*/\1/p' lang/api/fray.h 2>/dev/null)
ABI := $(shell sed -n 's/^.define FRAY_ABI \([0-9][0-9]*\).*/\1/p' lang/api/fray.h 2>/dev/null)
ifeq ($(ABI),)
ABI := 0
endif

# Each step says one short line; V=1 shows the whole command.
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(Q),@printf '%-5s %s\n' $(1) $(2))

# ---- how it is compiled ----

# Doubtful code: what every compiler can see is wrong.
WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wwrite-strings -Wvla
# Doubtful declarations: every function is static or has a prototype in a header.
WARN += -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wredundant-decls
# Doubtful control: a switch over an enum lists every member.
WARN += -Wswitch -Wundef -Wformat=2
# A warning is an error, so none is ever left lying about. Packagers with another compiler: WERROR=
WERROR ?= -Werror
# Generated code is not ours to mend: what flex and bison are known to trip over.
WARN_GEN := -Wno-sign-compare -Wno-unused-function -Wno-unused-parameter -Wno-shadow \
	-Wno-missing-prototypes -Wno-unused-but-set-variable -Wno-redundant-decls -Wno-undef

SAN_asan := -fsanitize=address
SAN_ubsan := -fsanitize=undefined
SAN_san := -fsanitize=address,undefined
SAN_tsan := -fsanitize=thread
SAN_cov := --coverage
SAN_fuzz := -fsanitize=address,undefined,fuzzer-no-link
SAN := $(SAN_$(MODE))
OPT_release := -O2 -g -DNDEBUG
OPT_debug := -Og -g3
OPT_cov := -O0 -g
OPT_profile := -O2 -g -DNDEBUG -DFRAY_PROFILE
OPT_asan := -O1 -g -fno-omit-frame-pointer
OPT_ubsan := -O1 -g -fno-omit-frame-pointer -fno-sanitize-recover=all
OPT_san := $(OPT_ubsan)
OPT_tsan := $(OPT_asan)
OPT_fuzz := $(OPT_ubsan)
OPT ?= $(OPT_$(MODE))
ifeq ($(origin OPT_$(MODE)),undefined)
$(error MODE=$(MODE) is not one of release debug profile asan ubsan san tsan cov fuzz)
endif
ifeq ($(MODE),fuzz)
CC := clang
endif

# PIC once serves both libraries; without interposition it costs next to nothing.
ALL_CFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -I. -I$(GEN) -pthread -fPIC -fno-semantic-interposition $(OPT) $(SAN) $(CFLAGS)
# The folder of the build is in no file: two builds are the same bytes, wherever they are made.
ALL_CFLAGS += -ffile-prefix-map=$(CURDIR)=.
ALL_LDFLAGS := -pthread -Wl,--as-needed $(SAN) $(LDFLAGS)
# The machine's loop jumps from one instruction to the next: what a compiler makes alike in
# their ends takes these jumps together again and the instruction pointer out of its register.
LOOP_FLAGS := -fno-gcse -fno-tree-pre -fno-crossjumping -fira-region=one
LOOP_CFLAGS := $(shell $(CC) $(LOOP_FLAGS) -E -x c /dev/null >/dev/null 2>&1 && echo '$(LOOP_FLAGS)')
$(B)/runtime/vm/run.o: ALL_CFLAGS += $(LOOP_CFLAGS)
DEPEND := -MMD -MP
# Linked with what the sources include, so a tree without JSON needs no jansson.
included = $(if $(shell grep -ls 'include <$(1)>' runtime/*/*.[ch] lang/*/*.[ch] 2>/dev/null),$(2))
LIBS := $(call included,jansson\.h,-ljansson) -lm
ifneq ($(READLINE),0)
APP_CFLAGS := -DFRAY_READLINE=1
APP_LIBS := $(call included,readline/readline\.h,-lreadline)
else
APP_CFLAGS := -DFRAY_READLINE=0
endif

# ---- what it is made of ----

LIB_SRC := $(sort $(wildcard runtime/*/*.c) $(filter-out lang/app/% lang/web/%,$(wildcard lang/*/*.c)))
APP_SRC := $(sort $(wildcard lang/app/*.c))
UNIT_SRC := $(sort $(wildcard tests/unit/test_*.c))
API_SRC := $(sort $(wildcard tests/api/test_*.c))
FUZZ_SRC := $(sort $(wildcard tests/fuzz/fuzz_*.c))
STDLIB := $(sort $(shell find stdlib -name '*.fray' 2>/dev/null))

GEN_BASE := $(patsubst %.y,$(GEN)/%,$(wildcard lang/front/*.y)) $(patsubst %.l,$(GEN)/%,$(wildcard lang/front/*.l))
GEN_SRC := $(GEN_BASE:=.c) $(GEN)/stdlib.c $(GEN)/image.c
GEN_HDR := $(GEN_BASE:=.h)
# Made on the way and kept: deleted, they would be made anew each time.
.SECONDARY: $(GEN_SRC) $(GEN_HDR)

LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o) $(GEN_SRC:%.c=%.o)
APP_OBJ := $(APP_SRC:%.c=$(B)/%.o)
TESTS := $(UNIT_SRC:%.c=$(B)/%) $(API_SRC:%.c=$(B)/%)
FUZZERS := $(FUZZ_SRC:%.c=$(B)/%)

LIB := $(B)/libfray.a
SHARED := $(B)/libfray.so.$(ABI)
APP := $(if $(APP_SRC),$(B)/fray)

.PHONY: all
all: $(LIB) $(APP) ## the command and the library (MODE=release)
ifeq ($(MODE),release)
	@if [ -n "$(APP)" ]; then ln -sf $(MODE)/fray build/fray; fi
endif

# Objects are made again when the compiler or its options change.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(CC) $(WARN) $(WERROR) $(ALL_CFLAGS) $(APP_CFLAGS)' | cmp -s - $@ || \
		printf '%s\n' '$(CC) $(WARN) $(WERROR) $(ALL_CFLAGS) $(APP_CFLAGS)' > $@
.PHONY: FORCE
FORCE:

$(B)/%.o: %.c $(B)/flags | $(GEN_HDR)
	@mkdir -p $(@D)
	$(call say,cc,$<)
	$(Q)$(CC) $(WARN) $(WERROR) $(ALL_CFLAGS) $(if $(filter lang/app/%,$<),$(APP_CFLAGS)) $(DEPEND) -c -o $@ $<

$(GEN)/%.o: $(GEN)/%.c $(B)/flags | $(GEN_HDR)
	$(call say,cc,$<)
	$(Q)$(CC) $(WARN) $(WERROR) $(WARN_GEN) $(ALL_CFLAGS) $(DEPEND) -c -o $@ $<

$(GEN)/%.c $(GEN)/%.h &: %.y
	@mkdir -p $(@D)
	$(call say,bison,$<)
	$(Q)bison -Wall -Werror -Wcounterexamples -o $(GEN)/$*.c --header=$(GEN)/$*.h $<

$(GEN)/%.c $(GEN)/%.h &: %.l
	@mkdir -p $(@D)
	$(call say,flex,$<)
	$(Q)flex -o $(GEN)/$*.c --header-file=$(GEN)/$*.h $<

# The list of files is a dependency too, so that a removed one goes.
$(GEN)/stdlib.list: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(STDLIB) | cmp -s - $@ || printf '%s\n' $(STDLIB) > $@
$(GEN)/stdlib.c: stdlib/embed.sh $(GEN)/stdlib.list $(STDLIB)
	$(call say,embed,stdlib)
	$(Q)sh stdlib/embed.sh stdlib > $@

# What is worked out of the library beforehand, by a program of the same scanner.
PACK_OBJ := $(B)/stdlib/pack.o $(GEN)/stdlib.o $(GEN)/lang/front/scan.o $(patsubst %,$(B)/%.o,lang/front/blocks lang/front/image runtime/base/intern runtime/base/arena runtime/base/buf runtime/base/hash)
$(B)/pack: $(PACK_OBJ)
	$(call say,link,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(LIBS)
$(GEN)/image.c: $(B)/pack
	$(call say,pack,$@)
	$(Q)$(B)/pack > $@.new && mv $@.new $@

$(LIB): $(LIB_OBJ)
	@rm -f $@
	$(call say,ar,$@)
	$(Q)$(AR) rcs $@ $^

# The shared library shows what the public header declares, and nothing else.
$(B)/exports.map: lang/api/fray.h
	@mkdir -p $(@D)
	@{ echo '{ global:'; grep -o '\bfray_[a-z0-9_]* *(' $< | tr -d ' (' | sort -u | sed 's/$$/;/'; echo 'local: *; };'; } > $@

$(SHARED): $(LIB_OBJ) $(B)/exports.map
	$(call say,link,$@)
	$(Q)$(CC) -shared -Wl,-soname,$(@F) -Wl,--version-script=$(B)/exports.map -o $@ $(LIB_OBJ) $(ALL_LDFLAGS) $(LIBS)

$(B)/fray: $(APP_OBJ) $(LIB)
	$(call say,link,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(APP_LIBS) $(LIBS)

$(TESTS): $(B)/%: $(B)/%.o $(LIB)
	$(call say,link,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -lcmocka $(LIBS)

# A fuzz target is one function; tests/fuzz/replay.c calls it for files, so that every
# check runs the corpus without clang.
REPLAYS := $(FUZZ_SRC:%.c=$(B)/%_replay)
$(REPLAYS): $(B)/%_replay: $(B)/%.o $(B)/tests/fuzz/replay.o $(LIB)
	$(call say,link,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) $(LIBS)
$(FUZZERS): $(B)/%: $(B)/%.o $(LIB)
	$(call say,link,$@)
	$(Q)$(CC) -o $@ $^ $(ALL_LDFLAGS) -fsanitize=fuzzer $(LIBS)

# ---- what people type ----

.PHONY: play
play: ## play the example fight; installs what is missing first (Debian, Ubuntu)
	@CC='$(CC)' READLINE='$(READLINE)' sh tests/need.sh play
	@$(MAKE) all MODE=release
	@build/fray run examples/bridge.fray

CHECK_MODE := $(or $(ASKED_MODE),debug)
.PHONY: check
check: ## run every test (MODE=debug; or asan ubsan san tsan); installs what is missing first
	@CC='$(CC)' READLINE='$(READLINE)' sh tests/need.sh check
	@$(MAKE) check-run MODE=$(CHECK_MODE)

.PHONY: check-build check-run
check-build: all $(TESTS) $(REPLAYS)
check-run: check-build
	@CC='$(CC)' python3 tests/run --build $(B) $(if $(filter 1,$(V)),--verbose) $(TEST)

.PHONY: lint
lint: $(LIB) ## the checks of the source tree alone
	@CC='$(CC)' python3 tests/run --build $(B) --verbose tests/lint

.PHONY: clauses
clauses: ## which printed clauses have a test, and which lack one
	@sh tests/lint/clauses.sh --report

.PHONY: bench
bench: ## compare speed with reference programs built in the same run; FIGHT="plain dew": a trial of those alone
	@CC='$(CC)' READLINE='$(READLINE)' sh tests/need.sh bench
	@$(MAKE) all MODE=release
	@$(if $(FIGHT),,CC='$(CC)' sh tests/bench/run build/release)
	@CC='$(CC)' python3 tests/bench/trials.py build/release $(FIGHT)
	@$(if $(FIGHT),,CC='$(CC)' python3 tests/bench/bars.py build/release)

.PHONY: profile
profile: ## which functions and instructions TRIALS (100) of SCRIPT (tests/bench/f1.fray) spend
	@$(MAKE) all MODE=profile
	@build/profile/fray odds --threads 1 --trials $(or $(TRIALS),100) $(or $(SCRIPT),tests/bench/f1.fray)

.PHONY: soak
soak: ## random fights (FIGHTS, from FIRST on), small ones counted and sampled (ODDS), prompts (SEQUENCES) under each of SYSTEMS, and crashes (SESSIONS)
	@CC='$(CC)' READLINE='$(READLINE)' sh tests/need.sh soak
	@$(MAKE) all $(SYSTEMS:%=build/release/tests/api/test_session_%) build/release/tests/api/test_flow build/release/tests/api/test_silent MODE=release
	@set -e; for s in $(SYSTEMS); do python3 tests/soak/soak.py -w $(or $(WHOLE),1) $$s $(FIGHTS) $(FIRST); done
	@set -e; for s in $(SYSTEMS); do FRAY=build/release/fray python3 tests/soak/odds.py $$s $(or $(ODDS),200); done
	@set -e; for s in $(SYSTEMS); do FRAY=build/release/fray python3 tests/soak/ways.py $$s $(or $(ODDS),200); done
	@FRAY=$(abspath build/release)/fray python3 tests/soak/figures.py
	@set -e; for s in $(SYSTEMS); do FRAY=build/release/fray python3 tests/soak/moments.py $$s $(or $(MOMENTS),1000); FRAY=build/release/fray python3 tests/soak/moments.py $$s+shelf $(or $(MOMENTS),1000); done
	@set -e; for s in $(SYSTEMS); do FRAY=$(abspath build/release)/fray python3 tests/explain/answers.py $$s $(or $(ANSWERS),200); done
	@set -e; for s in $(SYSTEMS); do SEQUENCES=$(SEQUENCES) build/release/tests/api/test_session_$$s; done
	@python3 tests/repl/crash.py $(SESSIONS)
	@FRAY=$(abspath build/release)/fray python3 tests/repl/lines.py $(or $(LINES),200)
	@EVERY=1 FRAY=$(abspath build/release)/fray python3 tests/rules/shelf/t_mutants.py
	@EVERY=1 FRAY=$(abspath build/release)/fray python3 tests/rules/t_misspelt.py
	@FRAY=$(abspath build/release)/fray python3 tests/shelf/soak.py
	@FRAY_TEST_ALL=1 FRAY=$(abspath build/release)/fray python3 tests/app/t_fields.py $(SYSTEMS)

.PHONY: shelf-audit
shelf-audit: all ## count, table by table, what of stdlib/shelf/data is on the shelf
	@FRAY=$(abspath $(B))/fray python3 tests/shelf/audit.py

.PHONY: docs
docs: all ## write the pages that are printed from the .def tables, the rules and their tests
	@python3 docs/tables.py
	@FRAY=$(abspath $(B))/fray python3 docs/systems.py
	@FRAY=$(abspath $(B))/fray python3 docs/screen.py
	@python3 docs/picture.py
	@python3 tests/rules/map.py

.PHONY: fuzz fuzz-run
fuzz: ## fuzz each target for FUZZ_SECONDS (60); needs clang
	@CC=clang READLINE='$(READLINE)' sh tests/need.sh fuzz
	@$(MAKE) fuzz-run MODE=fuzz
fuzz-run: $(FUZZERS) $(B)/fray
	@FRAY=$(B)/fray python3 tests/fuzz/seeds.py $(B)/seeds
	@python3 tests/fuzz/dictionary.py > $(B)/words.dict
	@set -e; for f in $(FUZZERS); do \
		name=$${f##*/fuzz_}; mkdir -p $(B)/corpus/$$name tests/fuzz/corpus/$$name $(B)/seeds/$$name; \
		echo "fuzz  $$name"; \
		$$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 -verbosity=0 -print_final_stats=1 \
			-artifact_prefix=$(B)/$$name- -dict=$(B)/words.dict $(B)/corpus/$$name tests/fuzz/corpus/$$name $(B)/seeds/$$name; \
	done

# Not part of `all`: it needs mpicc. The command's files but main.c, and one of its own.
MPICC ?= mpicc
.PHONY: mpi
mpi: $(B)/fray-mpi ## build fray-mpi, for mpirun fray-mpi odds .. (needs Open MPI or another mpicc)
$(B)/fray-mpi: lang/app/mpi/main.c $(filter-out $(B)/lang/app/main.o,$(APP_OBJ)) $(LIB)
	$(call say,mpicc,$@)
	$(Q)$(MPICC) $(WARN) $(ALL_CFLAGS) -o $@ $^ $(ALL_LDFLAGS) $(APP_LIBS) $(LIBS)

# Not part of `all`: it needs npm and the network. What it installs tests/lsp/t_editors.py uses.
.PHONY: editors
editors: ## build the VS Code extension, build/editors/fray.vsix, and what tests the language server (npm)
	@mkdir -p build/editors
	@cp tests/lsp/npm/package.json build/editors/
	cd build/editors && npm install --no-audit --no-fund
	rm -rf build/editors/vscode && cp -r lang/editors/vscode build/editors/vscode && cp LICENSE build/editors/vscode/
	cd build/editors/vscode && npm install --no-audit --no-fund && ../node_modules/.bin/vsce package --allow-missing-repository --out ../fray.vsix

# Not part of `all` either: emscripten is large. What flex, bison and embed.sh make is taken from mode release.
.PHONY: wasm check-wasm
wasm: ## build the library as WebAssembly, build/wasm/fray.wasm (emscripten); installs what is missing first
	@sh tests/need.sh wasm
	@$(MAKE) all MODE=release
	@sh lang/web/sources.sh build/wasm
	@$(MAKE) -f lang/web/wasm.mk
check-wasm: wasm ## run the tests of tests/api on it, under node
	@$(MAKE) -f lang/web/wasm.mk tests
	@sh lang/web/check.sh build/wasm/tests

# The pages of docs/ and the playground; PLAY=0: the pages alone, without emscripten and npm.
.PHONY: site check-site
site: $(if $(filter 0,$(PLAY)),,wasm) ## make the pages and the playground, build/site; installs what is missing first
	@PLAY='$(PLAY)' sh tests/need.sh site
	@$(MAKE) all MODE=release
	@FRAY=$(abspath build/release)/fray python3 docs/site/make.py build/site
	@$(if $(filter 0,$(PLAY)),,sh lang/web/bundle.sh build/site)
check-site: ## try the pages of build/site and the playground in headless Chromium; without a network
	@sh tests/need.sh check-site
	@sh lang/web/npm.sh
	@FRAY=$(abspath build/release)/fray python3 tests/site/run build/site

# Where things go; packagers set these. docs/packaging/installed.sh lists every file.
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DOCDIR ?= $(DATADIR)/doc/fray
INSTALLED = sh docs/packaging/installed.sh $(B) $(ABI) | sed 's|@BIN@|$(BINDIR)|; s|@LIB@|$(LIBDIR)|; s|@INCLUDE@|$(INCLUDEDIR)|; s|@SHARE@|$(DATADIR)|; s|@MAN@|$(MANDIR)|; s|@DOC@|$(DOCDIR)|'

.PHONY: install
install: ## copy command, library, pages, completions and editors' files to DESTDIR/PREFIX
	@$(MAKE) install-run MODE=$(MODE)
.PHONY: install-run
install-run: all $(SHARED)
	@$(INSTALLED) | while IFS='	' read -r mode from to; do \
		mkdir -p "$(DESTDIR)$${to%/*}" && \
		{ [ "$$mode" = - ] || install -m "$$mode" "$$from" "$(DESTDIR)$$to"; } || exit 1; done
	@ln -sf libfray.so.$(ABI) '$(DESTDIR)$(LIBDIR)/libfray.so'
	@$(B)/fray completion bash > '$(DESTDIR)$(DATADIR)/bash-completion/completions/fray'
	@$(B)/fray completion zsh > '$(DESTDIR)$(DATADIR)/zsh/site-functions/_fray'
	@$(B)/fray completion fish > '$(DESTDIR)$(DATADIR)/fish/vendor_completions.d/fray.fish'
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(LIBDIR)' 'includedir=$(INCLUDEDIR)' '' \
		'Name: fray' 'Description: a language for referees of old-school fights' 'Version: $(VERSION)' \
		'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lfray' 'Libs.private: $(LIBS) -pthread' \
		> '$(DESTDIR)$(LIBDIR)/pkgconfig/fray.pc'
	@echo "installed below $(DESTDIR)$(PREFIX)"

# Folders that are empty then go too, as far as they carry Fray's name.
.PHONY: uninstall
uninstall: ## remove what install copied
	@$(INSTALLED) | while IFS='	' read -r mode from to; do \
		rm -f "$(DESTDIR)$$to"; \
		dir=$${to%/*}; \
		while case $$dir in */fray | */fray/*) true ;; *) false ;; esac; do \
			rmdir "$(DESTDIR)$$dir" 2>/dev/null || break; dir=$${dir%/*}; done; done

# ---- releases: docs/packaging/README.md ----

# The time that archives carry: of the last commit, so that two are the same bytes.
SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH
DIST := fray-$(VERSION)
PACK_TAR = tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(SOURCE_DATE_EPOCH) --format=ustar

.PHONY: dist
dist: ## the sources as build/fray-VERSION.tar.gz; twice the same bytes
	@rm -rf build/dist && mkdir -p build/dist/$(DIST)
	@{ git ls-files 2>/dev/null | grep -v '^\.ci/' || find . -path ./build -prune -o -type f -print; } | \
		tar -cf - -T - | tar -xf - -C build/dist/$(DIST)
	@$(PACK_TAR) -C build/dist -cf - $(DIST) | gzip -9n > build/$(DIST).tar.gz
	@rm -rf build/dist; echo build/$(DIST).tar.gz

# One file that needs no library of the machine.
$(B)/fray-static: $(APP_OBJ) $(LIB)
	$(call say,link,$@)
	$(Q)$(CC) -static -o $@ $^ -pthread $(LDFLAGS) $(APP_LIBS) $(if $(APP_LIBS),-ltinfo) $(LIBS) 2> $(B)/static.log || { cat $(B)/static.log; false; }

TARGET := $(shell $(CC) -dumpmachine 2>/dev/null)
.PHONY: release
release: dist ## build/release-VERSION: the sources, a static command for this machine, their sums
	@$(MAKE) build/release/fray-static MODE=release
	@rm -rf build/$(DIST)-$(TARGET) build/release-$(VERSION) && mkdir -p build/$(DIST)-$(TARGET) build/release-$(VERSION)
	@strip -o build/$(DIST)-$(TARGET)/fray build/release/fray-static
	@cp LICENSE README.md docs/NOTICE.md docs/fray.1 docs/fray.5 build/$(DIST)-$(TARGET)
	@$(PACK_TAR) -C build -cf - $(DIST)-$(TARGET) | gzip -9n > build/release-$(VERSION)/$(DIST)-$(TARGET).tar.gz
	@cp build/$(DIST).tar.gz build/release-$(VERSION)/ && rm -rf build/$(DIST)-$(TARGET)
	@cd build/release-$(VERSION) && sha256sum *.tar.gz > SHA256SUMS && ls -l

.PHONY: deb
deb: dist ## Debian packages in build/deb (needs debhelper)
	@rm -rf build/deb && mkdir -p build/deb && tar -xzf build/$(DIST).tar.gz -C build/deb
	@cp build/$(DIST).tar.gz build/deb/fray_$(VERSION).orig.tar.gz
	@cp -r docs/packaging/debian build/deb/$(DIST)/debian
	@cd build/deb/$(DIST) && dpkg-buildpackage -us -uc -b
	@ls -l build/deb/*.deb

.PHONY: clean
clean: ## remove build/
	rm -rf build

.PHONY: help
help: ## this list
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | sort | awk -F '\t' '{ printf "make %-10s %s\n", $$1, $$2 }'

-include $(LIB_OBJ:.o=.d) $(B)/stdlib/pack.d $(APP_OBJ:.o=.d) $(TESTS:=.d) $(FUZZERS:=.d)
