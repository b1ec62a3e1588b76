# What can be done here. `make run` and `make test` are all that a newcomer needs.

.PHONY: run build test check client-tests drills docs bench

# Installs what is missing, builds, starts. Configuration: docs/configuration.md.
run:
	scripts/setup.sh run
	cargo build --release --locked --bin lectern
	exec target/release/lectern

# target/release/lectern
build:
	scripts/setup.sh run
	cargo build --release --locked --bin lectern

# Everything that can fail: unit, property and integration tests, and the hosted service's own clients.
test:
	scripts/setup.sh test
	cargo test --workspace --locked
	$(MAKE) client-tests

# Faults at full length: kill -9, dead and silent receivers, lateness. `make test` runs a tenth of the rounds.
drills:
	scripts/setup.sh test
	LECTERN_DRILLS=full cargo test --release --locked --test drills -- --nocapture --test-threads 1

# The JavaScript clients against the binary that the tests above have built.
client-tests:
	cargo build --locked --bins -p lectern -p lectern-vendor-stand-in
	cd tests/clients && npm ci --no-audit --no-fund --silent && npm test

# Everything that can be wrong without being run.
check:
	scripts/setup.sh run
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps --locked --quiet
	cargo run --quiet --locked -- config-docs | diff docs/configuration.md -
	scripts/deny.sh

# Writes the files that come from code.
docs:
	cargo run --quiet --locked -- config-docs > target/configuration.md
	mv target/configuration.md docs/configuration.md

# The speed of the Delivery API, hot and cold, a line for each scenario. STORIES=100000 measures a larger space, FULL=1 three sizes.
bench:
	scripts/setup.sh run
	scripts/bench.sh $(or $(STORIES),10000)
