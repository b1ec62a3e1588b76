//! A semaphore whose waiting requests take turns: by space, and within a space by caller, which is a token or
//! an address. A space that asks for much waits for itself, and so does a caller of it. A space has no more
//! than its share of the permits, even while no other one waits.

mod turns;

use domain::shared::SpaceId;
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;
use turns::Waiting;

/// How many requests of a caller wait, and how many of a space. Further ones are refused.
const MAX_WAITING_OF_CALLER: usize = 64;
const MAX_WAITING_OF_SPACE: usize = 256;

/// The permits and those that wait for one. Cheap to clone.
pub(in crate::content) struct FairQueue<C: Copy + Eq + Hash> {
    state: Arc<Mutex<State<C>>>,
}

/// Gives its place to the next request when it is dropped.
pub(in crate::content) struct Permit<C: Copy + Eq + Hash> {
    state: Arc<Mutex<State<C>>>,
    space: SpaceId,
}

struct State<C: Copy + Eq + Hash> {
    free: usize,
    /// How many permits a space may have.
    share: usize,
    /// How many it has.
    held: HashMap<SpaceId, usize>,
    waiting: Waiting<C, oneshot::Sender<Permit<C>>>,
}

impl<C: Copy + Eq + Hash> State<C> {
    /// Takes a permit for a space, if one is free and it has not its share.
    fn take(&mut self, space: SpaceId) -> bool {
        if self.free == 0 || self.held(space) >= self.share {
            return false;
        }
        self.free -= 1;
        *self.held.entry(space).or_default() += 1;
        true
    }

    fn release(&mut self, space: SpaceId) {
        self.free += 1;
        if let Some(held) = self.held.get_mut(&space) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&space);
            }
        }
    }

    fn held(&self, space: SpaceId) -> usize {
        self.held.get(&space).copied().unwrap_or_default()
    }

    /// Takes a permit for the request whose turn it is, if there is one that may have it.
    fn next(&mut self) -> Option<(SpaceId, oneshot::Sender<Permit<C>>)> {
        if self.free == 0 {
            return None;
        }
        let Self { held, share, waiting, .. } = self;
        let (space, next) = waiting.pop(|space| held.get(&space).is_none_or(|held| *held < *share))?;
        self.take(space);
        Some((space, next))
    }
}

impl<C: Copy + Eq + Hash> Clone for FairQueue<C> {
    fn clone(&self) -> Self {
        Self { state: self.state.clone() }
    }
}

impl<C: Copy + Eq + Hash> FairQueue<C> {
    /// A queue for `permits`, of which a space may have its share.
    pub(in crate::content) fn new(permits: usize, share: usize) -> Self {
        let state = State { free: permits, share, held: HashMap::new(), waiting: Waiting::default() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Waits for a permit. `None` at once when too many others of the space or the caller wait.
    pub(in crate::content) async fn acquire(&self, space: SpaceId, caller: C) -> Option<Permit<C>> {
        let (turn, _place) = {
            let mut state = lock(&self.state);
            if state.take(space) {
                return Some(Permit { state: self.state.clone(), space });
            }
            let (of_space, of_caller) = state.waiting.count(space, caller);
            if of_space >= MAX_WAITING_OF_SPACE || of_caller >= MAX_WAITING_OF_CALLER {
                return None;
            }
            let (send, turn) = oneshot::channel();
            let number = state.waiting.push(space, caller, send);
            (turn, QueueTicket { state: &self.state, space, caller, number })
        };
        turn.await.ok()
    }
}

/// The place of a waiting request, which it leaves when it gives up.
struct QueueTicket<'a, C: Copy + Eq + Hash> {
    state: &'a Mutex<State<C>>,
    space: SpaceId,
    caller: C,
    number: u64,
}

impl<C: Copy + Eq + Hash> Drop for QueueTicket<'_, C> {
    fn drop(&mut self) {
        lock(self.state).waiting.remove(self.space, self.caller, self.number);
    }
}

impl<C: Copy + Eq + Hash> Drop for Permit<C> {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        state.release(self.space);
        let next = state.next();
        drop(state);
        if let Some((space, next)) = next {
            // A request that gives up at this very moment drops the permit, which gives it to the next one.
            drop(next.send(Self { state: self.state.clone(), space }));
        }
    }
}

