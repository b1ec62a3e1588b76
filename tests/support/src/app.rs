//! The whole server in the test's own process: the real accept loop and endpoints on a database and a port of
//! its own.

use crate::{
    Database, PATIENCE, Scratch, TestClock, Wire, clock,
    conformance::{AtTheEnd, Conformance},
    database::{POOL, served_database},
    scratch,
};
use actors::{ActorSystem, actor_system};
use crypto::passwords::Passwords;
use http::Method;
use jiff::SignedDuration;
use lectern::{
    VERSION,
    accept::{self, Limits, ServerState},
    components::{Components, Foundation},
    config::{Config, Environment},
    wiring,
};
use routes::{
    dispatch::Dispatch,
    ops::Metrics,
    studio::{Bundle, BundleFile},
    web::{ErrorFormat, ResponseMemory, access::Security},
};
use services::identity::oidc::KeyRing;
use std::{net::SocketAddr, ops::Deref, sync::Arc, time::Duration};
use storage::blobs::Blobs;
use tokio::{net::TcpListener, sync::watch, task::JoinSet, time::timeout};

/// A running server. It stops when it is dropped.
pub struct TestApp {
    pub database: Arc<Database>,
    pub clock: Arc<TestClock>,
    /// The address that it listens on.
    pub address: SocketAddr,
    /// A browser, which keeps cookies and follows no redirects.
    pub client: reqwest::Client,
    /// Its endpoints, as their tables declare them.
    pub endpoints: Vec<Declared>,
    /// Turns `/api/ready` to 503.
    pub draining: watch::Sender<bool>,
    /// Stops the accept loop.
    pub stop: watch::Sender<bool>,
    serving: JoinSet<bool>,
    pub data: Scratch,
    /// The files of its assets.
    pub blobs: Blobs,
    pub actors: ActorSystem,
    /// The keys that it signs tokens with; `None` without the identity service.
    pub key_ring: Option<KeyRing>,
    /// Fails the test that was answered what the API's description does not say.
    _conformance: AtTheEnd,
}

/// What a table declares of an endpoint.
#[derive(Debug, Clone)]
pub struct Declared {
    pub method: Method,
    /// The template of its path.
    pub template: &'static str,
    /// What a request has to bring.
    pub security: Security,
    /// Whether it is a page for people, which is no part of the API.
    pub is_page: bool,
}

impl Declared {
    fn all(dispatch: &Dispatch) -> Vec<Self> {
        let declared = dispatch.endpoints().map(|endpoint| Self {
            method: endpoint.method.clone(),
            template: endpoint.template.as_str(),
            security: endpoint.security,
            is_page: endpoint.format == ErrorFormat::Page,
        });
        declared.collect()
    }
}

/// How a server of a test differs from the default.
#[derive(Default)]
pub struct Setup<'a> {
    /// `APP_` variables.
    pub variables: &'a [(&'a str, &'a str)],
    pub limits: Option<Limits>,
    /// The database of another server, as a second process would have it.
    pub database: Option<Arc<Database>>,
    /// Leases run out by the clock of the test, and so never by themselves.
    pub leases_by_clock: bool,
    /// How many connections its pool has at most.
    pub pool: Option<usize>,
    /// How long a command of a space may take. Without it that is longer than a test takes on a busy machine.
    pub deadline: Option<Duration>,
    /// How long the lease of an import lasts.
    pub import_lease: Option<Duration>,
    /// How many records an import writes in one transaction at most.
    pub import_page: Option<usize>,
    /// The binary was built without the studio.
    pub without_studio: bool,
    pub more: Option<fn(Dispatch) -> Dispatch>,
}

/// The configuration of a server that listens there.
fn config(address: SocketAddr, variables: &[(&str, &str)]) -> Config {
    // Tests compare with the address that they connect to.
    let usual = [("APP_LISTEN".to_owned(), address.to_string()), ("APP_BASE_URL".to_owned(), format!("http://{address}"))];
    let given = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let environment = Environment::of(usual.into_iter().chain(given));
    assert_eq!(environment.unknown(), []);
    Config::read(&environment).unwrap()
}

/// A studio of two lines: tests in a browser have the real one, which takes Node.js to build.
fn studio() -> Bundle {
    let file = |name, plain: &[u8]| BundleFile {
        name,
        gzip: compression::gzip(plain).unwrap().leak(),
        brotli: compression::brotli(plain).unwrap().leak(),
    };
    let files = vec![
        file("main.1.js", b"console.log('studio');\n"),
        file("main.2.css", b"body { color: red }\n"),
        file("en.3.js", b"export default {};\n"),
        file("de.4.js", b"export default {};\n"),
    ];
    Bundle {
        script: "main.1.js",
        style: "main.2.css",
        texts: vec![("de", "de.4.js"), ("en", "en.3.js")],
        files,
        relays: vec![("bridge.js", "'__LECTERN_ORIGIN__';\n"), ("storyblok-v2-latest.js", "'class';\n")],
    }
}

impl Deref for TestApp {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}

impl TestApp {
    /// A server with the defaults.
    pub async fn start() -> Self {
        Self::with(Setup::default()).await
    }

    /// A server with these `APP_` variables.
    pub async fn with_variables(variables: &[(&str, &str)]) -> Self {
        Self::with(Setup { variables, ..Setup::default() }).await
    }

    /// Another process on the database of this one, with these variables.
    pub async fn beside(&self, variables: &[(&str, &str)]) -> Self {
        Self::with(Setup { variables, database: Some(self.database.clone()), ..Setup::default() }).await
    }

