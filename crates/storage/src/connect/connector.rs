//! Making connections to a database that has several hosts, of which some may not answer.
//!
//! ```text
//! connect -> the host of the last connection, unless it has fallen silent, then the others in the order of the URL, each with its share of the time
//!         -> none: an error, which also answers who asks within the next moment where there are several hosts
//! look_for_another -> the same with the other hosts only, when the present one can only be read
//! ```
//!
//! What a new connection says of the hosts is decided in `current_host`.
//!
//! A host that is dark (its packets are lost), hung (it accepts and says nothing) or whose name is not
//! resolved costs a second at most and never the whole time. Each connection asks its host whether it is a
//! primary, so a standby is passed over until it is promoted. tokio-postgres has no limit for what comes
//! after the TCP connection, which is why hosts are tried here.

use super::{
    address::{Address, Host},
    current_host::{AcceptedConnection, CurrentHost},
    failures::Failures,
    last_answer::LastAnswer,
    session::{self, Session, Timeline},
    stream::{self, Stream},
};
use crate::{Error, IsThere, Result};
use futures_util::future::BoxFuture;
use std::{
    io,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};
use tokio::{
    task::JoinHandle,
    time::{Instant, error::Elapsed, timeout, timeout_at},
};
use tokio_postgres::{CancelToken, Client, Config, Connection, config::TargetSessionAttrs, tls::MakeTlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::sync::CancellationToken;

/// How long all hosts together may take while a server starts, of which nothing is served yet.
const START_LIMIT: Duration = Duration::from_secs(15);
/// How long one host may take when there are others.
const HOST_LIMIT: Duration = Duration::from_secs(1);
/// The same for the host that has fallen silent, so that the others are asked often. The connection that
/// LISTENs takes [`HOST_LIMIT`], in case that the host is only slow.
const SILENT_LIMIT: Duration = Duration::from_millis(500);

/// How long a new connection may take at a database that is there.
const PROBE: Duration = Duration::from_millis(500);

/// The other half of a connection, which reads and writes while it is polled.
pub(crate) type Driver = Connection<Stream, <MakeRustlsConnect as MakeTlsConnect<Stream>>::Stream>;

/// Makes connections. All connections of a store are made by one of these.
pub(crate) struct Connector {
    config: Config,
    hosts: Vec<Host>,
    role: Role,
    tls: MakeRustlsConnect,
    /// How long all hosts together may take.
    limit: Duration,
    /// How many starts are under way, see [`Self::starting`].
    starts: AtomicUsize,
    current: Mutex<CurrentHost>,
    last_answer: LastAnswer,
    is_closed: AtomicBool,
    is_there: Option<IsThere>,
}

/// What a connector leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The primary, on whichever host that is.
    Primary,
    /// A host, whether it is a replica or the primary.
    Replica,
}

/// A connection that was made, with its driver running in a task.
pub(crate) struct OpenedConnection {
    pub(crate) client: Client,
    /// Ends with the connection.
    pub(crate) driver: JoinHandle<()>,
    pub(crate) origin: Origin,
}

/// Where a connection leads, and until when.
#[derive(Clone)]
pub(crate) struct Origin {
    address: Address,
    /// The name that a certificate must have.
    name: String,
    /// Cancelled when the connection is to be closed.
    closing: CancellationToken,
    timeline: Option<Timeline>,
}

impl Origin {
    /// The timeline that the connection writes on; `None` on a standby.
    pub(crate) fn timeline(&self) -> Option<Timeline> {
        self.timeline
    }

    /// Whether the connection was closed from this side.
    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Ends the connection, whatever is in flight on it.
    pub(crate) fn close(&self) {
        self.closing.cancel();
    }

    /// Waits until the connection is to be closed.
    pub(crate) async fn closed(&self) {
        self.closing.cancelled().await;
    }
}

