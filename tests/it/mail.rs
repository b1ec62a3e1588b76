//! Mails: from the outbox to a mail server, which is a real one here, and everything that can go wrong on the
//! way.

mod crashes;
mod diagnostics;
mod injection;
mod refusals;
mod replies;
mod restarts;
mod sending;
mod stopping;
mod tls;

use actors::{ActorSystem, identity::mail_sender::MailSenderSettings};
use crypto::keys::Keys;
use domain::{
    identity::{
        Email, MailContent, Recipient,
        mail::{MailTemplates, Sender},
    },
    shared::UserId,
};
use egress::mail::{Security, SmtpTransport, Timeouts};
use services::identity::MailQueue;
use storage::{
    identity::{NewMail, mails},
    transact,
};
use support::{TestClock, prelude::*};

const BASE_URL: &str = "https://cms.example.com";
/// The settings of a client without TLS and with short timeouts.
fn server(port: u16) -> egress::mail::SmtpSettings {
    egress::mail::SmtpSettings {
        host: "127.0.0.1".to_owned(),
        port,
        security: Security::None,
        verify_certificate: true,
        extra_roots: Vec::new(),
        credentials: None,
        timeouts: Timeouts { connect: Duration::from_secs(20), command: Duration::from_secs(20), content: Duration::from_secs(20) },
    }
}

/// What mails are made and sent with.
fn settings(server: egress::mail::SmtpSettings) -> MailSenderSettings {
    let transport = Arc::new(SmtpTransport::new(server, BASE_URL, None).unwrap());
    let from: Sender = "Größe & Söhne <no-reply@example.org>".parse().unwrap();
    let settings = MailSenderSettings::new(transport, MailTemplates::of_site("Reading room"), from, BASE_URL, &keys());
    // A busy machine is no slow mail server.
    MailSenderSettings { slow_after: PATIENCE, ..settings }
}

fn keys() -> Keys {
    Keys::new(vec![7; 32].into())
}

/// A database with an outbox, and the actors of one process on it.
struct MailFixture {
    database: Arc<Database>,
    clock: Arc<TestClock>,
    system: ActorSystem,
    mail_queue: MailQueue,
}

impl MailFixture {
    /// With a mail server, as it is.
    async fn at(mails: &MailBox) -> Self {
        Self::with(settings(server(mails.port))).await
    }

    async fn with(settings: MailSenderSettings) -> Self {
        let clock = support::clock();
        let database = Arc::new(support::database().await);
        let system = Self::process(&database, clock.clone(), settings).await;
        let mail_queue = MailQueue::new(true, BASE_URL, &keys(), clock.clone(), support::entropy(9));
        Self { database, clock, system, mail_queue }
    }

    async fn process(database: &Database, clock: Arc<TestClock>, settings: MailSenderSettings) -> ActorSystem {
        let mut params = support::system_params(database, clock);
        params.mail = Some(settings);
        support::system_with(params).await
    }

    /// Queues a letter to an address, whose account is made if it is not there.
    async fn write(&self, to: &str, content: MailContent) {
        self.write_to(to, "Ann", "en", content).await;
    }

    async fn write_to(&self, to: &str, name: &str, locale: &str, content: MailContent) {
        let insert = "with made as (
                          insert into users (id, email, first_name, locale, created_at)
                          values (gen_random_uuid(), $1, 'Ann', 'en', $2) on conflict do nothing returning id
                      )
                      select id from made union all select id from users where email = $1";
        let user = UserId(self.database.row(insert, &[&to, &self.clock.now()]).await.get("id"));
        let recipient = Recipient { user, email: Email::parse(to).unwrap(), name: name.to_owned(), locale: locale.to_owned() };
        let mail = self.mail_queue.compose(&recipient, content).unwrap().unwrap();
        add(&self.database, &mail).await.unwrap();
    }

    /// Moves the clock, and lets the actors look.
    fn later(&self, by: Duration) {
        self.clock.advance(by.try_into().unwrap());
        self.system.handles().notifications.wake_all();
    }

    /// Queues a letter that the server will not answer at this stage: until it is there, no timer passes.
    async fn write_until(&self, mails: &MailBox, stage: &str) {
        let _timers = StoppedTimers::now();
        self.write("ann@example.org", link("abc")).await;
        mails.happened(stage, 1).await;
    }

    /// Has what failed tried again, as soon as the server is no longer left alone. No timer passes as long as
    /// the value lives: the limit that was to end the first try is that of the second one, too.
    async fn tried_again(&self, after: Duration) -> StoppedTimers {
        let resumed = async {
            while self.observed().await["paused"] != false {
                tokio::task::yield_now().await;
            }
        };
        timeout(PATIENCE, resumed).await.expect("the server is no longer left alone");
        let timers = StoppedTimers::now();
        self.later(after);
        timers
    }

    /// Waits until a query answers true. It is asked again and again, because the other side is another task
    /// that writes when it can.
    async fn until(&self, query: &str) {
        let began = Instant::now();
        while self.database.value::<Option<bool>>(query).await != Some(true) {
            assert!(began.elapsed() < PATIENCE, "{query}\n{:?}", self.system.handles().observe_all().await["mail_sender"]);
            tokio::task::yield_now().await;
        }
    }

    async fn observed(&self) -> Value {
        self.system.handles().observe_all().await["mail_sender"].clone()
    }
}

async fn add(database: &Database, mail: &NewMail) -> storage::Result<()> {
    transact!(database.store, "test.mail", async |tx| { mails::add(tx, mail).await }).await
}

fn link(token: &str) -> MailContent {
    MailContent::Verification { link: format!("{BASE_URL}/verify-email?token={token}") }
}

fn code(code: &str) -> MailContent {
    MailContent::LoginCode { code: code.to_owned() }
}

/// The mail server was found to be away, and that is written down with the time of the next try.
const AWAY: &str = "select exists (select from jobs where queue = 'mail' and last_error = 'away')";

/// No mail is open any more.
const DONE: &str = "select not exists (select from mails where sent_at is null and dead_at is null)
                       and not exists (select from jobs where queue = 'mail' and finished_at is null)";
