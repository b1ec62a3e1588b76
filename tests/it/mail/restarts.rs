//! The actor is restarted while a mail is being sent: the worker's report is not lost with it.

use super::{DONE, MailFixture, PATIENCE, link, server, settings};
use actors::identity::mail_sender::MailSenderSettings;
use domain::shared::{Backoff, Clock};
use egress::mail::{Failure, MailConnection, MailTransport, Message, Probe, ServerDescription, SmtpTransport};
use futures_util::future::BoxFuture;
use jiff::Timestamp;
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};
use storage::Executor;
use support::{MailBox, TestClock, prelude::StoppedTimers};
use tokio::sync::Semaphore;

/// A real mail server behind a gate: each mail takes a permit.
struct Gated {
    server: SmtpTransport,
    gate: Arc<Semaphore>,
}

struct GatedConnection {
    connection: Box<dyn MailConnection>,
    gate: Arc<Semaphore>,
}

impl MailTransport for Gated {
    fn connect(&self) -> BoxFuture<'_, Result<Box<dyn MailConnection>, Failure>> {
        Box::pin(async {
            let gated = GatedConnection { connection: self.server.connect().await?, gate: Arc::clone(&self.gate) };
            Ok(Box::new(gated) as Box<dyn MailConnection>)
        })
    }

    fn probe(&self, patience: Duration) -> BoxFuture<'_, Probe> {
        self.server.probe(patience)
    }

    fn describe(&self) -> ServerDescription {
        self.server.describe()
    }
}

impl MailConnection for GatedConnection {
    fn send<'a>(&'a mut self, message: &'a Message) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async {
            self.gate.acquire().await.unwrap().forget();
            self.connection.send(message).await
        })
    }

    fn is_alive(&mut self) -> BoxFuture<'_, bool> {
        self.connection.is_alive()
    }

    fn is_usable(&self) -> bool {
        self.connection.is_usable()
    }

    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        self.connection.close()
    }
}

/// A clock that panics as long as it is broken, and so fails the actors that read it.
struct Fragile {
    clock: Arc<TestClock>,
    is_broken: AtomicBool,
}

impl Clock for Fragile {
    fn now(&self) -> Timestamp {
        assert!(!self.is_broken.load(Ordering::Acquire), "wanted by the test");
        self.clock.now()
    }
}

#[tokio::test]
async fn the_report_of_a_worker_survives_a_restart_of_the_actor() {
    let mails = MailBox::start().await;
    let gate = Arc::new(Semaphore::new(1));
    let transport = SmtpTransport::new(server(mails.port), super::BASE_URL, None).unwrap();
    let gated = Arc::new(Gated { server: transport, gate: gate.clone() });
    let fixture = MailFixture::at(&mails).await;
    assert!(fixture.system.drain(Duration::from_secs(30)).await, "the one of this test sends alone");
    let clock = Arc::new(Fragile { clock: fixture.clock.clone(), is_broken: AtomicBool::new(false) });
    let mut params = support::system_params(&fixture.database, fixture.clock.clone());
    params.clock = clock.clone();
    params.restart_backoff = Backoff { first: Duration::from_micros(50), cap: Duration::from_micros(50), jitter: 0 };
    // The second mail is begun beside the first at once.
    params.mail = Some(MailSenderSettings { transport: gated, slow_after: Duration::ZERO, ..settings(server(mails.port)) });
    // No other actor polls by itself while the clock is broken: each one that fails counts.
    let timers = StoppedTimers::now();
    let system = support::system_with(params).await;
    // Waits for an answer of the actor: it is asked again and again, because it may be restarting.
    let until = async |member: &str, value: u64| {
        let began = Instant::now();
        while system.handles().observe_all().await["mail_sender"][member] != value {
            assert!(began.elapsed() < PATIENCE, "{member} {value}: {:?}", system.handles().observe_all().await["mail_sender"]);
            tokio::task::yield_now().await;
        }
    };

    fixture.write("zoe@example.org", link("xyz")).await;
    until("sent", 1).await;
    fixture.write("ann@example.org", link("abc")).await;
    until("workers", 1).await;
    clock.is_broken.store(true, Ordering::Release);
    drop(timers);
    // The actor claims this one, reads the clock, and fails. The next actor has sent nothing yet.
    fixture.write("bob@example.org", link("def")).await;
    until("sent", 0).await;
    until("workers", 1).await;
    clock.is_broken.store(false, Ordering::Release);
    gate.add_permits(1);
    mails.next_to("ann@example.org").await;
    until("sent", 1).await;
    fixture.until("select count(*) = 2 from mails where sent_at is not null").await;

    // What the failed actor had claimed and not begun is sent when its lease is over.
    let session = fixture.database.store.connection("test").await.unwrap();
    let expire = "update jobs set lease_until = clock_timestamp() where queue = 'mail' and lease_token is not null";
    assert_eq!(session.execute(expire, &[]).await.unwrap(), 1);
    gate.add_permits(1);
    system.handles().notifications.wake_all();
    mails.next_to("bob@example.org").await;
    fixture.until(DONE).await;
    assert_eq!(mails.count("mail"), 3, "each one once");
}