impl Connector {
    /// A connector to the primary, which is one of the hosts of a URL.
    pub(crate) fn new(config: Config, tls: MakeRustlsConnect, limit: Duration) -> Result<Self> {
        let hosts = Host::of(&config)?;
        let wrong = match config.get_target_session_attrs() {
            TargetSessionAttrs::ReadWrite => None,
            TargetSessionAttrs::Any => (hosts.len() > 1).then_some(
                "it names several hosts, so it must say target_session_attrs=read-write; only one of them can be written",
            ),
            _ => Some("it must lead to a host that can be written: target_session_attrs=read-write"),
        };
        if let Some(wrong) = wrong {
            return Err(Error::Internal(format!("database URL: {wrong}")));
        }
        Ok(Self::to(hosts, Role::Primary, config, tls, limit))
    }

    /// A connector of its own for each host of a URL that names replicas.
    pub(crate) fn of_each_host(config: &Config, tls: &MakeRustlsConnect, limit: Duration) -> Result<Vec<Self>> {
        if config.get_target_session_attrs() == TargetSessionAttrs::ReadWrite {
            return Err(Error::Internal("database URL: target_session_attrs=read-write leaves out all replicas".to_owned()));
        }
        let one = |host| Self::to(vec![host], Role::Replica, config.clone(), tls.clone(), limit);
        Ok(Host::of(config)?.into_iter().map(one).collect())
    }

    fn to(hosts: Vec<Host>, role: Role, config: Config, tls: MakeRustlsConnect, limit: Duration) -> Self {
        let (current, last_answer, is_closed) = (Mutex::default(), LastAnswer::none(), AtomicBool::new(false));
        Self { config, hosts, role, tls, limit, starts: AtomicUsize::new(0), current, last_answer, is_closed, is_there: None }
    }

    /// Makes connections only while a data directory is there.
    pub(crate) fn only_while(self, is_there: Option<IsThere>) -> Self {
        Self { is_there, ..self }
    }

    /// Is patient while what is returned is there: a host that was slow is asked once more when no other one
    /// can be used, with all the time that is left. A running server rather finds out soon that another host
    /// has become the primary.
    pub(crate) fn starting(self: &Arc<Self>) -> Starting {
        self.starts.fetch_add(1, Relaxed);
        Starting(Arc::clone(self))
    }

    fn is_starting(&self) -> bool {
        self.starts.load(Relaxed) > 0
    }

    /// The hosts, for messages.
    pub(crate) fn name(&self) -> String {
        self.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }

    /// Whether the database may move from one host to another.
    pub(crate) fn has_several_hosts(&self) -> bool {
        self.hosts.len() > 1
    }

    /// To be told of each answer on a connection of the pool.
    pub(crate) fn last_answer(&self) -> &LastAnswer {
        &self.last_answer
    }

    /// What is cancelled when the connections to the present host are closed.
    pub(crate) fn generation(&self) -> CancellationToken {
        self.current().generation()
    }

    /// Whether the database is there: it has just answered, or lets a new connection come about in time.
    pub(crate) async fn is_there(&self) -> bool {
        self.last_answer.is_recent() || matches!(self.probe().await, Ok(Ok(())))
    }

    /// Whether the database says nothing. That it refuses a connection is an answer.
    pub(crate) async fn is_silent(&self) -> bool {
        !self.last_answer.is_recent() && self.probe().await.is_err()
    }

    /// A connection that is made in time, or not, and closed.
    async fn probe(&self) -> std::result::Result<Result<()>, Elapsed> {
        // On the heap, so that the futures of those who ask stay small.
        let opened = timeout(PROBE, Box::pin(self.open(Session::Plain))).await?;
        Ok(opened.map(|opened| opened.origin.close()))
    }

    /// A connection whose driver runs in a task and ends with it.
    pub(crate) async fn open(&self, session: Session) -> Result<OpenedConnection> {
        let (client, driver, origin) = self.connect(session).await?;
        Ok(run(client, driver, origin))
    }

