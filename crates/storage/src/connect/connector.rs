//! Making connections to a database that has several hosts, of which some may not answer.
//!
//! ```text
//! connect -> the host of the last connection, unless it has fallen silent, then the others in the order of the URL, each address with its share of the time
//!         -> none: an error, which also answers who asks within the next moment where there are several hosts
//!         -> another host than the last, or a newer timeline: a new generation; all connections of the former one are closed together
//!         -> an older timeline, or a host that answers late, after another one has taken over: given up, it is a former primary
//! look_for_another -> the same with the other hosts only, when the present one can only be read
//! ```
//!
//! A host that is dark (its packets are lost) or hung (it accepts and says nothing) costs a second at most and never the whole time. Whether a host can
//! be written is asked on each connection when the URL says `target_session_attrs=read-write`, so a standby is passed over until it is promoted.
//! tokio-postgres has no limit for what comes after the TCP connection, which is why hosts are tried here.

use super::{
    address::{Address, Host},
    session::{self, Session, Timeline},
    stream::{self, Stream},
};
use crate::{Error, Result};
use std::{
    cmp::Ordering,
    fmt::Write as _,
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    task::JoinHandle,
    time::{Instant, timeout_at},
};
use tokio_postgres::{CancelToken, Client, Config, Connection, config::TargetSessionAttrs, tls::MakeTlsConnect};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::sync::CancellationToken;

/// How long one address may take when there are others.
const HOST_LIMIT: Duration = Duration::from_secs(1);
/// The same for the host that has fallen silent, so that the others are asked often. The connection that LISTENs takes more, in case that the host is only slow.
const SILENT_LIMIT: Duration = Duration::from_millis(500);
/// How often the others are asked while the present host can only be read.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);
/// For how long the answer stands that none of several hosts can be used. It keeps a thousand waiting requests from asking a standby that is being promoted.
const REFUSAL_STANDS: Duration = Duration::from_millis(100);

/// The other half of a connection, which reads and writes while it is polled.
pub(crate) type Driver = Connection<Stream, <MakeRustlsConnect as MakeTlsConnect<Stream>>::Stream>;

/// Makes connections. All connections of a store are made by one of these.
pub(crate) struct Connector {
    config: Config,
    hosts: Vec<Host>,
    tls: MakeRustlsConnect,
    /// How long all hosts together may take.
    limit: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The host in `hosts` that the last connection was made to.
    current: Option<usize>,
    /// Whether it has not answered on a connection that was open.
    is_silent: bool,
    /// How often that has changed.
    moves: u64,
    /// How many connections were made.
    made: u64,
    /// What the current host writes on; the newest timeline that was seen of its cluster.
    timeline: Option<Timeline>,
    /// Cancelled when the connections of the current host are to be closed.
    generation: CancellationToken,
    is_closed: bool,
    /// Why no host could be used, and when that was found.
    refusal: Option<(Instant, String)>,
    /// When the other hosts were asked for the last time because the current one can only be read.
    looked_at: Option<Instant>,
}

