# bursar: one file, no configure step. `make help` explains every target.

FLAVOUR ?= release
BUILD   ?= build
prefix  ?= /usr/local
DESTDIR ?=
VERSION := 0.1.0

OUT := $(BUILD)/$(FLAVOUR)

# Layers, lowest first, and what each may include (src/README.md, Layers): the lint check and the linking read this table.
LAYERS := base model query config wire net store team index work api app ui panes cli run sandbox
uses_base    :=
uses_model   := base
uses_query   := base model
uses_config  := base model
uses_wire    := base model
uses_net     := base model
uses_store   := base model
uses_team    := base model query
uses_index   := base model query
uses_work    := base
uses_api     := base model wire config
uses_app     := base model query config api
uses_ui      := base
uses_panes   := base model query app ui
uses_cli     := base model query config wire index app ui
uses_run     := base model query config wire net store team index work api app ui panes cli
uses_sandbox := base model wire net

# What a folder of panes may include of another: the console's services, and what the list offers to what stands over
# it. The lint check reads this, and that no folder comes to include itself by way of others.
folder_headers := panes/shell/pane.h panes/shell/console.h panes/shell/ask.h panes/shell/detail.h panes/shell/menu.h \
  panes/shell/moves.h panes/shell/path_field.h panes/shell/reader.h panes/shell/review.h panes/shell/signs.h panes/intents/list.h

# Third-party libraries, each at home in one layer: what pkg-config says of them.
library = $(shell pkg-config --libs $(1) 2>/dev/null)
# libcurl and libpq are loaded at their first use (src/base/curl.c, src/team/pq.c).
libs_base    := $(call library,libutf8proc libsodium) -ldl -lpthread
libs_config  := $(call library,libconfuse)
libs_wire    := $(call library,jansson)
libs_store   := $(call library,sqlite3 libzstd)
libs_team    := $(call library,libzstd)
libs_ui      := $(call library,ncursesw)
libs_work    := -lpthread
libs_sandbox := $(call library,libmicrohttpd sqlite3 zlib gnutls)
libs_tests   := $(call library,cmocka vterm) -lutil
include_folders := $(shell pkg-config --cflags-only-I libutf8proc libsodium libcurl libconfuse jansson sqlite3 libzstd ncursesw \
  libpq libmicrohttpd zlib gnutls cmocka vterm 2>/dev/null)

reverse = $(if $(1),$(call reverse,$(wordlist 2,$(words $(1)),$(1))) $(firstword $(1)))
closure = $(sort $(1) $(foreach l,$(1),$(uses_$(l)) $(foreach m,$(uses_$(l)),$(uses_$(m)) $(foreach n,$(uses_$(m)),$(uses_$(n)) $(foreach o,$(uses_$(n)),$(uses_$(o)))))))
ordered = $(call reverse,$(filter $(call closure,$(1)),$(LAYERS)))
archives = $(foreach l,$(call ordered,$(1)),$(OUT)/lib/$(l).a)
libs = $(foreach l,$(call ordered,$(1)),$(libs_$(l)))

# V=1 shows the commands.
V ?= 0
Q := $(if $(filter 1,$(V)),,@)
WARN := -Wall -Wextra -Wconversion -Wshadow -Wformat=2 -Wstrict-prototypes -Wvla $(if $(CI),-Werror)
flags_release := -O2 -D_FORTIFY_SOURCE=2
# With the counts of coverage: one run of the tests serves both. What is undefined ends the program, and AddressSanitizer
# says at which line (handle_sigill in tests/run.sh): texts of its own for each check would be four of ten megabytes that
# every start looks through for leaks.
flags_asan    := -O1 -DBURSAR_INVARIANTS -fsanitize=address,undefined -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer --coverage
flags_tsan    := -O2 -DBURSAR_INVARIANTS -fsanitize=thread -fno-omit-frame-pointer
flags_fuzz    := -O1 -DBURSAR_INVARIANTS -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
flags_debug   := -O0 -DBURSAR_INVARIANTS
# Reports of the sanitizers need lines, not variables, and nobody looks at variables in CI. Their tests, half of the
# files, need no optimising, and were warned of in the release build, which optimises them as far as warnings need it.
debug_info := $(if $(filter asan tsan fuzz,$(FLAVOUR))$(CI),-g1,-g)
test_cflags = $(if $(filter asan tsan,$(FLAVOUR)),-O0 -w,$(if $(filter release,$(FLAVOUR)),$(if $(filter $(OUT)/obj/tests/bench/%,$@),,-g1 -O1)))
# clang's ThreadSanitizer takes half the time of gcc's.
CC ?= cc
CLANG ?= clang
compiler := $(if $(filter tsan fuzz,$(FLAVOUR)),$(CLANG),$(CC))
CFLAGS ?=
ALL_CFLAGS := -std=c17 $(debug_info) -D_GNU_SOURCE -DNCURSES_WIDECHAR=1 -DBURSAR_VERSION='"$(VERSION)"' \
  -DBURSAR_THEMES='"$(prefix)/share/bursar/themes"' -fstack-protector-strong \
  -fPIE $(WARN) $(flags_$(FLAVOUR)) -Iinclude -Isrc $(include_folders) $(CFLAGS)