    /// A connection whose driver the caller polls.
    pub(crate) fn connect(&self, session: Session) -> BoxFuture<'_, Result<(Client, Driver, Origin)>> {
        Box::pin(async move {
            if self.is_closed.load(Relaxed) {
                return Err(Error::Unavailable("the store is closed".to_owned()));
            }
            let (begun, order) = {
                let current = self.current();
                if let Some(refusal) = current.standing_refusal() {
                    return Err(Error::Unavailable(refusal));
                }
                (current.begin(), current.order(self.hosts.len()))
            };
            let outcome = self.first_of(&order, session).await;
            if let Err(error) = &outcome
                && self.has_several_hosts()
            {
                self.current().refuse(error.to_string(), begun);
            }
            outcome
        })
    }

    /// Makes no more connections.
    pub(crate) fn close(&self) {
        self.is_closed.store(true, Relaxed);
    }

    /// Asks PostgreSQL to cancel what runs on a connection, by a connection of its own.
    pub(crate) async fn cancel(&self, token: &CancelToken, origin: &Origin) -> Result<()> {
        let cancelling = async {
            let stream = self.stream(&origin.address).await?;
            Ok(token.cancel_query_raw(stream, self.tls_for(&origin.name)?).await?)
        };
        timeout_at(Instant::now() + self.limit, cancelling).await.map_err(|_| Error::TimedOut)?
    }

    /// Takes note that the host of a connection has fallen silent. It is the last to be tried until one of
    /// the hosts answers.
    pub(crate) fn distrust(&self, origin: &Origin) {
        let mut current = self.current();
        // One of a former generation says nothing about the present host.
        if !origin.is_closing() {
            current.distrust();
        }
    }

    /// Sees whether another host can be written by now, because the present one cannot. If so, all
    /// connections move there; if not, they stay, to read.
    pub(crate) fn look_for_another(self: &Arc<Self>) {
        if !self.has_several_hosts() {
            return;
        }
        let Some(others) = self.current().look_for_another(self.hosts.len()) else { return };
        let connector = Arc::clone(self);
        #[expect(clippy::disallowed_methods, reason = "it ends by its own limits, and nothing waits for it")]
        tokio::spawn(async move {
            if let Err(error) = connector.first_of(&others, Session::Plain).await {
                tracing::warn!(%error, "the database can only be read, and no other host can be written");
            }
        });
    }

    /// A connection to the first of these hosts that can be used.
    async fn first_of(&self, order: &[usize], session: Session) -> Result<(Client, Driver, Origin)> {
        let (mut failures, mut slow) = (Failures::default(), Vec::new());
        let is_patient = self.is_starting();
        let end = Instant::now() + if is_patient { START_LIMIT } else { self.limit };
        let mut hosts_left = order.len();
        for (at, host) in order.iter().filter_map(|&at| Some((at, self.hosts.get(at)?))) {
            // Each name is looked up in its host's share of the time: one that is not resolved must not hold
            // up the others.
            let by = self.share_of(end, hosts_left, at, session);
            hosts_left -= 1;
            let addresses = match timeout_at(by, host.addresses()).await {
                Ok(Ok(addresses)) => addresses,
                Ok(Err(error)) => {
                    failures.add(host, lost(&error));
                    continue;
                }
                Err(_) => {
                    failures.add(host, Error::Unavailable("its name was not resolved in time".to_owned()));
                    continue;
                }
            };
            let mut addresses_left = u32::try_from(addresses.len()).unwrap_or(u32::MAX);
            for address in &addresses {
                let share = by.saturating_duration_since(Instant::now()) / addresses_left;
                addresses_left -= 1;
                match self.connect_to(at, host, address, session, Instant::now() + share).await {
                    Ok(Ok(connected)) => return Ok(connected),
                    Ok(Err(error)) => failures.add(host, error),
                    Err(_) => {
                        failures.add(host, Error::Unavailable("it did not answer in time".to_owned()));
                        if is_patient {
                            slow.push((at, host, address.clone()));
                        }
                    }
                }
            }
        }
        for (at, host, address) in slow {
            if let Ok(Ok(connected)) = self.connect_to(at, host, &address, session, end).await {
                return Ok(connected);
            }
        }
        Err(failures.into_error())
    }

    /// A connection to one address of a host, made by an instant.
    async fn connect_to(
        &self,
        at: usize,
        host: &Host,
        address: &Address,
        session: Session,
        by: Instant,
    ) -> std::result::Result<Result<(Client, Driver, Origin)>, Elapsed> {
        let begun = self.current().begin();
        let attempt = timeout_at(by, self.attempt(host, address, session)).await?;
        Ok(attempt.and_then(|(client, driver, timeline)| {
            let arrived = self.current().arrive(at, timeline, begun);
            let AcceptedConnection { closing, former } = arrived.map_err(|why| Error::Unavailable(why.to_owned()))?;
            if let Some(former) = former {
                let [from, to] = [former, at].map(|at| self.hosts.get(at).map(ToString::to_string));
                tracing::warn!(from, to, "the database is written on another host from now on");
            }
            Ok((client, driver, Origin { address: address.clone(), name: host.name.clone(), closing, timeline }))
        }))
    }

    /// Until when one of `left` hosts that are still to be tried may take: the last one has all the time that
    /// is left, unless it is known to be silent.
    fn share_of(&self, end: Instant, left: usize, host: usize, session: Session) -> Instant {
        if self.has_several_hosts() && self.current().is_silent(host) {
            return end.min(Instant::now() + if session == Session::Plain { HOST_LIMIT } else { SILENT_LIMIT });
        }
        if left <= 1 {
            return end;
        }
        let parts = u32::try_from(self.hosts.len().max(left)).unwrap_or(u32::MAX);
        end.min(Instant::now() + HOST_LIMIT.min(self.limit / parts))
    }

    /// One connection to one address, with its session begun.
    async fn attempt(&self, host: &Host, address: &Address, session: Session) -> Result<(Client, Driver, Option<Timeline>)> {
        let stream = self.stream(address).await?;
        let (client, mut driver) = self.config.connect_raw(stream, self.tls_for(&host.name)?).await?;
        let answer = tokio::select! {
            answer = client.simple_query(session::beginning(session)) => answer?,
            ended = &mut driver => {
                ended?;
                return Err(Error::Unavailable("it closed the connection".to_owned()));
            }
        };
        let timeline = session::timeline(&answer);
        match self.refuses(timeline, session::is_read_only(&answer)) {
            Some(why) => Err(Error::Unavailable(why.to_owned())),
            None => Ok((client, driver, timeline)),
        }
    }

    async fn stream(&self, address: &Address) -> Result<Stream> {
        stream::connect(address, &self.config, self.is_there.as_ref()).await.map_err(|error| lost(&error))
    }

    /// Why a host cannot be used that writes on a timeline (a standby on none), and that perhaps can only be
    /// read.
    fn refuses(&self, timeline: Option<Timeline>, is_read_only: bool) -> Option<&'static str> {
        match (self.role, self.config.get_target_session_attrs()) {
            (Role::Primary, _) if timeline.is_none() => Some("it is a standby, which cannot be written"),
            (Role::Primary, TargetSessionAttrs::ReadWrite) if is_read_only => Some("it can only be read"),
            (Role::Replica, TargetSessionAttrs::ReadOnly) if timeline.is_some() => Some("it is not read-only"),
            _ => None,
        }
    }

    fn tls_for(&self, name: &str) -> Result<<MakeRustlsConnect as MakeTlsConnect<Stream>>::TlsConnect> {
        let mut tls = self.tls.clone();
        let connect = MakeTlsConnect::<Stream>::make_tls_connect(&mut tls, name);
        connect.map_err(|error| Error::Internal(format!("TLS: {error}")))
    }

    fn current(&self) -> MutexGuard<'_, CurrentHost> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A start that is under way: until this is dropped the database is waited for with patience.
