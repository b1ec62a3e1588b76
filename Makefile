# The commands of this repository. `make run` and `make test` are all that a newcomer needs.

.PHONY: run build studio deb test test-binaries fuzz-api client-tests browser-tests shared-tests chaos drills studio-drills mutants check docs licenses sbom bench load

# A registry that fails once is asked again, and not for what npm has in its cache.
export npm_config_fetch_retries := 5
export npm_config_prefer_offline := true
# Where scripts/setup.sh puts a Node.js when the system's is missing or too old.
export PATH := $(CURDIR)/.tools/node/bin:$(PATH)
# Nothing is built here without the studio. Plain `cargo build` needs no Node.js, and leaves it out.
export LECTERN_STUDIO := required
# The example spaces and test vectors beside the repository; empty in a plain clone.
SHARED := $(abspath $(wildcard ../shared/spaces))
# All that tests start: the server, the stand-in of Storyblok, the load generator.
BINARIES := --bins -p lectern -p lectern-vendor-stand-in -p lectern-load

# Installs what is missing, builds, starts. Configuration: docs/configuration.md.
run:
	@scripts/not_running.sh
	@$(MAKE) --no-print-directory build
	@exec target/release/lectern

# target/release/lectern
build: studio
	@scripts/expect_build.sh
	@cargo build --release --locked --bin lectern

# studio/dist, which the binary embeds. Nothing to do while no source of it has changed.
studio:
	@scripts/setup.sh run
	@scripts/studio.sh

# A package for Debian below target/deb, of the profile `dist`, which takes longer to compile and is a little faster.
deb: studio
	cargo build --profile dist --locked --bin lectern
	scripts/deb.sh target/dist/lectern target/deb

# Every test: unit, property and integration tests, real clients, and what needs ../shared where that is there. Each part by itself: scripts/test.py NAME.
test: test-binaries
	scripts/test.py

# What all tests need. Their binaries are those of `make run`, so nothing but the tests is compiled.
test-binaries: studio
	@scripts/setup.sh test
	@scripts/expect_build.sh
	cargo build --release --locked $(BINARIES)

# Storyblok's JavaScript clients, sites made with its SDKs, relying parties in JavaScript and Python.
client-tests: test-binaries
	scripts/test.py clients frontends relying-party api

# Requests that schemathesis makes up from the description of the API, with real tokens and sessions: tests/api. EXAMPLES=2000 tries harder, ONLY=createStory one operation.
fuzz-api: test-binaries
	scripts/fuzz_api.sh $(or $(EXAMPLES),200) $(or $(SEED),1) $(ONLY)

# Every page in Chromium. Screenshots are left in target/screenshots; `make test` leaves none.
browser-tests: test-binaries
	LECTERN_SCREENSHOTS=1 scripts/test.py browser browser-time

# The tests that read the example spaces and test vectors of ../shared; they are ignored otherwise.
shared-tests: test-binaries
	@test -n "$(SHARED)" || { echo "make shared-tests: ../shared/spaces is missing" >&2; exit 1; }
	scripts/test.py unit shared shared-clients shared-frontends shared-studio shared-browser shared-time

# Faults at full length: kill -9, dead and silent receivers, lateness. `make test` runs a few rounds.
chaos: test-binaries
	LECTERN_CHAOS=full cargo test --release --locked -p lectern-tests --test chaos --test time -- --nocapture --test-threads 1

# Failover at full length, and a cluster of Patroni: for a machine that is thrown away, as root, because Debian's packages start services.
drills: test-binaries
	scripts/setup.sh drills
	cargo test --release --locked -p lectern-tests --test it drills:: -- --ignored --nocapture --test-threads 1

# Kills, cuts off and signs out a browser while somebody types, 50 rounds of each; `make test` does five. Half an hour.
studio-drills: test-binaries
	npm --prefix tests run --silent studio-drills

# Changes one thing after the other in domain, crypto and services, and lists each change that no unit or property test of the crate notices (docs/development.md).
# Hours for everything: make mutants CRATE=domain FILE='crates/domain/src/content/query/**', OPTIONS='--shard 1/20' for a sample.
mutants:
	scripts/mutants.sh "$(CRATE)" "$(FILE)" -- $(OPTIONS)

# Everything that can be checked without running a test of the server: format, lints, documentation, dependencies, the API's description, the studio.
check: studio
	scripts/setup.sh check
	scripts/check.sh

# Writes the files that are generated from code. A test compares them.
docs:
	cargo run --release --quiet --locked -- config-docs > target/configuration.md
	mv target/configuration.md docs/configuration.md

# Writes what /licenses shows, after a dependency has changed: crates/licenses. A test compares it with the crates of the binary and the packages of the studio.
licenses: studio
	python3 scripts/inventory/licenses.py

# The bill of materials of the binary (CycloneDX 1.6): target/sbom/lectern.cdx.json
sbom: studio
	scripts/setup.sh sbom
	.tools/python/bin/python scripts/inventory/sbom.py

# The speed of the Delivery API, cached and uncached, of the OpenID provider, and of the image service beside sharp, a line for each scenario. STORIES=100000 measures a larger space, FULL=1 three sizes.
bench: studio
	scripts/bench.sh $(or $(STORIES),10000)
	scripts/bench_oidc.sh
	scripts/bench_images.sh

# Puts a server under the load of a scenario, and writes target/load/SCENARIO.html (docs/load.md): make load SCENARIO=delivery-hot. Without URL it is a server of its own.
# OPTIONS='--rate 500 --seconds 60' are those of `lectern-load run`.
load: studio
	URL=$(URL) scripts/load.sh $(or $(SCENARIO),delivery-hot) $(OPTIONS)
