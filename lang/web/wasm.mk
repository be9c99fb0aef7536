# wasm.mk - the library as WebAssembly, with emscripten: `make wasm` calls it, in build/wasm.
#
#   fray.js fray.wasm    the library, the language server and the entry points of web.c
#   tests/test_*.js      the tests of tests/api, for node
#
# The scanner, the parser and the texts of the library are taken from the release build: they are C
# for every machine.
MAKEFLAGS += --no-print-directory --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:

W := build/wasm
GEN := build/release/gen
# acorn, which emscripten's own scripts load: Debian's, or the one from npm
export NODE_PATH := $(abspath build/npm/node_modules):/usr/share/nodejs

Q := $(if $(filter 1,$(V)),,@)
say = $(if $(Q),@printf '%-5s %s\n' $(1) $(2))

WARN := -Wall -Wextra -Wshadow -Wpointer-arith -Wwrite-strings -Wstrict-prototypes -Wmissing-prototypes \
	-Wno-unknown-warning-option -Wno-missing-field-initializers -Wno-sign-compare
# _UINTPTR_T_DEFINED: cmocka would define the type once more.
WFLAGS := -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -DNDEBUG -I. -I$(GEN) -I$(W)/include -DFRAY_READLINE=0 -DR123_USE_GNU_UINT128=1 -D_UINTPTR_T_DEFINED
# One thread: shared memory needs headers that a folder of static files cannot send. Workers take
# shares of a sample instead (fray_share).
LINK := -O2 -sALLOW_MEMORY_GROWTH=1 -sTOTAL_STACK=8388608 -sMAXIMUM_MEMORY=2147483648

LIB_SRC := $(sort $(wildcard runtime/*/*.c) $(filter-out lang/app/% lang/web/%,$(wildcard lang/*/*.c)))
GEN_SRC := $(GEN)/lang/front/gram.c $(GEN)/lang/front/scan.c $(GEN)/stdlib.c lang/web/image.c
# The language server, but for its wire: messages go through web.c.
APP_SRC := $(filter-out lang/app/lsp_wire.c,$(sort $(wildcard lang/app/lsp_*.c))) lang/app/files.c lang/app/whole.c lang/app/shown.c lang/app/host.c lang/web/web.c
JANSSON := $(addprefix $(W)/src/jansson/src/,dump.c error.c hashtable.c hashtable_seed.c load.c memory.c pack_unpack.c strbuffer.c strconv.c utf.c value.c version.c)

obj = $(patsubst %.c,$(W)/obj/%.o,$(1))
LIB_OBJ := $(call obj,$(LIB_SRC) $(GEN_SRC))
APP_OBJ := $(call obj,$(APP_SRC))
JANSSON_OBJ := $(JANSSON:.c=.o)
CMOCKA_OBJ := $(W)/src/cmocka/src/cmocka.o
TESTS := $(patsubst tests/api/%.c,$(W)/tests/%.js,$(sort $(wildcard tests/api/test_*.c)))

.PHONY: all tests
all: $(W)/fray.js
tests: $(TESTS)

$(W)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,emcc,$<)
	$(Q)emcc $(if $(filter build/%,$<),-w,$(WARN)) $(WFLAGS) -MMD -MP -c -o $@ $<
$(JANSSON_OBJ): %.o: %.c
	$(Q)emcc -w -O2 -I$(@D) -DHAVE_STDINT_H -DHAVE_STRTOLL -DHAVE_UNISTD_H -DHAVE_SYS_TYPES_H -DHAVE_SYS_TIME_H -DHAVE_FCNTL_H -DHAVE_OPEN -DHAVE_READ -DHAVE_CLOSE -DHAVE_GETTIMEOFDAY -DUSE_URANDOM=0 -c -o $@ $<
$(CMOCKA_OBJ): %.o: %.c
	$(Q)emcc -w -O2 -D_GNU_SOURCE -D_UINTPTR_T_DEFINED -I$(W)/src/cmocka/include -DHAVE_SETJMP_H -DHAVE_STDLIB_H -DHAVE_STRING_H -DHAVE_STDIO_H -DHAVE_STDINT_H -DHAVE_INTTYPES_H -DHAVE_SIGNAL_H -DHAVE_STRUCT_TIMESPEC -DHAVE_CLOCK_GETTIME -DHAVE_SNPRINTF -DHAVE_VSNPRINTF -DHAVE_STRSIGNAL -DHAVE_TIME_H -c -o $@ $<

$(W)/libfray.a: $(LIB_OBJ) $(JANSSON_OBJ)
	@rm -f $@
	$(call say,emar,$@)
	$(Q)emar rcs $@ $^

# The names that JavaScript calls are those of web.c.
$(W)/fray.js: $(APP_OBJ) $(W)/libfray.a lang/web/library.js lang/web/wasm.mk
	$(call say,link,$@)
	$(Q)emcc $(LINK) -sMODULARIZE=1 -sEXPORT_NAME=FrayModule -sENVIRONMENT=web,worker,node --no-entry --js-library lang/web/library.js \
		-sEXPORTED_RUNTIME_METHODS=ccall,UTF8ToString,stringToUTF8,lengthBytesUTF8 \
		-sEXPORTED_FUNCTIONS=_malloc,_free,$$(sed -n 's/^WEB .*\(web_[a-z_]*\)(.*;/_\1/p' lang/web/web.c | sort -u | paste -sd,) \
		-o $@ $(APP_OBJ) $(W)/libfray.a

$(W)/tests/%.js: $(W)/obj/tests/api/%.o $(W)/libfray.a $(CMOCKA_OBJ)
	@mkdir -p $(@D)
	$(call say,link,$@)
	$(Q)emcc $(LINK) -O1 -sENVIRONMENT=node -sNODERAWFS=1 -sEXIT_RUNTIME=1 -o $@ $^
.SECONDARY:

-include $(LIB_OBJ:.o=.d) $(APP_OBJ:.o=.d)