fn lock<C: Copy + Eq + Hash>(state: &Mutex<State<C>>) -> MutexGuard<'_, State<C>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{FairQueue, MAX_WAITING_OF_CALLER, MAX_WAITING_OF_SPACE, Permit, lock};
    use domain::shared::{SpaceId, TokenId};
    use futures_util::FutureExt;
    use std::{future::Future, pin::Pin};

    type Acquiring = Pin<Box<dyn Future<Output = Permit<TokenId>>>>;

    /// A request that waits.
    fn waiting(queue: &FairQueue<TokenId>, space: i64, token: i64) -> Acquiring {
        let queue = queue.clone();
        let mut acquiring: Acquiring = Box::pin(async move { queue.acquire(SpaceId(space), TokenId(token)).await.unwrap() });
        assert!((&mut acquiring).now_or_never().is_none());
        acquiring
    }

    /// The numbers of the requests in the order in which they get the only permit.
    fn order(first: Permit<TokenId>, mut requests: Vec<Acquiring>) -> Vec<usize> {
        let mut order = Vec::new();
        let mut held = Some(first);
        while order.len() < requests.len() {
            drop(held.take());
            for (number, request) in
                requests.iter_mut().enumerate().filter(|(number, _)| !order.contains(number)).collect::<Vec<_>>()
            {
                if let Some(permit) = request.now_or_never() {
                    order.push(number);
                    held = Some(permit);
                    break;
                }
            }
        }
        order
    }

    fn acquired(queue: &FairQueue<TokenId>, space: i64) -> Permit<TokenId> {
        queue.acquire(SpaceId(space), TokenId(space)).now_or_never().unwrap().unwrap()
    }

    #[test]
    fn a_space_has_no_more_than_its_share_and_others_pass_it_by() {
        let queue = FairQueue::new(3, 2);
        let held = [acquired(&queue, 1), acquired(&queue, 1)];
        let mut further = waiting(&queue, 1, 1);
        let other = acquired(&queue, 2);
        let mut third = waiting(&queue, 3, 3);
        drop(other);
        let third = (&mut third).now_or_never().unwrap();
        assert!((&mut further).now_or_never().is_none());
        let [first, second] = held;
        drop(first);
        let further = (&mut further).now_or_never().unwrap();
        drop((second, third, further));
        let state = lock(&queue.state);
        assert_eq!((state.free, state.held.len()), (3, 0));
    }

    #[test]
    fn too_many_that_wait_are_refused_by_token_and_by_space() {
        let queue = FairQueue::new(1, 1);
        let _held = acquired(&queue, 1);
        let mut requests: Vec<Acquiring> = (0..MAX_WAITING_OF_CALLER).map(|_| waiting(&queue, 1, 0)).collect();
        let refused = |space, token| matches!(queue.acquire(SpaceId(space), TokenId(token)).now_or_never(), Some(None));
        assert!(refused(1, 0));
        for token in (1..).take(MAX_WAITING_OF_SPACE / MAX_WAITING_OF_CALLER - 1) {
            requests.extend((0..MAX_WAITING_OF_CALLER).map(|_| waiting(&queue, 1, token)));
        }
        assert!(refused(1, 99));
        assert!(!refused(2, 99));
        drop(requests);
        assert!(lock(&queue.state).waiting.is_empty(), "who gives up leaves nothing behind");
    }

    #[test]
    fn spaces_take_turns_and_so_do_the_tokens_of_a_space() {
        let queue = FairQueue::new(1, 1);
        let first = acquired(&queue, 9);
        let asked = [(1, 10), (1, 10), (1, 10), (1, 11), (2, 20), (2, 20), (3, 30)];
        let requests = asked.iter().map(|(space, token)| waiting(&queue, *space, *token)).collect();
        assert_eq!(order(first, requests), [0, 4, 6, 3, 5, 1, 2]);
        assert!(lock(&queue.state).waiting.is_empty());
    }

    #[test]
    fn requests_that_gave_up_are_passed_over_and_lose_no_permit() {
        let queue = FairQueue::new(1, 1);
        let first = acquired(&queue, 1);
        let given_up: Vec<Acquiring> = (0..5).map(|_| waiting(&queue, 1, 1)).collect();
        let mut last = waiting(&queue, 1, 1);
        drop(given_up);
        drop(first);
        let permit = (&mut last).now_or_never().unwrap();
        // This one gives up after it was given the permit and before it took it.
        let late = waiting(&queue, 2, 2);
        drop(permit);
        drop(late);
        assert_eq!(lock(&queue.state).free, 1);
    }
}
