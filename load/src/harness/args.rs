//! The command line of `run` and `compare`.

use clap::{Args, ValueEnum};
use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf};

/// A scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// Stories and a list that are asked for again and again, and come from the cache.
    DeliveryHot,
    /// Lists with random filters, orders, tags and searches, of which few come from the cache.
    DeliveryMixed,
    /// A story is published under a new name, and the very next read has to show it.
    PublishRead,
    /// Editors list, open, save, preview and publish stories, with pauses.
    Editors,
    /// An editor types into a story of 447 blocks, which is saved and validated each time.
    Autosave,
    /// Stories are published, and receivers in this process get a webhook for each.
    Webhooks,
    /// Imports from a source in this process, one after the other.
    Import,
    /// Sign-ins with a password, at a fixed rate.
    Logins,
    /// The code flow of people who are signed in: authorization, token, userinfo.
    OidcCode,
    /// Tokens for clients, introspection, userinfo and refreshing.
    Tokens,
    /// The lists of administrators and of the Management API.
    AdminLists,
    /// All scenarios above at once, each at a rate of its own.
    Everything,
    /// Three times as many uncached lists as the server can make: what it answers, what it refuses, and
    /// whether it recovers.
    Overload,
}

impl Scenario {
    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// What it does, in a sentence.
    pub(crate) fn about(self) -> String {
        self.to_possible_value().and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }
}

/// Puts a server under the load of a scenario, and writes down what came of it.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct RunArgs {
    /// The scenario.
    #[arg(value_enum)]
    pub(crate) scenario: Scenario,

    /// The URL of the server; plain HTTP only.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,

    /// The account that makes the spaces of the run; it has to be an administrator for `admin-lists` and
    /// `everything`. It is registered when it is not there.
    #[arg(long, default_value = "load@example.org")]
    pub(crate) email: String,

    /// Its password.
    #[arg(long, default_value = "a plank of long wood")]
    pub(crate) password: String,

    /// The value of the server's `APP_METRICS_TOKEN`. With it the result has the memory and the processor
    /// time of the server.
    #[arg(long)]
    pub(crate) metrics_token: Option<String>,

    /// A confidential client of the OpenID provider, `id:secret` (`oidc-code`, `tokens`, `everything`), with
    /// `requirePkce` false and the grant types `authorization_code`, `refresh_token` and
    /// `client_credentials`.
    #[arg(long, default_value = "load:a-secret-of-the-load-and-of-nothing-else")]
    pub(crate) client: String,

    /// The redirect URI of the client.
    #[arg(long, default_value = "https://load.example/cb")]
    pub(crate) redirect_uri: String,

    /// The resource that JWT access tokens are for, of the server's `APP_OIDC_RESOURCE_AUDIENCE` (`tokens`,
    /// `everything`).
    #[arg(long, default_value = "https://api.example")]
    pub(crate) resource: String,

    /// Where the source of imports listens (`import`, `everything`): the server's `APP_VENDOR_MAPI_URL` and
    /// `APP_VENDOR_CDN_URL` name it.
    #[arg(long, default_value = "127.0.0.1:8095")]
    pub(crate) source: SocketAddr,

    /// How many users there are at most. Without it each scenario has its own number.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub(crate) users: Option<u16>,

    /// Turns a second, in an open loop: they begin at fixed times, and latencies count from these. Without it
    /// the scenario says whether its loop is open.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: Option<u32>,

    /// Seconds in which users join, or in which the rate grows.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(0..=3_600))]
    pub(crate) ramp: u64,

    /// Seconds that are measured after that. In `overload`, those at three times the capacity.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub(crate) seconds: u64,

    /// Ends after this many turns of all users, if that is earlier.
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) turns: u64,

    /// How many stories are written before the run.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) stories: u32,

    /// The folder for the result, `SCENARIO.json` and `SCENARIO.html`. Without it only the table is printed.
    #[arg(long)]
    pub(crate) out: Option<PathBuf>,

    /// Prints JSON instead of the table.
    #[arg(long)]
    pub(crate) json: bool,

    /// Leaves the spaces of the run on the server. Otherwise they are deleted.
    #[arg(long)]
    pub(crate) keep: bool,

    /// Shows no progress bar.
    #[arg(long)]
    pub(crate) quiet: bool,

    /// Permits a server on another machine. Without it only an address of this one is put under load.
    #[arg(long)]
    pub(crate) allow_remote: bool,
}

impl RunArgs {
    /// What the result says about how it came about. No secrets.
    pub(crate) fn settings(&self) -> BTreeMap<String, String> {
        let own = |value: Option<String>| value.unwrap_or_else(|| "the scenario's own".to_owned());
        let pairs = [
            ("users", own(self.users.map(|users| users.to_string()))),
            ("rate", own(self.rate.map(|rate| rate.to_string()))),
            ("ramp", format!("{} s", self.ramp)),
            ("seconds", self.seconds.to_string()),
            ("turns", self.turns.to_string()),
            ("stories", self.stories.to_string()),
        ];
        pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Compares the results of two runs.
#[derive(Debug, Clone, Args)]
pub(crate) struct CompareArgs {
    /// The file of the first run.
    pub(crate) before: PathBuf,

    /// The file of the second run.
    pub(crate) after: PathBuf,

    /// Writes the comparison as a page to this file, too.
    #[arg(long)]
    pub(crate) html: Option<PathBuf>,
}
