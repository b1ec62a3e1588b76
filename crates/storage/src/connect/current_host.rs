//! Which host of a database this process uses, and what it knows of it.
//!
//! ```text
//! arrive    another host than before, a newer timeline, or another cluster: all connections of the former one are closed together
//!           an older timeline, or a host that answers late, after another one has taken over: refused, it is a former primary
//! distrust  it does not answer on a connection that is open: the last to be tried, until a host answers
//! refuse    no host could be used: that answers who asks within the next moment
//! ```

use super::session::Timeline;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// For how long the answer stands that none of several hosts can be used. It keeps a thousand waiting
/// requests from asking a standby that is being promoted.
const REFUSAL_STANDS: Duration = Duration::from_millis(100);
/// How often the others are asked while the present host can only be read.
const LOOK_INTERVAL: Duration = Duration::from_millis(500);

/// The state of a connector. Hosts are named by their places in its list.
#[derive(Default)]
pub(super) struct CurrentHost {
    /// The host that the last connection was made to.
    host: Option<usize>,
    /// Whether it has not answered on a connection that was open.
    is_silent: bool,
    /// How often another host has become the current one.
    moves: u64,
    /// How many connections were made.
    made: u64,
    /// What the current host writes on.
    timeline: Option<Timeline>,
    /// Cancelled when the connections of the current host are to be closed.
    generation: CancellationToken,
    /// Why no host could be used, and when that was found.
    refusal: Option<(Instant, String)>,
    /// When the other hosts were asked for the last time because the current one can only be read.
    looked_at: Option<Instant>,
}

/// How things stood when a connection was begun.
#[derive(Clone, Copy)]
pub(super) struct Begun {
    moves: u64,
    made: u64,
}

/// A connection that may be used.
pub(super) struct AcceptedConnection {
    /// Cancelled when it is to be closed.
    pub(super) closing: CancellationToken,
    /// The host whose connections were closed, because another one is used from now on.
    pub(super) former: Option<usize>,
}

impl CurrentHost {
    /// To be asked before a connection is begun.
    pub(super) fn begin(&self) -> Begun {
        Begun { moves: self.moves, made: self.made }
    }

    /// Cancelled when the connections of the current host are closed.
    pub(super) fn generation(&self) -> CancellationToken {
        self.generation.clone()
    }

    /// All `count` hosts, in the order in which they are tried.
    pub(super) fn order(&self, count: usize) -> Vec<usize> {
        let (before, after) = if self.is_silent { (None, self.host) } else { (self.host, None) };
        before.into_iter().chain(self.others(count)).chain(after).collect()
    }

    fn others(&self, count: usize) -> impl Iterator<Item = usize> {
        let current = self.host;
        (0..count).filter(move |host| Some(*host) != current)
    }

    /// Whether a host is known not to answer.
    pub(super) fn is_silent(&self, host: usize) -> bool {
        self.is_silent && self.host == Some(host)
    }

    /// Takes note that the current host has not answered.
    pub(super) fn distrust(&mut self) {
        self.is_silent = true;
    }

    /// Takes note of a new connection to a host, and of the timeline that it writes on; an error says why it
    /// must not be used.
    pub(super) fn arrive(
        &mut self,
        host: usize,
        timeline: Option<Timeline>,
        begun: Begun,
    ) -> Result<AcceptedConnection, &'static str> {
        let (former, age) = (self.host, Age::of(self.timeline, timeline));
        let is_elsewhere = former != Some(host);
        if is_elsewhere && self.moves != begun.moves {
            return Err("another host is written meanwhile");
        }
        if age == Age::Older {
            return Err(
                "it is a former primary: another host has written on a newer timeline (after a restore, restart the server)",
            );
        }
        self.refusal = None;
        self.is_silent = false;
        self.made += 1;
        self.timeline = timeline.or(self.timeline);
        self.host = Some(host);
        if is_elsewhere {
            self.moves += 1;
        }
        // A newer timeline says the same of a name that leads to another host than before.
        let closed = former.filter(|_| is_elsewhere || matches!(age, Age::Newer | Age::Unrelated));
        if closed.is_some() {
            std::mem::take(&mut self.generation).cancel();
        }
        Ok(AcceptedConnection { closing: self.generation.child_token(), former: closed })
    }

    /// Takes note that no host could be used, unless a connection was made meanwhile, which is better news.
    pub(super) fn refuse(&mut self, why: String, begun: Begun) {
        if self.made == begun.made {
            self.refusal = Some((Instant::now(), why));
        }
    }

    /// Why no host could be used a moment ago.
    pub(super) fn standing_refusal(&self) -> Option<String> {
        let (at, why) = self.refusal.as_ref()?;
        (at.elapsed() < REFUSAL_STANDS).then(|| why.clone())
    }

    /// The other hosts, of `count`, when it is time to ask them.
    pub(super) fn look_for_another(&mut self, count: usize) -> Option<Vec<usize>> {
        if self.looked_at.is_some_and(|at| at.elapsed() < LOOK_INTERVAL) {
            return None;
        }
        self.looked_at = Some(Instant::now());
        Some(self.others(count).collect())
    }
}

