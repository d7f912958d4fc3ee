# Gatehouse: everything works with Go and make alone. "make" lists the targets.

GO     ?= go
PREFIX ?= $(HOME)/.local

# Stripped and static; on Linux not position-independent either, which starts
# faster (elsewhere the linker decides). No connection uses HTTP/2, which costs 0.35 MB.
BUILD = CGO_ENABLED=0 $(GO) build -trimpath -tags nethttpomithttp2 -ldflags '-s -w $(STAMP)' $(EXE)

# What --version prints: the tag and the commit. A build without git has the version of the source, or VERSION=1.2.3.
MODULE  := $(shell $(GO) list -m)
VERSION ?= $(patsubst v%,%,$(shell git describe --tags --match 'v[0-9]*' 2>/dev/null))
COMMIT   = $(shell git describe --always --dirty=+ --abbrev=12 --exclude='*' 2>/dev/null)
STAMP    = $(if $(VERSION),-X $(MODULE)/statusline.Version=$(VERSION)) -X $(MODULE)/statusline.Commit=$(COMMIT)
ifeq ($(shell $(GO) env GOOS),linux)
EXE = -buildmode=exe
endif

# The race detector needs a C compiler. RACE= switches it off.
RACE ?= $(shell command -v "$$($(GO) env CC)" >/dev/null 2>&1 && echo -race)

# Which benchmarks to run.
BENCH ?= .

# How long each target is fuzzed.
FUZZTIME ?= 60s

# What tests drive besides Go; each skips what it cannot run.
TOOLS = bash zsh fish tmux strace setfacl setfattr sshd

# How many packages are tested at once: tests in terminals wait more than they compute.
PACKAGES = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1) + 1)))

# The tests of "make test" come after go vet.
VETTED = -vet=off

.DEFAULT_GOAL := help
.PHONY: help build run test check cross bench bench-statusline fuzz soak compare screenshots release-files install uninstall dist

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-17s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## build gatehouse and statusline into ./bin
	@mkdir -p bin
	$(BUILD) -o bin/ ./cmd/gatehouse
	$(BUILD) -o bin/ ./cmd/statusline

run: build ## open the dashboard on a live demo build
	@./bin/gatehouse demo

test: check cross ## check format, vet, staticcheck, every system; then run all tests, the pictures' among them
	@for tool in $(TOOLS); do command -v $$tool >/dev/null || echo "not here, its tests are skipped: $$tool"; done
	@test -n "$(RACE)" || echo "not used: the race detector (it needs a C compiler)"
	$(GO) test $(RACE) $(VETTED) -timeout 20m -p $(PACKAGES) ./...

# Nothing here is built with C, as what users get is not: so each package is compiled once for all of this.
check: export CGO_ENABLED = 0
check:
	@echo 'gofmt, staticcheck'
	@unformatted=$$("$$($(GO) env GOROOT)/bin/gofmt" -l .) && test -z "$$unformatted" || { echo "not formatted, run gofmt -w on:" $$unformatted; exit 1; }
	@$(GO) tool staticcheck ./...

# For other systems nothing is optimised: nobody runs it, and it compiles in two thirds of the time.
cross:
	@host=$$($(GO) env GOHOSTOS); for os in linux darwin windows; do \
		echo "go build and go vet for $$os"; export GOOS=$$os CGO_ENABLED=0; \
		if [ $$os = $$host ]; then set --; else set -- '-gcflags=all=-N -l'; fi; \
		$(GO) build -ldflags=-w "$$@" ./... && $(GO) vet "$$@" ./... || exit 1; \
	done

bench: ## run the benchmarks (BENCH=Dashboard: those of the dashboard)
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem ./model/... ./parse/... ./statusline/... ./tui/...
	$(GO) test -run '^$$' -bench '$(BENCH)' ./cmd/...

soak: ## kill commands at every call; 40,000 odd projects and 100,000 other spellings; 1,000 builds of ultraplan; 10,000 decisions over a network that breaks, 100 hosts with 1,000 builds
	GATEHOUSE_KILL_ALL=1 $(GO) test -count 1 -timeout 30m -v -run 'TestKilledOrFailingAtEveryCall$$|TestKilledAtEverySystemCall$$' ./cmd/gatehouse
	GATEHOUSE_KILLS=500 $(GO) test -count 1 -timeout 1h -run 'TestKilled' ./parse/disk/statefile
	GATEHOUSE_BUILDS=1000 $(GO) test -count 1 -timeout 2h -run 'TestRandomBuilds$$|TestCaptureLeavesTheRestAsItIs$$|AtAnyTime$$|NoFalseAlarm$$' ./parse/ultraplan/record
	GATEHOUSE_SOAK_DECISIONS=10000 GATEHOUSE_SOAK_HOSTS=100 $(GO) test -count 1 -timeout 2h -v ./cmd/gatehouse/remote
	GATEHOUSE_AGREE=10000 $(GO) test -count 1 -timeout 1h -run 'TestLineAndDashboard(Agree|BothDenyCompletion)$$' ./parse
	GATEHOUSE_AGREE=1000 $(GO) test -count 1 -timeout 1h -run 'TestRespelled|TestMutatedFormats$$' ./parse