#[must_use = "the start is over when this is dropped"]
pub struct Starting(Arc<Connector>);

impl Drop for Starting {
    fn drop(&mut self) {
        self.0.starts.fetch_sub(1, Relaxed);
    }
}

/// Runs the driver of a connection in a task.
fn run(client: Client, driver: Driver, origin: Origin) -> OpenedConnection {
    let closing = origin.closing.clone();
    #[expect(clippy::disallowed_methods, reason = "the driver of the connection ends with it, so there is nothing to supervise")]
    let driver = tokio::spawn(async move {
        tokio::select! {
            ended = driver => if let Err(error) = ended {
                tracing::debug!(%error, "connection ended");
            },
            () = closing.cancelled() => {}
        }
    });
    OpenedConnection { client, driver, origin }
}

fn lost(error: &io::Error) -> Error {
    Error::Unavailable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{CancellationToken, Connector, Origin, Timeline};
    use crate::connect::tls;
    use std::time::Duration;

    const TIMELINE: Timeline = Timeline { cluster: 7, number: 1 };

    fn connector(url: &str) -> crate::Result<Connector> {
        Connector::new(url.parse().unwrap(), tls().unwrap(), Duration::from_secs(2))
    }

    fn replicas(url: &str) -> crate::Result<Vec<Connector>> {
        Connector::of_each_host(&url.parse().unwrap(), &tls().unwrap(), Duration::from_secs(1))
    }

    /// A connection to a host of the list, begun just now.
    async fn made(connector: &Connector, host: usize) -> Origin {
        let address = connector.hosts[host].addresses().await.unwrap().remove(0);
        let mut current = connector.current();
        let begun = current.begin();
        let closing: CancellationToken = current.arrive(host, Some(TIMELINE), begun).unwrap().closing;
        Origin { address, name: String::new(), closing, timeline: Some(TIMELINE) }
    }

    #[tokio::test]
    async fn what_a_closed_connection_says_is_no_news() {
        let connector = connector("host=127.0.0.1,127.0.0.2 target_session_attrs=read-write").unwrap();
        let former = made(&connector, 0).await;
        let present = made(&connector, 1).await;
        connector.distrust(&former);
        assert!(!connector.current().is_silent(1));
        connector.distrust(&present);
        assert!(connector.current().is_silent(1));
    }

    #[tokio::test]
    async fn each_replica_is_a_host_of_its_own_and_another_one_ends_nothing() {
        let all = replicas("host=127.0.0.1,127.0.0.2").unwrap();
        assert_eq!(all.iter().map(Connector::name).collect::<Vec<_>>(), ["127.0.0.1:5432", "127.0.0.2:5432"]);
        let first = made(&all[0], 0).await;
        let _second = made(&all[1], 0).await;
        assert!(!first.is_closing());
    }

    #[test]
    fn several_hosts_need_a_word_on_which_to_take_and_replicas_must_not_be_asked_for_a_primary() {
        assert!(connector("host=a,b").is_err() && connector("host=a,b target_session_attrs=read-only").is_err());
        assert!(connector("host=a").is_ok() && connector("host=a,b target_session_attrs=read-write").is_ok());
        assert!(replicas("host=a,b").is_ok() && replicas("host=a target_session_attrs=read-only").is_ok());
        assert!(replicas("host=a target_session_attrs=read-write").is_err());
    }

    #[test]
    fn a_primary_is_a_host_that_writes_and_a_replica_is_any_unless_the_url_says_otherwise() {
        let (standby, locked, primary) = ((None, true), (Some(TIMELINE), true), (Some(TIMELINE), false));
        let accepts =
            |connector: &Connector| [standby, locked, primary].map(|(at, read_only)| connector.refuses(at, read_only).is_none());
        assert_eq!(accepts(&connector("host=a").unwrap()), [false, true, true]);
        assert_eq!(accepts(&connector("host=a target_session_attrs=read-write").unwrap()), [false, false, true]);
        assert_eq!(accepts(&replicas("host=a").unwrap()[0]), [true, true, true]);
        assert_eq!(accepts(&replicas("host=a target_session_attrs=read-only").unwrap()[0]), [true, false, false]);
    }
}