# AddressSanitizer's table of what is where would be moved at each of thousands of starts.
position := $(if $(filter asan,$(FLAVOUR)),-no-pie,-pie)
# The linker of LLVM takes half the time for the many programs of the tests; what is installed has the usual one.
fast_linker := $(if $(shell command -v ld.lld 2>/dev/null),-fuse-ld=lld)
ALL_LDFLAGS := $(position) $(filter -fsanitize% --coverage,$(flags_$(FLAVOUR))) $(if $(filter release,$(FLAVOUR)),,$(fast_linker)) $(LDFLAGS)

sources = $(filter-out src/store/dictionary/%,$(wildcard src/$(1)/*.c src/$(1)/*/*.c))
objects = $(patsubst src/%.c,$(OUT)/obj/%.o,$(call sources,$(1)))

.PHONY: all help deps demo demo-webhook demo-team test lint asan tsan coverage contract fuzz bench bench-small bench-index bench-team clean install uninstall golden
.SUFFIXES:

all: $(if $(filter release,$(FLAVOUR)),$(BUILD)/bursar $(BUILD)/bursar-sandbox,$(OUT)/bursar $(OUT)/bursar-sandbox) ## build build/bursar and build/bursar-sandbox

$(BUILD)/bursar: $(OUT)/bursar
	@ln -f $< $@
$(BUILD)/bursar-sandbox: $(OUT)/bursar-sandbox
	@ln -f $< $@

# The program of the build with counts of coverage adds them to one file: tests start it thousands of times.
counts_file := $(abspath $(BUILD))/asan/counts
one_file = $(if $(filter asan,$(FLAVOUR)),$(OUT)/obj/tests/counts/one_file.o)
wraps := -Wl,--wrap=__gcov_init,--wrap=__gcov_exit,--wrap=__asan_register_globals,--wrap=__asan_unregister_globals
$(OUT)/obj/tests/counts/one_file.o: tests/counts/one_file.c Makefile
	@mkdir -p $(@D)
	$(Q)$(compiler) -std=c17 -D_GNU_SOURCE -O1 -g1 $(WARN) -DCOUNTS_FILE='"$(counts_file)"' -c $< -o $@
$(OUT)/bursar: $(call archives,run) $(one_file)
	@$(if $(Q),echo '  LD $@')
	$(Q)$(compiler) $(ALL_LDFLAGS) $(if $(one_file),$(wraps)) -o $@ -Wl,--start-group $^ -Wl,--end-group $(call libs,run)
$(OUT)/bursar-sandbox: $(call archives,sandbox)
	@$(if $(Q),echo '  LD $@')
	$(Q)$(compiler) $(ALL_LDFLAGS) -o $@ -Wl,--start-group $^ -Wl,--end-group $(call libs,sandbox)

# Nobody counts the lines of these.
uncounted = $(if $(filter $(OUT)/obj/sandbox/% $(OUT)/obj/tests/%,$@),--coverage)

$(OUT)/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	@$(if $(Q),echo '  CC $<')
	$(Q)$(compiler) $(filter-out $(uncounted),$(ALL_CFLAGS)) -MMD -MP -c $< -o $@