/// How a timeline compares with the one that is known.
#[derive(PartialEq, Eq)]
enum Age {
    Same,
    Newer,
    Older,
    /// It is of another cluster, which counts its timelines for itself.
    Unrelated,
}

impl Age {
    /// Of a host that does not say (a replica) it is the same.
    fn of(known: Option<Timeline>, found: Option<Timeline>) -> Self {
        let (Some(known), Some(found)) = (known, found) else { return Self::Same };
        match found.number.cmp(&known.number) {
            _ if known.cluster != found.cluster => Self::Unrelated,
            std::cmp::Ordering::Less => Self::Older,
            std::cmp::Ordering::Equal => Self::Same,
            std::cmp::Ordering::Greater => Self::Newer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CancellationToken, CurrentHost, LOOK_INTERVAL, REFUSAL_STANDS, Timeline};

    /// A connection that was begun just now.
    fn arrive(state: &mut CurrentHost, host: usize, number: i32) -> Result<CancellationToken, &'static str> {
        arrive_in(state, host, Timeline { cluster: 7, number })
    }

    fn arrive_in(state: &mut CurrentHost, host: usize, timeline: Timeline) -> Result<CancellationToken, &'static str> {
        let begun = state.begin();
        state.arrive(host, Some(timeline), begun).map(|arrival| arrival.closing)
    }

    #[test]
    fn the_current_host_comes_first_until_it_is_silent() {
        let mut state = CurrentHost::default();
        assert_eq!(state.order(3), [0, 1, 2]);
        arrive(&mut state, 1, 1).unwrap();
        assert_eq!((state.order(3), state.is_silent(1)), (vec![1, 0, 2], false));
        state.distrust();
        assert_eq!((state.order(3), state.is_silent(1), state.is_silent(0)), (vec![0, 2, 1], true, false));
        arrive(&mut state, 1, 1).unwrap();
        assert_eq!((state.order(3), state.is_silent(1)), (vec![1, 0, 2], false), "it answers again");
    }

    #[test]
    fn all_connections_to_one_host_end_when_another_one_is_written() {
        let mut state = CurrentHost::default();
        let former = [arrive(&mut state, 0, 1).unwrap(), arrive(&mut state, 0, 1).unwrap()];
        assert!(former.iter().all(|closing| !closing.is_cancelled()));
        let present = arrive(&mut state, 1, 1).unwrap();
        assert!(former.iter().all(CancellationToken::is_cancelled) && !present.is_cancelled());
    }

    #[test]
    fn a_host_that_wakes_up_after_another_one_has_taken_over_is_not_taken_for_the_present_one() {
        for first in [None, Some(0)] {
            let mut state = CurrentHost::default();
            if let Some(first) = first {
                arrive(&mut state, first, 1).unwrap();
            }
            let begun = state.begin();
            let present = arrive(&mut state, 1, 1).unwrap();
            assert!(state.arrive(0, None, begun).is_err());
            assert!(!present.is_cancelled());
            assert!(state.arrive(1, None, begun).is_ok(), "the present one, however late");
        }
    }

    #[test]
    fn a_former_primary_is_known_by_its_timeline_whether_it_has_a_name_of_its_own_or_the_same() {
        for (former_host, host) in [(0, 1), (0, 0)] {
            let mut state = CurrentHost::default();
            let former = arrive(&mut state, former_host, 3).unwrap();
            let present = arrive(&mut state, host, 4).unwrap();
            assert!(former.is_cancelled(), "connections of an older timeline end");
            assert!(arrive(&mut state, former_host, 3).unwrap_err().contains("former primary"));
            assert!(!present.is_cancelled() && state.order(1 + host)[0] == host);
            assert!(arrive(&mut state, former_host, 4).is_ok(), "another standby that was promoted");
        }
    }

    #[test]
    fn another_cluster_has_timelines_of_its_own() {
        let mut state = CurrentHost::default();
        let former = arrive(&mut state, 0, 3).unwrap();
        let present = arrive_in(&mut state, 0, Timeline { cluster: 8, number: 1 }).unwrap();
        assert!(former.is_cancelled() && !present.is_cancelled(), "no connection to the former one is left");
    }

    #[tokio::test(start_paused = true)]
    async fn that_no_host_can_be_used_stands_for_a_moment_unless_one_was_reached_meanwhile() {
        let mut state = CurrentHost::default();
        let begun = state.begin();
        state.refuse("none".to_owned(), begun);
        assert_eq!(state.standing_refusal().as_deref(), Some("none"));
        tokio::time::advance(REFUSAL_STANDS).await;
        assert_eq!(state.standing_refusal(), None);

        arrive(&mut state, 0, 1).unwrap();
        state.refuse("none".to_owned(), begun);
        assert_eq!(state.standing_refusal(), None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_others_are_asked_twice_a_second_while_a_host_can_only_be_read() {
        let mut state = CurrentHost::default();
        arrive(&mut state, 1, 1).unwrap();
        assert_eq!(state.look_for_another(3), Some(vec![0, 2]));
        tokio::time::advance(LOOK_INTERVAL / 2).await;
        assert_eq!(state.look_for_another(3), None);
        tokio::time::advance(LOOK_INTERVAL / 2).await;
        assert_eq!(state.look_for_another(3), Some(vec![0, 2]));
    }
}
