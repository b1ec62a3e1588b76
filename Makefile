# The commands of this repository. `make run` and `make test` are all that a newcomer needs.

.PHONY: run build test statement-lint fuzz-api client-tests frontend-tests browser-tests shared-tests chaos drills mutants check docs licenses sbom bench load

# A registry that fails once is asked again, and not for what npm has in its cache.
export npm_config_fetch_retries := 5
export npm_config_prefer_offline := true
# Where scripts/setup.sh puts a Node.js when the system's is missing or too old.
export PATH := $(CURDIR)/.tools/node/node_modules/.bin:$(PATH)
# The example spaces and test vectors beside the repository; empty in a plain clone.
SHARED := $(abspath $(wildcard ../shared/spaces))
# Where the tests write down which statements they have prepared.
STATEMENTS := $(CURDIR)/target/statements

# Installs what is missing, builds, starts. Configuration: docs/configuration.md.
run: build
	exec target/release/lectern

# target/release/lectern
build:
	scripts/setup.sh run
	cargo build --release --locked --bin lectern

# Every test: unit, property and integration tests, real clients, and what needs ../shared where that is there.
test:
	scripts/setup.sh test
	rm -rf $(STATEMENTS)
	LECTERN_STATEMENTS=$(STATEMENTS) cargo test --workspace --locked
	$(MAKE) statement-lint
	$(MAKE) client-tests
	$(MAKE) browser-tests
	$(MAKE) fuzz-api EXAMPLES=3
ifeq ($(SHARED),)
	@echo "make test: there is no ../shared beside this clone, so the tests of its example spaces and vectors are left out"
else
	$(MAKE) shared-tests
endif

# The statements that the tests have prepared, held against the rules of tests/it/distribution. They are collected by a whole run of `make test`.
statement-lint:
	LECTERN_STATEMENTS=$(STATEMENTS) cargo test --workspace --locked --test it -- --ignored distribution::statements

# Storyblok's JavaScript clients, sites made with its SDKs, relying parties in JavaScript and Python, and a browser against the binary that `cargo test` has built already.
client-tests:
	cargo build --locked --bins -p lectern -p lectern-vendor-stand-in
	cd tests/clients && npm ci --no-audit --no-fund --silent && npm test
	$(MAKE) frontend-tests
	.tools/python/bin/python -W error::ResourceWarning -m unittest discover -s tests/relying-party
	.tools/python/bin/python -m unittest discover -s tests/api

# Requests that schemathesis makes up from the description of the API, with real tokens and sessions: tests/api. EXAMPLES=2000 tries harder, ONLY=createStory one operation.
fuzz-api:
	scripts/setup.sh test
	cargo build --locked --bins -p lectern -p lectern-vendor-stand-in
	scripts/fuzz_api.sh $(or $(EXAMPLES),200) $(or $(SEED),1) $(ONLY)

# Sites made with Storyblok's SDKs. Not `npm ci`: it wants the optional packages of every platform in the lock file, and fails where the registry has only some of them.
frontend-tests:
	cd tests/frontends && npm install --no-save --no-audit --no-fund --silent && npm test

# Every page in Chromium, against the same binary. Screenshots are left in target/screenshots.
browser-tests:
	cargo build --locked --bins -p lectern -p lectern-vendor-stand-in
	cd tests/browser && npm ci --no-audit --no-fund --silent && npm test

# The tests that read the example spaces and test vectors of ../shared; they are ignored otherwise.
shared-tests: export LECTERN_SHARED := $(SHARED)
shared-tests:
	@test -n "$(SHARED)" || { echo "make shared-tests: ../shared/spaces is missing" >&2; exit 1; }
	cargo test --workspace --locked --tests -- --ignored --skip drills:: --skip distribution::statements
	cargo build --locked --bins -p lectern -p lectern-vendor-stand-in
	cd tests/clients && npm ci --no-audit --no-fund --silent && npm run test:shared
	$(MAKE) frontend-tests

# Faults at full length: kill -9, dead and silent receivers, lateness. `make test` runs a tenth of the rounds.
chaos:
	scripts/setup.sh test
	LECTERN_CHAOS=full cargo test --release --locked --test chaos -- --nocapture --test-threads 1

# Failover at full length, and a cluster of Patroni: for a machine that is thrown away, as root, because Debian's packages start services.
drills:
	scripts/setup.sh test
	scripts/setup.sh drills
	cargo test --locked --test it drills:: -- --ignored --nocapture --test-threads 1

# Changes one thing after the other in domain, crypto and services, and lists each change that no unit or property test of the crate notices (docs/development.md).
# Hours for everything: make mutants CRATE=domain FILE='crates/domain/src/content/query/**', OPTIONS='--shard 1/20' for a sample.
mutants:
	scripts/mutants.sh "$(CRATE)" "$(FILE)" -- $(OPTIONS)

# Everything that can be checked without running a test: format, lints, documentation, licences and sources of dependencies, the API's description.
check:
	scripts/setup.sh check
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked --quiet
	scripts/deny.sh
	scripts/openapi.sh

# Writes the files that are generated from code. A test compares them.
docs:
	cargo run --quiet --locked -- config-docs > target/configuration.md
	mv target/configuration.md docs/configuration.md

# Writes what /licenses shows, after a dependency has changed: crates/licenses. A test compares it with the crates of the binary.
licenses:
	python3 scripts/inventory/licenses.py

# The bill of materials of the binary (CycloneDX 1.6): target/sbom/lectern.cdx.json
sbom:
	scripts/setup.sh sbom
	.tools/python/bin/python scripts/inventory/sbom.py

# The speed of the Delivery API, cached and uncached, of the OpenID provider, and of the image service beside sharp, a line for each scenario. STORIES=100000 measures a larger space, FULL=1 three sizes.
bench:
	scripts/setup.sh run
	scripts/bench.sh $(or $(STORIES),10000)
	scripts/bench_oidc.sh
	scripts/bench_images.sh

# Puts a server under the load of a scenario, and writes target/load/SCENARIO.html (docs/load.md): make load SCENARIO=delivery-hot. Without URL it is a server of its own.
# OPTIONS='--rate 500 --seconds 60' are those of `lectern-load run`.
load:
	scripts/setup.sh run
	URL=$(URL) scripts/load.sh $(or $(SCENARIO),delivery-hot) $(OPTIONS)
