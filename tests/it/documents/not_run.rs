//! The blocks that are not run by the test of their document: why, and what tests the same.

use super::blocks::Block;

/// A block that is not run here.
pub struct NotRun {
    pub text: &'static str,
    pub reason: &'static str,
    /// What tests the same: a file, and what stands in it, such as the name of a test.
    pub tested_by: &'static [(&'static str, &'static str)],
}

impl NotRun {
    /// Whether it is this block.
    pub fn is(&self, block: &Block) -> bool {
        block.text.trim_end() == self.text
    }
}

/// The entry of a block.
pub fn find(block: &Block) -> Option<&'static NotRun> {
    LIST.iter().find(|listed| listed.is(block))
}

/// Every one of them.
pub const LIST: &[NotRun] = &[
    NotRun {
        text: "make run     # installs what is missing, builds, starts on http://localhost:8080\n\
               make test    # unit, property, integration and client tests",
        reason: "a build of minutes, and the run of all tests, which this is a part of",
        tested_by: &[
            (".ci/run", "make test"),
            ("Makefile", "scripts/not_running.sh"),
            ("tests/it/documents/tour.rs", "the_tour_of_the_readme_works_as_it_is_written"),
        ],
    },
    NotRun {
        text: "cd examples/relying-party\n\
               npm install\n\
               CLIENT_SECRET=a-secret-that-nobody-else-knows node index.mjs",
        reason: "it loads packages from the network, and goes on until it is stopped",
        tested_by: &[("tests/clients/documents.test.mjs", "test('the application of docs/clients.md lets a person sign in'")],
    },
    NotRun {
        text: "cargo unit -p lectern-domain                    # unit and property tests of a crate: seconds\n\
               cargo bins && cargo it stories::                # integration tests by name\n\
               make test                                       # all tests, with Storyblok's clients and a browser\n\
               make check                                      # format, lints, documentation, licences, docs/openapi, types and unit tests of the studio\n\
               make fuzz-api                                   # requests made up from the description of the API; make test sends a few for each operation\n\
               make chaos                                      # faults at full length, on a release build\n\
               make studio-drills                              # what somebody types survives kills of the tab and the server, a lost network, signing out: 50 rounds of each\n\
               make drills                                     # failover at full length and a cluster of Patroni, as root on a machine that is thrown away\n\
               make mutants                                    # changes of the code that no unit test notices; hours, see below\n\
               make bench                                      # speed; docs/performance.md\n\
               make sbom                                       # the bill of materials (CycloneDX); docs/operations.md\n\
               make load SCENARIO=everything                   # users of every kind at once, with a page of results; docs/load.md",
        reason: "builds and runs of minutes; `.ci/run` makes those that are a part of it",
        tested_by: &[
            (".ci/run", "make check"),
            (".ci/run", "make test"),
            ("tests/it/deployment/sbom.rs", "it_has_every_crate_with_version_licence_and_address_and_what_is_beside_them"),
            ("scripts/test.py", "scripts/fuzz_api.sh"),
            ("Makefile", "\nchaos:"),
            ("Makefile", "\nstudio-drills:"),
            ("tests/browser/studio/drills.test.mjs", "STUDIO_DRILLS"),
            ("Makefile", "\ndrills:"),
            ("Makefile", "\nbench:"),
            ("Makefile", "\nload:"),
        ],
    },
    NotRun {
        text: "make load SCENARIO=delivery-hot                                      # builds, starts a server of its own, writes target/load/delivery-hot.html\n\
               make load SCENARIO=everything OPTIONS='--seconds 60 --rate 300'      # the options below\n\
               make load SCENARIO=delivery-mixed URL=http://127.0.0.1:8080          # a server that runs already",
        reason: "a release build and minutes of load; the scenarios themselves are run for some turns each",
        tested_by: &[("tests/it/load.rs", "every_scenario_runs_against_a_server_and_nothing_fails"), ("Makefile", "\nload:")],
    },
    NotRun {
        text: "target/release/lectern-load compare target/load/delivery-hot.before.json target/load/delivery-hot.json --html target/load/compare.html",
        reason: "it compares what two runs of minutes have left",
        tested_by: &[("load/src/harness/compare/tests.rs", "#[test]")],
    },
    NotRun {
        text: "LECTERN_URL=$BASE STORYBLOK_LOGIN=me STORYBLOK_TOKEN=$TOKEN STORYBLOK_REGION=eu \\\n  \
               NODE_OPTIONS=\"--import $PWD/tests/clients/support/storyblok-hosts.mjs\" npx storyblok components pull --space $SPACE",
        reason: "it loads Storyblok's command line from the network",
        tested_by: &[("tests/clients/documents.test.mjs", "test('the command line of docs/moving.md pulls components'")],
    },
    NotRun {
        text: "docker compose up --build",
        reason: "it needs a container engine",
        tested_by: &[
            ("tests/it/deployment/compose.rs", "the_file_follows_the_published_schema"),
            ("tests/it/deployment/compose.rs", "the_servers_settings_are_right_without_any_variable"),
            ("tests/it/deployment/image.rs", "the_server_runs_on_a_root_that_is_read_only"),
        ],
    },
    NotRun {
        text: "systemd-run --pipe --wait --uid=lectern --property=EnvironmentFile=/etc/lectern/lectern.env --setenv=APP_DATA_DIR=/var/lib/lectern lectern admin grant ann@example.org",
        reason: "it needs root and a running systemd",
        tested_by: &[
            ("tests/it/deployment/service_unit.rs", "the_environment_of_the_unit_is_known_to_the_server"),
            ("tests/it/documents/operating.rs", "lectern admin grant ann@example.org"),
        ],
    },
    NotRun {
        text: "cargo run --release -p lectern-load -- single --token sbpub_…",
        reason: "a release build, and a measurement that needs a quiet machine",
        tested_by: &[("scripts/bench.sh", "single")],
    },
];