    /// A server with this setup.
    pub async fn with(setup: Setup<'_>) -> Self {
        // Boxed, because the future is too large for the stack of each test.
        Box::pin(Self::open(setup)).await
    }

    /// Has the janitor do what is due after a time. That must be an hour or more, or nothing is.
    pub async fn sweep(&self, after: SignedDuration) {
        let handles = self.actors.handles();
        // What is due at the start is done first: a sweep that sees both times is not due again.
        self.no_sweep_is_due().await;
        self.clock.advance(after);
        handles.notifications.wake_all();
        self.no_sweep_is_due().await;
        assert_eq!(handles.observe_all().await["janitor"]["failures"], 0);
    }

    async fn no_sweep_is_due(&self) {
        let due = "select count(*) as count, count(*) filter (where due_at <= statement_timestamp()) as due from jobs where queue = 'janitor'";
        let waiting = async {
            loop {
                let found = self.database.row(due, &[]).await;
                if found.get::<_, i64>("count") > 0 && found.get::<_, i64>("due") == 0 {
                    return;
                }
            }
        };
        timeout(PATIENCE, waiting).await.expect("the janitor does what is due");
    }

    async fn open(setup: Setup<'_>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut config = config(address, setup.variables);
        // A busy machine must not fail a test that is about something else.
        config.images.wait = Duration::from_mins(2);
        let database = match setup.database {
            Some(database) => database,
            None => Arc::new(served_database(setup.pool.unwrap_or(POOL)).await),
        };
        if setup.leases_by_clock {
            database.set_leases_by_clock().await;
        }
        // Another server on the same database makes other ids.
        let others = u64::try_from(Arc::strong_count(&database) - 1).unwrap();
        let entropy = |number: u64| crate::entropy(10 * others + number);
        let clock = clock();
        clock.drives(&database);
        let (draining, drained) = watch::channel(false);
        let (stop, stopped) = watch::channel(false);
        let metrics = Metrics::new(VERSION).unwrap();
        let data = scratch();
        Box::pin(crate::signing_keys::provide(&database)).await;
        let foundation = Foundation {
            base_url: config.base_url(address),
            store: database.store.clone(),
            // A busy machine must not fail a test that is about something else.
            database_timeout: Duration::from_secs(30),
            clock: clock.clone(),
            entropy: entropy(1),
            keys: crate::keys(),
            passwords: Passwords::start(config.identity.passwords, entropy(3)).unwrap(),
            metrics: metrics.clone(),
            memory: ResponseMemory::new(config.response_memory),
            draining: drained,
            studio: (!setup.without_studio).then(studio),
            data: data.path().to_owned(),
            data_is_there: Arc::new(|| true),
        };
        let adjust = |actors: &mut actor_system::Params| {
            // Statements of actors must not be counted as those of a request.
            actors.store = database.store.counting_apart();
            actors.entropy = entropy(3);
            // Longer than a test takes on a busy machine: an attempt at a silent receiver is under way until
            // the test ends.
            actors.deliveries.timeout = Duration::from_mins(2);
            actors.limits.deadline = setup.deadline.unwrap_or(Duration::from_secs(30));
            // Tests also import folders, like the command line.
            actors.imports.queues.push(storage::content::imports::jobs::IMPORT_LOCAL);
            actors.imports.lease = setup.import_lease.unwrap_or(actors.imports.lease);
            actors.imports.max_page = setup.import_page.unwrap_or(actors.imports.max_page);
        };
        let (components, actors) = Box::pin(Components::open(&config, foundation, adjust)).await.unwrap();
        let dispatch = wiring::dispatch(&config, &components).unwrap();
        let endpoints = Declared::all(&dispatch);
        let conformance = Conformance::default();
        let dispatch = conformance.observe(dispatch);
        let state = ServerState {
            dispatch: if let Some(more) = setup.more { more(dispatch) } else { dispatch },
            metrics,
            memory: components.memory.clone(),
            entropy: entropy(2),
            trusted_proxies: config.trusted_proxies.clone(),
            limits: setup.limits.unwrap_or_default(),
        };
        let mut serving = JoinSet::new();
        serving.spawn(accept::serve(listener, state, stopped));
        Self {
            database,
            clock,
            address,
            client: browser(),
            endpoints,
            draining,
            stop,
            serving,
            data,
            blobs: components.blobs,
            actors,
            key_ring: components.provider.map(|provider| provider.key_ring),
            _conformance: AtTheEnd(conformance),
        }
    }

    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A GET, to be sent.
    pub fn get(&self, path: &str) -> reqwest::RequestBuilder {
        self.client.get(self.url(path))
    }

    /// A raw connection.
    pub async fn connect(&self) -> Wire {
        Wire::open(self.address).await
    }

    /// Waits until the accept loop has ended. Returns whether every request finished before the deadline.
    pub async fn stopped(mut self) -> bool {
        self.stop.send_replace(true);
        self.serving.join_next().await.unwrap().unwrap()
    }
}

/// Another browser.
pub fn browser() -> reqwest::Client {
    builder().build().unwrap()
}

/// A browser with this user agent.
pub fn browser_called(user_agent: &str) -> reqwest::Client {
    builder().user_agent(user_agent).build().unwrap()
}

fn builder() -> reqwest::ClientBuilder {
    let builder = reqwest::Client::builder().cookie_store(true).redirect(reqwest::redirect::Policy::none());
    builder.timeout(PATIENCE).no_proxy()
}
