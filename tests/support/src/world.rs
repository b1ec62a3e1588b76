//! A space with webhooks and events, written by the storage's own functions, and a server on it that can be
//! killed.

use crate::{Database, Person, binary, clock, database, free_address::FreeAddress, receiver::Receiver};
use crypto::{keys::Keys, random::SystemEntropy, seal::Seal};
use domain::{
    content::{Changes, EventKind, StoryEvent, webhook::WebhookSettings},
    shared::{Actor, Clock, RequestOrigin, SpaceId, StoryId},
};
use jiff::{SignedDuration, Timestamp};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use secrecy::ExposeSecret;
use std::process::Stdio;
use storage::content::{
    commit_log::{self, AuditContext},
    webhooks,
};
use strum::VariantArray;
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
};
use uuid::Uuid;

pub const SECRET: &str = "the secret of the chaos tests";
pub const ROOT: &str = "a root secret of the tests, 32 bytes.";

/// A database with one space.
pub struct World {
    pub database: Database,
    pub space: SpaceId,
    events: i64,
}

impl World {
    pub async fn new() -> Self {
        let database = database().await;
        let sql = "with space as (
                       insert into spaces (name, created_at, updated_at) values ('Chaos', now(), now()) returning id
                   ), counters as (insert into space_counters (space_id, cv) select id, 0 from space)
                   select id from space";
        let space = SpaceId(database.value(sql).await);
        Self { database, space, events: 0 }
    }

    /// A webhook at that address, for all events.
    pub async fn webhook(&self, url: &str) {
        let keys = Keys::new(ROOT.as_bytes().to_vec().into());
        let secret = Seal::new(keys.derive("receiver-secret/1")).seal("receiver", SECRET.as_bytes(), &SystemEntropy).unwrap();
        let settings = WebhookSettings {
            name: "chaos".into(),
            description: None,
            url: url.into(),
            events: EventKind::VARIANTS.to_vec(),
            active: true,
        };
        let mut connection = self.database.connection().await;
        let tx = connection.begin();
        webhooks::insert(&tx, self.space, &settings, &secret, now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// `events` of `stories`, as writes would leave them.
    pub async fn happen(&mut self, events: i64, stories: i64) {
        let mut connection = self.database.connection().await;
        let author = AuditContext { actor: Actor::system("chaos"), origin: RequestOrigin::default(), at: now() };
        let event = |number: i64| StoryEvent {
            kind: EventKind::Published,
            story_id: StoryId(number % stories + 1),
            uuid: Uuid::from_u128(1),
            full_slug: format!("story-{}", number % stories),
            old_full_slug: None,
        };
        let changes = Changes { events: (self.events..self.events + events).map(event).collect(), ..Changes::default() };
        self.events += events;
        let tx = connection.begin();
        commit_log::append(&tx, self.space, &author, &changes).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Deliveries that are neither delivered nor dead, and events without deliveries.
    pub async fn open(&self) -> i64 {
        let sql = "select (select count(*) from delivery_queue where dead_at is null)
                        + (select count(*) from story_events event left join fan_outs done on done.space_id = event.space_id
                           where event.seq > coalesce(done.fanned_seq, 0)) as open";
        self.database.value(sql).await
    }

    /// Deliveries that wait for receivers whose circuits are open.
    async fn waiting(&self) -> i64 {
        let sql = "select count(*) as waiting from delivery_queue line join receivers receiver on receiver.id = line.receiver_id
                   where line.dead_at is null and receiver.circuit <> 'closed'";
        self.database.value(sql).await
    }

    /// Waits until nothing is open. What only waits for a receiver that does not come back is made old, and
    /// dies.
    pub async fn settled(&self, seconds: u64) {
        let began = std::time::Instant::now();
        let clock = clock();
        let mut is_old = false;
        loop {
            let (waiting, open) = (self.waiting().await, self.open().await);
            if open == 0 {
                return;
            }
            if open == waiting && !is_old {
                clock.advance(now().duration_since(clock.now()) + SignedDuration::from_hours(73));
                clock.drives(&self.database);
                is_old = true;
            }
            assert!(began.elapsed().as_secs() < seconds, "{open} deliveries are still open");
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    }

    /// Deliveries that a process has leased.
    pub async fn leased(&self) -> i64 {
        let sql = "select count(*) as leased from delivery_queue where lease_until > clock_timestamp()";
        self.database.value(sql).await
    }

    /// Starts a server, and waits until it is ready.
    pub async fn serve(&self) -> Running {
        self.serve_with(&[]).await
    }

    /// The same with further settings.
    pub async fn serve_with(&self, variables: &[(&str, &str)]) -> Running {
        let data = std::env::temp_dir().join(format!("lectern-chaos-{}-{}", std::process::id(), Uuid::from_bytes(random())));
        std::fs::create_dir_all(&data).unwrap();
        // The address that the server prints is its public one, which several servers may share. So the test
        // chooses a port that is free.
        let reserved = FreeAddress::new();
        let address = reserved.address;
        let mut child = Command::new(binary::lectern())
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("APP_LISTEN", address.to_string())
            .env("APP_DATA_DIR", &data)
            .env("APP_DATABASE_URL", self.database.target.url.expose_secret())
            .env("APP_SECRET", ROOT)
            .env("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1")
            .env("APP_WEBHOOK_BACKOFF", "200ms,400ms,800ms,1600ms")
            .env("APP_LOG_LEVEL", "warn,lectern=info")
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        loop {
            let line = lines.next_line().await.unwrap().expect("it starts");
            if line.contains("Ctrl-C") {
                break;
            }
        }
        // The pipe must not fill up, or the server waits for a reader.
        let mut reading = tokio::task::JoinSet::new();
        reading.spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        drop(reserved);
        Running { child, address, data, _reading: reading }
    }
}

/// A started server; killed when it is dropped.
pub struct Running {
    child: Child,
    pub address: std::net::SocketAddr,
    data: std::path::PathBuf,
    _reading: tokio::task::JoinSet<()>,
}

impl Running {
    /// The URL of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// A person who has registered and signed in.
    pub async fn person(&self, email: &str) -> Person {
        Person::signed_in_at(self.url(""), email).await
    }

    /// kill -9.
    pub async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// SIGTERM; it has to end well.
    pub async fn stop(self) {
        self.terminate();
        self.ended().await;
    }

    /// Resident memory, in bytes.
    pub fn resident(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id().unwrap())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() * 1024
    }

    /// SIGTERM.
    pub fn terminate(&self) {
        kill(Pid::from_raw(i32::try_from(self.child.id().unwrap()).unwrap()), Signal::SIGTERM).unwrap();
    }

    /// Waits for its end, which has to be a good one.
    pub async fn ended(mut self) {
        assert!(self.child.wait().await.unwrap().success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.data);
    }
}

#[expect(clippy::disallowed_methods, reason = "the server under test has the real time")]
pub fn now() -> Timestamp {
    Timestamp::now()
}

/// Text of `length` random digits.
pub fn random_text(length: usize) -> String {
    use domain::shared::Entropy;
    let mut bytes = vec![0; length / 2];
    SystemEntropy.fill(&mut bytes);
    hex::encode(bytes)
}

fn random() -> [u8; 16] {
    use domain::shared::Entropy;
    let mut bytes = [0; 16];
    SystemEntropy.fill(&mut bytes);
    bytes
}

/// Receivers with a webhook each.
pub async fn receivers(world: &World, count: usize) -> Vec<Receiver> {
    let mut all = Vec::new();
    for _ in 0..count {
        let receiver = Receiver::start().await;
        world.webhook(&receiver.url()).await;
        all.push(receiver);
    }
    all
}

/// Whether every round is run.
#[expect(clippy::disallowed_methods, reason = "chaos tests have no configuration but this")]
pub fn is_full() -> bool {
    std::env::var("LECTERN_CHAOS").is_ok_and(|v| v == "full")
}