fuzz: ## fuzz every target in turn (FUZZTIME=60s each)
	@for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep ^Fuzz); do \
			echo "$$target of $$package" && $(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

bench-statusline: ## compare statusline with an empty Go program, in turns
	$(GO) test -run '^$$' -bench Start -benchtime 1000x ./cmd/statusline

compare: build ## compare the answers of two builds (OLD=directory of the other binaries; ONLY=loop RANDOM=300 SEED=1 LIMIT=5m TEXT=1)
	$(GO) run ./.ci/compare $(if $(ONLY),-only $(ONLY)) $(if $(RANDOM),-random $(RANDOM)) $(if $(SEED),-seed $(SEED)) $(if $(LIMIT),-limit $(LIMIT)) $(if $(TEXT),-text) $(OLD) $(CURDIR)/bin

screenshots: ## draw the pictures of the documentation
	$(GO) run ./screenshots

# Manual pages and completions, as a release and an installation have them.
release-files: build
	@rm -rf .release && mkdir -p .release/man/man1 .release/man/man5 .release/completions/bash .release/completions/zsh .release/completions/fish
	@SOURCE_DATE_EPOCH=$(SOURCE_DATE_EPOCH) bin/gatehouse man .release/man/man1
	@mv .release/man/man1/*.5 .release/man/man5/
	@bin/gatehouse completion zsh >.release/completions/zsh/_gatehouse
	@for program in gatehouse statusline; do \
		bin/gatehouse completion bash >.release/completions/bash/$$program && \
		bin/gatehouse completion fish >.release/completions/fish/$$program.fish || exit 1; \
	done

# Where an installation has its files.
SHARE = $(DESTDIR)$(PREFIX)/share

install: release-files ## install both programs, manual pages, completions and the service below PREFIX (default ~/.local)
	@mkdir -p "$(DESTDIR)$(PREFIX)/bin" "$(SHARE)/man" "$(SHARE)/bash-completion/completions" "$(SHARE)/zsh/site-functions" \
		"$(SHARE)/fish/vendor_completions.d" "$(SHARE)/systemd/user"
	install -m 755 bin/gatehouse bin/statusline "$(DESTDIR)$(PREFIX)/bin/"
	cp -R .release/man/. "$(SHARE)/man/"
	cp .release/completions/bash/* "$(SHARE)/bash-completion/completions/"
	cp .release/completions/zsh/* "$(SHARE)/zsh/site-functions/"
	cp .release/completions/fish/* "$(SHARE)/fish/vendor_completions.d/"
	sed 's|/usr/bin/|$(PREFIX)/bin/|' cmd/gatehouse/packaging/gatehouse-join.service >"$(SHARE)/systemd/user/gatehouse-join.service"

uninstall: ## remove what "make install" with the same PREFIX has installed
	rm -f "$(DESTDIR)$(PREFIX)/bin/gatehouse" "$(DESTDIR)$(PREFIX)/bin/statusline" "$(SHARE)/man/man5/gatehouse.yaml.5" \
		"$(SHARE)/bash-completion/completions/gatehouse" "$(SHARE)/bash-completion/completions/statusline" "$(SHARE)/zsh/site-functions/_gatehouse" \
		"$(SHARE)/fish/vendor_completions.d/gatehouse.fish" "$(SHARE)/fish/vendor_completions.d/statusline.fish" \
		"$(SHARE)/systemd/user/gatehouse-join.service" "$(SHARE)/man/man1/gatehouse.1" "$(SHARE)/man/man1/statusline.1"
	rm -f "$(SHARE)/man/man1"/gatehouse-*.1 "$(SHARE)/man/man1"/statusline-*.1

dist: ## make what a release consists of into ./dist: archives, packages, checksums (needs goreleaser)
	goreleaser release --snapshot --clean --skip=publish$(if $(shell command -v syft),,$(COMMA)sbom)
COMMA = ,
