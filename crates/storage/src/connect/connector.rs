//! Making connections to a database that has several hosts, of which some may not answer.
//!
//! ```text
//! open -> the host of the last connection, unless it has fallen silent, then the others in the order of the URL, each address with its share of the time
//!      -> none: an error, which also answers who asks within the next moment where there are several hosts
//!      -> another one than the last (read-write): a new generation; all connections of the former one are closed together. An attempt from before that moment
//!         that succeeds late is given up, so that a host which was hung and wakes up is not taken for the present one
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
    fmt::Write as _,
    io,
    sync::{Mutex, MutexGuard, PoisonError},
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
/// The same for the host that has fallen silent, so that the others are asked often.
const SILENT_LIMIT: Duration = Duration::from_millis(500);
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
    /// Cancelled when the connections of the current host are to be closed.
    generation: CancellationToken,
    is_closed: bool,
    /// Why no host could be used, and when that was found.
    refusal: Option<(Instant, String)>,
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
    timeline: Timeline,
}

impl Origin {
    /// What the connection writes on.
    pub(crate) fn timeline(&self) -> Timeline {
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
        self.first_of(&self.order(), session).await
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

    /// Takes note that the host of a connection can only be read by now, and closes all connections to it, where there are others that may be written.
    pub(crate) fn leave(&self, origin: &Origin) {
        let mut state = self.lock();
        if self.is_followed() && self.has_several_hosts() && !origin.is_closing() {
            state.is_silent = true;
            std::mem::take(&mut state.generation).cancel();
        }
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
        let addresses = self.addresses(order, end, &mut failures).await;
        let mut left = addresses.len();
        for (at, host, address) in addresses {
            let (share, generation) = (self.share_of(end, left, at), self.lock().generation.clone());
            match timeout_at(share, self.attempt(host, &address, session)).await {
                Ok(Ok((client, driver, timeline))) => match self.arrived_at(at, &generation) {
                    Some(closing) => return Ok((client, driver, Origin { address, name: host.name.clone(), closing, timeline })),
                    None => failures.add(host, Error::Unavailable("another host is written meanwhile".to_owned())),
                },
                Ok(Err(error)) => failures.add(host, error),
                Err(_) => failures.add(host, Error::Unavailable("it did not answer in time".to_owned())),
            }
            left -= 1;
        }
        let error = failures.into_error();
        if self.has_several_hosts() {
            self.lock().refusal = Some((Instant::now(), error.to_string()));
        }
        Err(error)
    }

    /// The addresses of the hosts, with the place of each host in `hosts`.
    async fn addresses(&self, order: &[usize], end: Instant, failures: &mut Failures) -> Vec<(usize, &Host, Address)> {
        let mut addresses = Vec::new();
        let mut left = order.len();
        for (at, host) in order.iter().filter_map(|&at| Some((at, self.hosts.get(at)?))) {
            match timeout_at(self.share_of(end, left, at), host.addresses()).await {
                Ok(Ok(found)) => addresses.extend(found.into_iter().map(|address| (at, host, address))),
                Ok(Err(error)) => failures.add(host, lost(&error)),
                Err(_) => failures.add(host, Error::Unavailable("its name was not resolved in time".to_owned())),
            }
            left -= 1;
        }
        addresses
    }

    /// Until when one of `left` that are still to be tried may take: the last one has all the time that is left, unless it is known to be silent.
    fn share_of(&self, end: Instant, left: usize, host: usize) -> Instant {
        let State { current, is_silent, .. } = *self.lock();
        if self.has_several_hosts() && is_silent && current == Some(host) {
            return end.min(Instant::now() + SILENT_LIMIT);
        }
        if left <= 1 {
            return end;
        }
        let parts = u32::try_from(self.hosts.len().max(left)).unwrap_or(u32::MAX);
        end.min(Instant::now() + HOST_LIMIT.min(self.limit / parts))
    }

    /// One connection to one address, with its session begun.
    async fn attempt(&self, host: &Host, address: &Address, session: Session) -> Result<(Client, Driver, Timeline)> {
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

    /// Takes note of the host of a new connection, and returns what ends that connection; `None` when it was begun in a generation that has ended, and
    /// another host is the present one.
    fn arrived_at(&self, host: usize, begun_in: &CancellationToken) -> Option<CancellationToken> {
        let mut state = self.lock();
        let former = state.current;
        let is_moved = former.is_some_and(|former| former != host) && self.is_followed();
        if is_moved && begun_in.is_cancelled() {
            return None;
        }
        state.refusal = None;
        state.is_silent = false;
        state.current = Some(host);
        if is_moved {
            let [from, to] = [former, Some(host)].map(|host| host.and_then(|at| self.hosts.get(at)).map(ToString::to_string));
            tracing::warn!(from, to, "the database is written on another host from now on");
            std::mem::take(&mut state.generation).cancel();
        }
        Some(state.generation.child_token())
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
    use super::{Connector, Origin, Timeline};
    use crate::connect::tls;
    use std::time::Duration;

    fn connector(url: &str) -> crate::Result<Connector> {
        Connector::new(url.parse().unwrap(), tls().unwrap(), Duration::from_secs(2))
    }

    /// A connection to a host of the list.
    async fn made(connector: &Connector, host: usize) -> Origin {
        let address = connector.hosts[host].addresses().await.unwrap().remove(0);
        let begun_in = connector.lock().generation.clone();
        Origin {
            address,
            name: String::new(),
            closing: connector.arrived_at(host, &begun_in).unwrap(),
            timeline: Timeline::default(),
        }
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
        let connector = connector("host=127.0.0.1,127.0.0.2 target_session_attrs=read-write").unwrap();
        let _former = made(&connector, 0).await;
        let begun_in = connector.lock().generation.clone();
        let present = made(&connector, 1).await;
        assert!(connector.arrived_at(0, &begun_in).is_none());
        assert!(!present.is_closing());
        assert!(connector.arrived_at(1, &begun_in).is_some(), "the present one, however late");
    }

    #[tokio::test]
    async fn a_host_that_can_only_be_read_is_left_where_there_are_others() {
        let several = connector("host=127.0.0.1,127.0.0.2 target_session_attrs=read-write").unwrap();
        let former = made(&several, 0).await;
        several.leave(&former);
        assert!(former.is_closing());
        assert_eq!(several.order(), [1, 0]);
        let only = connector("host=127.0.0.1 target_session_attrs=read-write").unwrap();
        let kept = made(&only, 0).await;
        only.leave(&kept);
        assert!(!kept.is_closing(), "it can be read still");
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
