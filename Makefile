# Two commands matter: make run, make test. make help lists the rest.
GO ?= go
BIN := bin/trigpoint

.DEFAULT_GOAL := help
.PHONY: help run build web test faults lint bench dist image generate fuzz clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build and start the service with a demo account in ./data
	TRIGPOINT_LOG_FORMAT=$${TRIGPOINT_LOG_FORMAT:-text} $(BIN) serve --demo

build: web ## build bin/trigpoint, with the dashboard in it where Node is at hand
	CGO_ENABLED=0 $(GO) build -o $(BIN) ./cmd/trigpoint

web: ## build the dashboard when its sources have changed
	scripts/build-web

# SQLite's own code, translated from C, is not ours to look for races in: with the detector in it a test on SQLite
# takes a third more time.
UNWATCHED := -race=0 -d=checkptr=0
RACE := -race '-gcflags=modernc.org/sqlite/lib=$(UNWATCHED)' '-gcflags=modernc.org/libc=$(UNWATCHED)'

test: build ## run every test: Go's with the race detector, on SQLite and on a throwaway PostgreSQL; the browser's on the program
	TRIGPOINT_TEST_BINARY=$(CURDIR)/$(BIN) scripts/with-postgres $(GO) test $(RACE) -p 3 -timeout 20m ./...
	cd tools/clients && $(GO) test ./...
	scripts/test-web

faults: build ## kill two processes twelve times, fill the disk, take database and object store away, on both engines
	TRIGPOINT_TEST_BINARY=$(CURDIR)/$(BIN) TRIGPOINT_TEST_ROUNDS=12 scripts/with-postgres $(GO) test -count=1 -v -timeout 20m ./internal/app \
		-run 'TestKilledAgainAndAgain|TestDatabaseDownAndBack|TestDiskFull|TestObjectStoreDownAndBack|TestReplica'

lint: ## format, vet and lint
	$(GO) vet ./...
	$(GO) tool -modfile=tools/go.mod golangci-lint run
	scripts/build-web check

bench: ## measure; the figures are explained in bench/README.md
	TRIGPOINT_PG_DURABLE=on scripts/with-postgres $(GO) run ./bench $(BENCH)

dist: web ## make the archives of a release in dist/, with checksums and bills of materials
	scripts/dist

image: build ## make the container image trigpoint with buildah, from nothing but bin/trigpoint
	scripts/image

generate: ## make the client's types and the embedded catalogues anew from their sources
	scripts/generate

fuzz: ## run each fuzz target for a while (FUZZTIME=30s)
	scripts/fuzz

clean: ## remove what was built or fetched, not ./data
	rm -rf bin dist .cache web/node_modules
	find web/dist -mindepth 1 ! -name .gitkeep -delete