# Their text is taken in by the assembler.
$(OUT)/obj/ui/builtin.o: $(wildcard themes/*.theme)
$(OUT)/obj/config/reasons.o: src/config/reasons.sample
$(OUT)/obj/config/own_actions.o: src/config/actions.sample

define layer_rule
$(OUT)/lib/$(1).a: $(call objects,$(1))
	@mkdir -p $$(@D)
	@rm -f $$@
	@ar qcs $$@ $$^
endef
$(foreach l,$(LAYERS),$(eval $(call layer_rule,$(l))))

# Tests: one executable a file. unit/<layer>_<module>.c is linked with its layer and what that may include, so that a
# layer cannot lean on one above it unseen.
support_objects := $(patsubst tests/support/%.c,$(OUT)/obj/tests/support/%.o,$(wildcard tests/support/*.c))
$(OUT)/lib/support.a: $(support_objects)
	@mkdir -p $(@D)
	@rm -f $@
	@ar rcs $@ $^
$(OUT)/obj/tests/%.o: tests/%.c Makefile
	@mkdir -p $(@D)
	@$(if $(Q),echo '  CC $<')
	$(Q)$(compiler) $(filter-out $(uncounted),$(ALL_CFLAGS)) $(test_cflags) -Itests -MMD -MP -c $< -o $@

test_binary = $(patsubst tests/%.c,$(OUT)/tests/%,$(1))
unit_tests := $(wildcard tests/unit/*.c)
define unit_rule
$(call test_binary,$(1)): $(OUT)/obj/$(basename $(1)).o $(OUT)/lib/support.a $(call archives,$(2))
	@mkdir -p $$(@D)
	$(Q)$(compiler) $(ALL_LDFLAGS) $(fast_linker) -o $$@ -Wl,--start-group $$(filter %.o %.a,$$^) -Wl,--end-group $(libs_tests) $(call libs,$(2)) $(libs_base)
endef
# team_intents.c has rows and filters of the index's tests, team_sqlite.c the library of store.
$(foreach t,$(unit_tests),$(eval $(call unit_rule,$(t),$(firstword $(subst _, ,$(notdir $(basename $(t)))))$(if $(filter %/team_intents.c,$(t)), index)$(if $(filter %/team_sqlite.c,$(t)), store))))
$(foreach t,$(wildcard tests/flow/*.c),$(eval $(call unit_rule,$(t),app)))
$(foreach t,$(wildcard tests/screen/*.c),$(eval $(call unit_rule,$(t),panes)))
$(foreach t,$(wildcard tests/contract/*.c),$(eval $(call unit_rule,$(t),base)))

# Programs that drive others from outside. A sanitizer would see nothing of those others in them and cost much: the ones
# of the release build drive the programs of each flavour.
drivers := $(wildcard tests/cli/*.c tests/pty/*.c)
.PHONY: driver-programs
driver-programs: $(call test_binary,$(drivers))
ifneq ($(filter asan tsan,$(FLAVOUR)),)
.PHONY: release-drivers
release-drivers:
	@+$(MAKE) --no-print-directory FLAVOUR=release driver-programs
$(call test_binary,$(drivers)): release-drivers
	@mkdir -p $(@D)
	@ln -f $(@:$(OUT)/%=$(BUILD)/release/%) $@
else
# f26_cache_damages.c damages tables too, those of `counted` count in SQL, with the library of store.
counted = %/f26_cache_damages.c %/match_many.c %/spreadsheets.c %/stats_many.c
$(foreach t,$(wildcard tests/cli/*.c),$(eval $(call unit_rule,$(t),$(if $(filter $(counted),$(t)),store,$(if $(filter %/intents_stats.c %/customer.c %/desk.c %/own_actions.c %/webhook_listen.c,$(t)),wire,base)))))
# terminals.c reads the descriptions of terminals, with the library of ui; marks_panes.c unpacks rows of the cache.
library_of = $(if $(filter %/terminals.c,$(1)),ui,$(if $(filter %/marks_panes.c,$(1)),store,wire))
$(foreach t,$(wildcard tests/pty/*.c),$(eval $(call unit_rule,$(t),$(call library_of,$(t)))))
endif

# Libraries preloaded into a program under test.
preloads := $(patsubst tests/preload/%.c,$(OUT)/preload/%.so,$(wildcard tests/preload/*.c))
$(OUT)/preload/%.so: tests/preload/%.c
	@mkdir -p $(@D)
	$(Q)$(compiler) -std=c17 -D_GNU_SOURCE -O2 -fPIC -shared $(WARN) -o $@ $<

# What takes longest begins first, so that no processor waits for it at the end.
longest := tests/pty/hostile.c tests/cli/json_suite.c
fast_sources := $(longest) $(filter-out $(longest),$(wildcard tests/pty/*.c tests/cli/*.c) $(unit_tests) $(wildcard tests/flow/*.c tests/screen/*.c))
fast_tests := $(call test_binary,$(fast_sources))
.PHONY: tests
tests: all $(fast_tests) $(preloads)
test: deps ## build and run every fast test (unit, flow, screen, cli, pty)
	@$(MAKE) --no-print-directory -j$(shell nproc) tests
	@tests/run.sh $(OUT) $(fast_tests)

deps: ## install what is missing to build and test (Debian: apt; elsewhere it names the packages)
	@.ci/deps build

demo: deps ## build and browse a local sandbox, no account needed
	@$(MAKE) --no-print-directory -s -j$(shell nproc) all
	@$(BUILD)/bursar --demo

demo-webhook: deps ## a webhook's whole round on this machine: register, event, verify
	@$(MAKE) --no-print-directory -s -j$(shell nproc) all
	@tests/demo-webhook.sh $(BUILD)

demo-team: deps ## two desks of a team on a PostgreSQL of their own, side by side in tmux; nothing is kept
	@$(MAKE) --no-print-directory -s -j$(shell nproc) all
	@tests/demo-team.sh $(BUILD)

# How far the analyzer follows the ways through one function; its own limit, 225000, is for a run now and then.
ANALYZER_NODES ?= 75000
lint: ## format, compiler warnings of clang, clang-tidy, cppcheck, layers, sizes
	@.ci/deps build lint
	@tests/lint/layers.sh
	@tests/lint/sizes.sh
	@tests/lint/output.sh
	@tests/lint/letters.sh
	@tests/lint/linux.sh
	@tests/lint/sql.sh
	@tests/lint/names.sh
	@tests/lint/references.sh
	@clang-format --dry-run -Werror $$(find src include tests -name '*.[ch]')
	@find src -name '*.c' | xargs -P2 -n4 sh -c 'clang-tidy --quiet "$$@" -- -Xclang -analyzer-config -Xclang max-nodes=$(ANALYZER_NODES) $(subst ','"'"',$(filter-out -Werror -fPIE,$(ALL_CFLAGS))) 2>/dev/null' tidy
	@cppcheck -q --std=c11 --error-exitcode=1 --enable=warning,performance,portability --inline-suppr -Iinclude -Isrc \
	  -j2 --suppress=missingIncludeSystem --suppress=normalCheckLevelMaxBranches -D__linux__ -DBURSAR_VERSION='""' -DBURSAR_THEMES='""' src
	@echo "lint: clean"

.PHONY: print-layers
print-layers:
	@$(foreach l,$(LAYERS),echo $(l) $(uses_$(l));)
	@$(foreach h,$(folder_headers),echo folder $(h);)

golden: tests ## rewrite the golden screens; read the diff like code
	@GOLDEN_WRITE=1 tests/run.sh $(OUT) $(call test_binary,$(wildcard tests/screen/*.c) tests/pty/themes.c tests/pty/script.c)

install: all ## install to $(prefix) (default /usr/local), under $(DESTDIR)
	install -d $(DESTDIR)$(prefix)/bin $(DESTDIR)$(prefix)/share/bursar/themes $(DESTDIR)$(prefix)/share/man/man1 $(DESTDIR)$(prefix)/share/man/man5
	install -m 755 $(BUILD)/bursar $(BUILD)/bursar-sandbox $(DESTDIR)$(prefix)/bin
	install -m 644 themes/*.theme $(DESTDIR)$(prefix)/share/bursar/themes
	install -m 644 src/config/*.sample $(DESTDIR)$(prefix)/share/bursar
	install -m 644 src/cli/*.1 $(DESTDIR)$(prefix)/share/man/man1
	install -m 644 src/cli/*.5 $(DESTDIR)$(prefix)/share/man/man5
	install -d $(DESTDIR)$(prefix)/share/bash-completion/completions $(DESTDIR)$(prefix)/share/zsh/site-functions $(DESTDIR)$(prefix)/share/fish/vendor_completions.d
	$(BUILD)/bursar completion bash >$(DESTDIR)$(prefix)/share/bash-completion/completions/bursar
	$(BUILD)/bursar completion zsh >$(DESTDIR)$(prefix)/share/zsh/site-functions/_bursar
	$(BUILD)/bursar completion fish >$(DESTDIR)$(prefix)/share/fish/vendor_completions.d/bursar.fish

uninstall: ## remove what install put there
	rm -f $(DESTDIR)$(prefix)/bin/bursar $(DESTDIR)$(prefix)/bin/bursar-sandbox
	rm -rf $(DESTDIR)$(prefix)/share/bursar
	rm -f $(DESTDIR)$(prefix)/share/bash-completion/completions/bursar $(DESTDIR)$(prefix)/share/zsh/site-functions/_bursar
	rm -f $(DESTDIR)$(prefix)/share/fish/vendor_completions.d/bursar.fish
	rm -f $(DESTDIR)$(prefix)/share/man/man1/bursar*.1 $(DESTDIR)$(prefix)/share/man/man5/bursar*.5

# Seconds that one program may take in a slow build, and more of them side by side: they keep no time.
patient = TEST_TIMEOUT=900 TEST_JOBS=$${TEST_JOBS:-$$(($$(nproc) + 2))}
.PHONY: asan-programs tsan-programs
asan-programs: deps
	@$(MAKE) --no-print-directory -j$(shell nproc) FLAVOUR=asan tests
asan: asan-programs ## every fast test again under AddressSanitizer and UndefinedBehaviorSanitizer; what they reach of src
	@find $(BUILD)/asan/obj -name '*.gcda' -delete
	@BURSAR_COUNTS=begin $(BUILD)/asan/bursar --version >/dev/null
	@$(patient) tests/run.sh $(BUILD)/asan $(patsubst $(OUT)/%,$(BUILD)/asan/%,$(fast_tests))
	@$(MAKE) --no-print-directory coverage

# What has threads in it or starts some, or runs a program that has; but not the count of wake-ups: the sanitizer has a
# thread of its own that wakes ten times a second. Nor what tries many texts, filters, services, terminals or damages on
# ways that other programs of this list take too: what is read does not change which threads read it.
one_way := $(patsubst %,tests/cli/%.c,desk f26_cache_damages handover intents_dates intents_filter json_suite markers \
  team_faults team_late team_views tolerance) \
  $(patsubst %,tests/pty/%.c,filters hostile marker naughty people scripts terminals themes)
# Nor webhook_listen: ThreadSanitizer holds back a signal that comes outside of a call that waits until the next one that it
# knows, and a listener that got SIGTERM there ends never (one of 80 starts). Its threads are those of unit/net_receiver.
threaded := $(filter-out tests/pty/idle.c tests/cli/webhook_listen.c $(one_way),$(filter \
  $(foreach l,net work sandbox run cli pty,tests/$(l)/% tests/unit/$(l)_%) $(shell grep -l pthread_create $(unit_tests)),$(fast_sources)))
.PHONY: threaded-tests
threaded-tests: all $(call test_binary,$(threaded)) $(preloads)
tsan-programs: deps
	@.ci/deps build lint
	@$(MAKE) --no-print-directory -j$(shell nproc) FLAVOUR=tsan threaded-tests
tsan: tsan-programs ## the tests of everything with threads under ThreadSanitizer
	@$(patient) tests/run.sh $(BUILD)/tsan $(patsubst tests/%.c,$(BUILD)/tsan/tests/%,$(threaded))

coverage: ## lines of src (sandbox aside) that the last `make asan` reached; fails under 85 %
	@tests/coverage.sh $(BUILD)/asan 85

# The mock and validator of the contract tests; needed only where the interface document is.
mock := $(BUILD)/contract/node_modules/.package-lock.json
$(mock): tests/contract/package.json tests/contract/package-lock.json
	@mkdir -p $(BUILD)/contract
	@cp $^ $(BUILD)/contract
	$(Q)cd $(BUILD)/contract && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error

contract_tests := $(call test_binary,$(wildcard tests/contract/*.c))
.PHONY: contract-tests
contract-tests: all $(contract_tests) $(if $(BURSAR_SPEC),$(mock))
contract: deps ## against a mock and validator of the interface document, and nginx; needs BURSAR_SPEC
	@.ci/deps build contract
	@$(MAKE) --no-print-directory -j$(shell nproc) contract-tests
	@BURSAR_MOCK=$(abspath $(BUILD))/contract/node_modules/@stoplight/prism-cli/dist/index.js \
	  tests/run.sh $(OUT) $(contract_tests)

# Figures: the console beside the plainest list, in one run.
$(OUT)/tests/bench/list: $(OUT)/obj/tests/bench/list.o
	@mkdir -p $(@D)
	$(Q)$(compiler) $(ALL_LDFLAGS) -o $@ $^ $(libs_ui)
$(eval $(call unit_rule,tests/bench/console.c,base))
bench-small: deps ## times and ratios at 100,000 cached rows: start, filter, sort, cursor, page; fails beyond a ratio
	@$(MAKE) --no-print-directory -s -j$(shell nproc) all $(OUT)/tests/bench/list $(OUT)/tests/bench/console
	@BURSAR_OUT=$(abspath $(OUT)) LC_ALL=C.UTF-8 TZ=UTC $(OUT)/tests/bench/console
# The same beside the programs that people use in its place; the rest of the goals with it.
$(OUT)/tests/bench/%: $(OUT)/obj/tests/bench/%.o
	@mkdir -p $(@D)
	$(Q)$(compiler) $(ALL_LDFLAGS) -o $@ $^ $(libs_wire)
bench_programs := $(patsubst %,$(OUT)/tests/bench/%,console index jansson list timed)
BENCH_ROWS ?= 100000
# Of a program of the sandbox's seed that fills the store by COPY.
$(eval $(call unit_rule,tests/bench/team.c,team wire sandbox))
TEAM_ROWS ?= 10000000
bench-team: deps ## a team's store of TEAM_ROWS intents on a PostgreSQL of its own: filters, totals and plans with their times
	@$(MAKE) --no-print-directory -s -j$(shell nproc) all $(OUT)/tests/bench/team
	@TEAM_ROWS=$(TEAM_ROWS) LC_ALL=C.UTF-8 TZ=UTC tests/bench/team.sh $(OUT)

bench: deps ## bursar beside sqlite3, jq, ripgrep and others over BENCH_ROWS intents, then bench-small and bench-index
	@$(MAKE) --no-print-directory -s -j$(shell nproc) all $(bench_programs)
	@BENCH_ROWS=$(BENCH_ROWS) LC_ALL=C.UTF-8 TZ=UTC tests/bench/peers.sh $(OUT)
	@echo; BURSAR_OUT=$(abspath $(OUT)) LC_ALL=C.UTF-8 TZ=UTC $(OUT)/tests/bench/console || true
	@echo; $(OUT)/tests/bench/index $(INDEX_ROWS)
$(eval $(call unit_rule,tests/bench/index.c,index))
INDEX_ROWS ?= 1000000
bench-index: deps ## times of filters, sorts, sums and searches over INDEX_ROWS rows in memory
	@$(MAKE) --no-print-directory -s -j$(shell nproc) $(OUT)/tests/bench/index
	@$(OUT)/tests/bench/index $(INDEX_ROWS)

# Fuzz targets: clang's, one executable a file, linked with all that takes text from outside.
FUZZ_SECONDS ?= 60
fuzz_layers = $(if $(filter sandbox_%,$(1)),sandbox,app ui)
define fuzz_rule
$(OUT)/targets/$(1): $(OUT)/obj/tests/fuzz/$(1).o $(call archives,$(call fuzz_layers,$(1)))
	@mkdir -p $$(@D)
	$(Q)$(compiler) $(ALL_LDFLAGS) $(fast_linker) -fsanitize=fuzzer -o $$@ -Wl,--start-group $$^ -Wl,--end-group $(call libs,$(call fuzz_layers,$(1)))
endef
fuzz_targets := $(basename $(notdir $(wildcard tests/fuzz/*.c)))
$(foreach t,$(fuzz_targets),$(eval $(call fuzz_rule,$(t))))
.PHONY: fuzz-targets
fuzz-targets: $(fuzz_targets:%=$(OUT)/targets/%)
fuzz: deps ## every fuzz target for FUZZ_SECONDS (60) of processor time, two at a time; findings stay in build/fuzz/findings
	@.ci/deps build lint
	@$(MAKE) --no-print-directory -j$(shell nproc) FLAVOUR=fuzz fuzz-targets
	@tests/fuzz/run.sh $(BUILD)/fuzz $(FUZZ_SECONDS) $(fuzz_targets)

clean: ## remove everything built
	rm -rf $(BUILD)

help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

-include $(shell find $(OUT)/obj -name '*.d' 2>/dev/null)
