//! The command line.

use clap::ValueEnum;
use std::{net::SocketAddr, path::PathBuf, time::Duration};

/// What the measurements of `scripts/bench*.sh` send: one kind of request over many connections. Without
/// `--rate` each sends its next request after the response to the last one, so that the server determines the
/// rate.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Args {
    /// The scenario.
    #[arg(value_enum)]
    pub(crate) scenario: Scenario,

    /// The URL of the server; plain HTTP only.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    pub(crate) url: String,

    /// A delivery token (`single`, `list`, `paths`, `expensive`) or a management token (`write`, `fresh`).
    /// Given more than once, the connections share them out.
    #[arg(long = "token", required_if_eq_any([("scenario", "single"), ("scenario", "list"), ("scenario", "paths"), ("scenario", "write"), ("scenario", "drain"), ("scenario", "fresh"), ("scenario", "expensive")]))]
    pub(crate) tokens: Vec<String>,

    /// The space to write into (`write`, `fresh` and `drain`).
    #[arg(long, required_if_eq_any([("scenario", "write"), ("scenario", "fresh"), ("scenario", "drain")]))]
    pub(crate) space: Option<u64>,

    /// A space with its management token, `id:token` (`silent` only). Given more than once: the last one is
    /// for the good receiver, the others share out the rest.
    #[arg(long = "in", required_if_eq("scenario", "silent"))]
    pub(crate) spaces: Vec<String>,

    /// How many webhooks accept deliveries and never answer, and how many new ones answer (`silent` only). A
    /// space has a hundred webhooks at most.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    pub(crate) silent: u32,

    /// The new webhooks are registered one after the other, in the time of `--seconds` (`silent` only).
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) new: u32,

    /// How many folders the stories are spread over (`write` only).
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) folders: u32,

    /// How many accounts sign in by turns (`login` only). They are registered first.
    #[arg(long, default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) accounts: u32,

    /// Requests a second of all connections together, in an open loop: latencies count from the times at
    /// which they are due.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: Option<u32>,

    /// A file with a path in each line, `/api/v2/cdn/stories?per_page=25`, requested in turn (`paths` only).
    /// The token is added.
    #[arg(long, required_if_eq("scenario", "paths"))]
    pub(crate) paths: Option<PathBuf>,

    /// The delivery token that reads what was just published (`fresh`), or that reads another space beside
    /// the callers (`expensive`).
    #[arg(long, required_if_eq_any([("scenario", "fresh"), ("scenario", "expensive")]))]
    pub(crate) reader: Option<String>,

    /// Sends no load, but serves the response to the first request at this address, from memory with bare
    /// hyper, until it is

    /// killed: a baseline that the server can be compared with.
    #[arg(long)]
    pub(crate) mirror: Option<SocketAddr>,
    /// Has `--mirror` serve on one thread.
    #[arg(long, requires = "mirror")]
    pub(crate) mirror_on_one_thread: bool,

    /// A confidential client of the OpenID provider, `id:secret` (`oidc` only).
    #[arg(long, required_if_eq("scenario", "oidc"))]
    pub(crate) client: Option<String>,

    /// What is asked of the OpenID provider (`oidc` only).
    #[arg(long, value_enum, required_if_eq("scenario", "oidc"))]
    pub(crate) exchange: Option<Exchange>,

    /// The redirect URI of the client (`oidc` only).
    #[arg(long, default_value = "https://bench.example/cb")]
    pub(crate) redirect_uri: String,

    /// The resource that JWT access tokens are for (`oidc` only).
    #[arg(long, default_value = "https://api.example")]
    pub(crate) resource: String,

    /// How many connections send requests at the same time.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) connections: u32,

    /// The duration in seconds.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) seconds: u64,

    /// Stops after this many requests, if that is earlier.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) requests: Option<u64>,

    /// Reads drafts (the token needs the right).
    #[arg(long)]
    pub(crate) draft: bool,

    /// Only stories whose path begins with this; without it `list` takes every folder in turn.
    #[arg(long)]
    pub(crate) prefix: Option<String>,

    /// Counts the processor time of this process; can be given more than once.
    #[arg(long = "pid")]
    pub(crate) pids: Vec<u32>,

    /// Also counts the descendants of these processes, such as the private PostgreSQL of the server.
    #[arg(long, requires = "pids")]
    pub(crate) children: bool,

    /// Prints JSON.
    #[arg(long)]
    pub(crate) json: bool,

    /// Permits a server on another machine. Without it only an address of this one is put under load.
    #[arg(long)]
    pub(crate) allow_remote: bool,
}

impl Args {
    /// The longest duration.
    pub(crate) fn duration(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

/// A scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// One story by its path.
    Single,
    /// The first 25 stories of a folder, with the total.
    List,
    /// The paths of a file.
    Paths,
    /// A new story of about 4 KB, published at once.
    Write,
    /// A backlog of `--requests` webhook deliveries (100,000), released to 100 receivers in this process.
    Drain,
    /// First deliveries of new webhooks beside silent ones, and a good receiver that refuses once. The server
    /// must not limit requests (`APP_RATE_LIMITS=off`).
    Silent,
    /// Sign-ins with a password from known browsers. The server must not limit them (`APP_RATE_LIMITS=off`).
    Login,
    /// Requests of a client to the OpenID provider, see `--exchange`.
    Oidc,
    /// Callers with expensive queries, one for each of `--connections`, and reads of another space
    /// (`--reader`, `--rate` 100) before and beside them.
    Expensive,
    /// Rounds: a story is published under a new name, and the very next read has to show it.
    Fresh,
}

/// An exchange with the OpenID provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Exchange {
    /// The metadata.
    Discovery,
    /// The public keys.
    Jwks,
    /// An opaque access token by client credentials.
    ClientToken,
    /// A JWT access token by client credentials.
    ClientJwt,
    /// The introspection of one access token.
    Introspection,
    /// The claims of one access token.
    Userinfo,
    /// A new pair for a refresh token; each connection has its own family.
    Refresh,
    /// A whole code flow of a person who is signed in: authorization, token, userinfo.
    Code,
    /// The page to sign in on, without a cookie.
    SignInPage,
    /// The page of the account of a person who is signed in.
    AccountPage,
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use clap::{CommandFactory, Parser};

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn writing_needs_a_space_and_children_need_a_process() {
        assert!(parse("load single --token t").is_ok());
        assert!(parse("load single").is_err());
        assert!(parse("load login --rate 500").is_ok());
        assert!(parse("load write --token t").is_err());
        assert!(parse("load write --token t --space 1").is_ok());
        assert!(parse("load fresh --token t --space 1").is_err());
        assert!(parse("load paths --token t").is_err());
        assert!(parse("load expensive --token t").is_err());
        assert!(parse("load single --token t --children").is_err());
        assert!(parse("load oidc --client a:b").is_err() && parse("load oidc --exchange userinfo").is_err());
        assert!(parse("load oidc --client a:b --exchange client-jwt").is_ok());
        assert!(parse("load single --token t --connections 0").is_err());
    }
}