/// A connection that was made, with its driver running in a task.
pub(crate) struct Opened {
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
    pub(crate) fn new(config: Config, tls: MakeRustlsConnect, limit: Duration) -> Result<Self> {
        let hosts = Host::of(&config)?;
        if hosts.len() > 1 && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            return Err(Error::Internal(
                "database URL: it names several hosts, so it must say target_session_attrs=read-write; only one of them can be written".to_owned(),
            ));
        }
        Ok(Self { config, hosts, tls, limit, state: Mutex::default() })
    }

    /// A connector of its own for each host of a URL.
    pub(crate) fn of_each_host(config: &Config, tls: &MakeRustlsConnect, limit: Duration) -> Result<Vec<Self>> {
        let one = |host| Self { config: config.clone(), hosts: vec![host], tls: tls.clone(), limit, state: Mutex::default() };
        Ok(Host::of(config)?.into_iter().map(one).collect())
    }

    /// The hosts, for messages.
    pub(crate) fn name(&self) -> String {
        self.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }

    /// Whether the database may move from one host to another.
    pub(crate) fn has_several_hosts(&self) -> bool {
        self.hosts.len() > 1
    }

    /// A connection whose driver runs in a task and ends with it.
    pub(crate) async fn open(&self, session: Session) -> Result<Opened> {
        let (client, driver, origin) = self.connect(session).await?;
        Ok(run(client, driver, origin))
    }

    /// A connection whose driver the caller polls.
    pub(crate) async fn connect(&self, session: Session) -> Result<(Client, Driver, Origin)> {
        if let Some(refusal) = self.standing_refusal() {
            return Err(Error::Unavailable(refusal));
        }
        let made = self.lock().made;
        let outcome = self.first_of(&self.order(), session).await;
        if let Err(error) = &outcome
            && self.has_several_hosts()
        {
            let mut state = self.lock();
            // One that was made meanwhile is better news.
            if state.made == made {
                state.refusal = Some((Instant::now(), error.to_string()));
            }
        }
        outcome
    }

    /// Makes no more connections.
    pub(crate) fn close(&self) {
        self.lock().is_closed = true;
    }

    /// Asks PostgreSQL to cancel what runs on a connection, by a connection of its own.
    pub(crate) async fn cancel(&self, token: &CancelToken, origin: &Origin) -> Result<()> {
        let cancelling = async {
            let stream = stream::connect(&origin.address, &self.config).await.map_err(|error| lost(&error))?;
            Ok(token.cancel_query_raw(stream, self.tls_for(&origin.name)?).await?)
        };
        timeout_at(Instant::now() + self.limit, cancelling).await.map_err(|_| Error::TimedOut)?
    }

    /// Takes note that the host of a connection has fallen silent. It is the last to be tried until one of the hosts answers.
    pub(crate) fn distrust(&self, origin: &Origin) {
        let mut state = self.lock();
        // One of a former generation says nothing about the present host.
        state.is_silent |= !origin.is_closing();
    }

    /// Sees whether another host can be written by now, because the present one cannot. If so, all connections move there; if not, they stay, to read.
    pub(crate) fn look_for_another(self: &Arc<Self>) {
        let others: Vec<usize> = {
            let mut state = self.lock();
            let is_due = state.looked_at.is_none_or(|at| at.elapsed() >= LOOK_INTERVAL);
            if !is_due || !self.is_followed() || !self.has_several_hosts() {
                return;
            }
            state.looked_at = Some(Instant::now());
            (0..self.hosts.len()).filter(|host| Some(*host) != state.current).collect()
        };
        let connector = Arc::clone(self);
        #[expect(clippy::disallowed_methods, reason = "it ends by its own limits, and nothing waits for it")]
        tokio::spawn(async move {
            if let Err(error) = connector.first_of(&others, Session::Plain).await {
                tracing::warn!(%error, "the database can only be read, and no other host can be written");
            }
        });
    }

    /// Whether the database is on one host at a time, which is the one that can be written.
    fn is_followed(&self) -> bool {
        self.config.get_target_session_attrs() == TargetSessionAttrs::ReadWrite
    }

    /// The hosts in the order in which they are tried.
    fn order(&self) -> Vec<usize> {
        let State { current, is_silent, .. } = *self.lock();
        let (before, after) = if is_silent { (None, current) } else { (current, None) };
        let others = (0..self.hosts.len()).filter(|host| Some(*host) != current);
        before.into_iter().chain(others).chain(after).collect()
    }

    async fn first_of(&self, order: &[usize], session: Session) -> Result<(Client, Driver, Origin)> {
        let mut failures = Failures::default();
        let end = Instant::now() + self.limit;
        let addresses = self.addresses(order, session, end, &mut failures).await;
        let mut left = addresses.len();
        for (at, host, address) in addresses {
            let (share, moves) = (self.share_of(end, left, at, session), self.lock().moves);
            match timeout_at(share, self.attempt(host, &address, session)).await {
                Ok(Ok((client, driver, timeline))) => match self.arrived_at(at, timeline, moves) {
                    Ok(closing) => return Ok((client, driver, Origin { address, name: host.name.clone(), closing, timeline })),
                    Err(why) => failures.add(host, Error::Unavailable(why)),
                },
                Ok(Err(error)) => failures.add(host, error),
                Err(_) => failures.add(host, Error::Unavailable("it did not answer in time".to_owned())),
            }
            left -= 1;
        }
        Err(failures.into_error())
    }

    /// The addresses of the hosts, with the place of each host in `hosts`.
    async fn addresses(
        &self,
        order: &[usize],
        session: Session,
        end: Instant,
        failures: &mut Failures,
    ) -> Vec<(usize, &Host, Address)> {
        let mut addresses = Vec::new();
        let mut left = order.len();
        for (at, host) in order.iter().filter_map(|&at| Some((at, self.hosts.get(at)?))) {
            match timeout_at(self.share_of(end, left, at, session), host.addresses()).await {
                Ok(Ok(found)) => addresses.extend(found.into_iter().map(|address| (at, host, address))),
                Ok(Err(error)) => failures.add(host, lost(&error)),
                Err(_) => failures.add(host, Error::Unavailable("its name was not resolved in time".to_owned())),
            }
            left -= 1;
        }
        addresses
    }

    /// Until when one of `left` that are still to be tried may take: the last one has all the time that is left, unless it is known to be silent.
    fn share_of(&self, end: Instant, left: usize, host: usize, session: Session) -> Instant {
        let State { current, is_silent, .. } = *self.lock();
        if self.has_several_hosts() && is_silent && current == Some(host) && session != Session::Plain {
            return end.min(Instant::now() + SILENT_LIMIT);
        }
        if left <= 1 {
            return end;
        }
        let parts = u32::try_from(self.hosts.len().max(left)).unwrap_or(u32::MAX);
        end.min(Instant::now() + HOST_LIMIT.min(self.limit / parts))
    }

    /// One connection to one address, with its session begun.
    async fn attempt(&self, host: &Host, address: &Address, session: Session) -> Result<(Client, Driver, Option<Timeline>)> {
        let stream = stream::connect(address, &self.config).await.map_err(|error| lost(&error))?;
        let (client, mut driver) = self.config.connect_raw(stream, self.tls_for(&host.name)?).await?;
        let answer = tokio::select! {
            answer = client.simple_query(session::beginning(session)) => answer?,
            ended = &mut driver => {
                ended?;
                return Err(Error::Unavailable("it closed the connection".to_owned()));
            }
        };
        match (self.config.get_target_session_attrs(), session::is_read_only(&answer)) {
            (TargetSessionAttrs::ReadWrite, true) => Err(Error::Unavailable("it is a standby, which cannot be written".to_owned())),
            (TargetSessionAttrs::ReadOnly, false) => Err(Error::Unavailable("it is not read-only".to_owned())),
            _ => Ok((client, driver, session::timeline(&answer))),
        }
    }

    fn tls_for(&self, name: &str) -> Result<<MakeRustlsConnect as MakeTlsConnect<Stream>>::TlsConnect> {
        let mut tls = self.tls.clone();
        let connect = MakeTlsConnect::<Stream>::make_tls_connect(&mut tls, name);
        connect.map_err(|error| Error::Internal(format!("TLS: {error}")))
    }

    /// Takes note of a new connection, and returns what ends it, or why it must not be used. `moves` is from when it was begun.
    fn arrived_at(&self, host: usize, timeline: Option<Timeline>, moves: u64) -> std::result::Result<CancellationToken, String> {
        let mut state = self.lock();
        let former = state.current;
        let (is_elsewhere, age) = (former != Some(host), age(state.timeline, timeline));
        if self.is_followed() && is_elsewhere && state.moves != moves {
            return Err("another host is written meanwhile".to_owned());
        }
        if self.is_followed() && age == Ordering::Less {
            return Err(
                "it is a former primary: another host has written on a newer timeline (after a restore, restart the server)"
                    .to_owned(),
            );
        }
        state.refusal = None;
        state.is_silent = false;
        state.made += 1;
        state.timeline = timeline.or(state.timeline);
        if is_elsewhere {
            state.current = Some(host);
            state.moves += 1;
        }
        // A newer timeline says the same of a name that leads to another host than before.
        if age == Ordering::Greater || (is_elsewhere && former.is_some() && self.is_followed()) {
            let [from, to] = [former, Some(host)].map(|host| host.and_then(|at| self.hosts.get(at)).map(ToString::to_string));
            tracing::warn!(from, to, "the database is written on another host from now on");
            std::mem::take(&mut state.generation).cancel();
        }
        Ok(state.generation.child_token())
    }

    fn standing_refusal(&self) -> Option<String> {
        let state = self.lock();
        if state.is_closed {
            return Some("the store is closed".to_owned());
        }
        let (at, why) = state.refusal.as_ref()?;
        (at.elapsed() < REFUSAL_STANDS).then(|| why.clone())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs the driver of a connection in a task.
fn run(client: Client, driver: Driver, origin: Origin) -> Opened {
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
    Opened { client, driver, origin }
}

/// How a timeline compares with the one that is known, where that can be said.
fn age(known: Option<Timeline>, found: Option<Timeline>) -> Ordering {
    match (known, found) {
        (Some(known), Some(found)) if known.cluster == found.cluster => found.number.cmp(&known.number),
        _ => Ordering::Equal,
    }
}

fn lost(error: &io::Error) -> Error {
    Error::Unavailable(error.to_string())
}

/// What each host said.
#[derive(Default)]
struct Failures {
    first: Option<Error>,
    all: String,
    count: usize,
}

impl Failures {
    fn add(&mut self, host: &Host, error: Error) {
        let _ = write!(self.all, "{}{host}: {error}", if self.all.is_empty() { "" } else { "; " });
        self.first.get_or_insert(error);
        self.count += 1;
    }

    /// The error of the only host as it is, or those of all in one line.
    fn into_error(self) -> Error {
        match self.first {
            Some(error) if self.count == 1 => error,
            _ => Error::Unavailable(self.all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CancellationToken, Connector, Origin, Timeline};
    use crate::connect::tls;
    use std::time::Duration;

    fn connector(url: &str) -> crate::Result<Connector> {
        Connector::new(url.parse().unwrap(), tls().unwrap(), Duration::from_secs(2))
    }

    /// A connection to a host of the list, begun just now.
    async fn made(connector: &Connector, host: usize) -> Origin {
        let moves = connector.lock().moves;
        let address = connector.hosts[host].addresses().await.unwrap().remove(0);
        Origin { address, name: String::new(), closing: connector.arrived_at(host, None, moves).unwrap(), timeline: None }
    }

    fn timeline(number: i32) -> Timeline {
        Timeline { cluster: 7, number }
    }

    #[tokio::test]
    async fn the_host_of_the_last_connection_comes_first_until_it_is_silent() {
        let connector = connector("host=127.0.0.1,127.0.0.2,127.0.0.3 target_session_attrs=read-write").unwrap();
        assert_eq!(connector.order(), [0, 1, 2]);
        let second = made(&connector, 1).await;
        assert_eq!(connector.order(), [1, 0, 2]);
        connector.distrust(&second);
        assert_eq!(connector.order(), [0, 2, 1]);
        let _again = made(&connector, 1).await;
        assert_eq!(connector.order(), [1, 0, 2], "it answers again");
    }

    #[tokio::test]
    async fn all_connections_to_one_host_end_when_another_one_is_written() {
        let connector = connector("host=127.0.0.1,127.0.0.2 target_session_attrs=read-write").unwrap();
        let former = [made(&connector, 0).await, made(&connector, 0).await];
        assert!(former.iter().all(|origin| !origin.is_closing()));
        let present = made(&connector, 1).await;
        assert!(former.iter().all(Origin::is_closing) && !present.is_closing());
        connector.distrust(&former[0]);
        assert_eq!(connector.order(), [1, 0], "what a closed connection says is no news");
    }

    #[tokio::test]
    async fn a_host_that_wakes_up_after_another_one_has_taken_over_is_not_taken_for_the_present_one() {
        for first in [None, Some(0)] {
            let connector = connector("host=127.0.0.1,127.0.0.2 target_session_attrs=read-write").unwrap();
            if let Some(first) = first {
                made(&connector, first).await;
            }
            let begun = connector.lock().moves;
            let present = made(&connector, 1).await;
            assert!(connector.arrived_at(0, None, begun).is_err());
            assert!(!present.is_closing());
            assert!(connector.arrived_at(1, None, begun).is_ok(), "the present one, however late");
        }
    }

    #[tokio::test]
    async fn a_former_primary_is_known_by_its_timeline() {
        let connector = connector("host=127.0.0.1,127.0.0.2 target_session_attrs=read-write").unwrap();
        let arrive = |host, found| {
            let moves = connector.lock().moves;
            connector.arrived_at(host, found, moves)
        };
        let former = arrive(0, Some(timeline(3))).unwrap();
        let present = arrive(1, Some(timeline(4))).unwrap();
        assert!(former.is_cancelled());
        assert!(arrive(0, Some(timeline(3))).unwrap_err().contains("former primary"));
        assert!(!present.is_cancelled() && connector.order() == [1, 0]);
        assert!(arrive(0, Some(timeline(4))).is_ok(), "another standby that was promoted");
        let other = Some(Timeline { cluster: 8, number: 1 });
        assert!(arrive(0, other).is_ok(), "another cluster has timelines of its own");
    }

    #[tokio::test]
    async fn connections_of_an_older_timeline_end_when_a_name_leads_to_a_newer_one() {
        let connector = connector("host=127.0.0.1").unwrap();
        let former =
            [connector.arrived_at(0, Some(timeline(1)), 0).unwrap(), connector.arrived_at(0, Some(timeline(1)), 0).unwrap()];
        assert!(!former.iter().any(CancellationToken::is_cancelled));
        let present = connector.arrived_at(0, Some(timeline(2)), 0).unwrap();
        assert!(former.iter().all(CancellationToken::is_cancelled) && !present.is_cancelled());
    }

    #[tokio::test]
    async fn each_replica_is_a_host_of_its_own_and_another_one_ends_nothing() {
        let config = "host=127.0.0.1,127.0.0.2".parse().unwrap();
        let all = Connector::of_each_host(&config, &tls().unwrap(), Duration::from_secs(1)).unwrap();
        assert_eq!(all.iter().map(Connector::name).collect::<Vec<_>>(), ["127.0.0.1:5432", "127.0.0.2:5432"]);
        let first = made(&all[0], 0).await;
        let _second = made(&all[1], 0).await;
        assert!(!first.is_closing());
    }

    #[test]
    fn several_hosts_need_a_word_on_which_to_take() {
        assert!(connector("host=a,b").is_err() && connector("host=a").is_ok());
    }
}
