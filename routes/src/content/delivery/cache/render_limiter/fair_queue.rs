//! A semaphore whose waiting requests take turns: by space, and within a space by token. A space that asks for much waits for itself, and so does a token of
//! it. As long as no request waits, one token may have all permits.

use domain::shared::{SpaceId, TokenId};
use std::{
    collections::{HashMap, VecDeque},
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::oneshot;

/// The permits and those that wait for one. Cheap to clone.
#[derive(Clone)]
pub(super) struct FairQueue {
    state: Arc<Mutex<State>>,
}

/// Gives its place to the next request when it is dropped.
pub(super) struct Permit {
    state: Arc<Mutex<State>>,
}

type Waiting = oneshot::Sender<Permit>;

struct State {
    free: usize,
    waiting: Turns<SpaceId, Turns<TokenId, VecDeque<Waiting>>>,
}

impl FairQueue {
    /// A queue for so many permits.
    pub(super) fn new(permits: usize) -> Self {
        Self { state: Arc::new(Mutex::new(State { free: permits, waiting: Turns::default() })) }
    }

    /// Waits for a permit.
    pub(super) async fn acquire(&self, space: SpaceId, token: TokenId) -> Permit {
        let turn = {
            let mut state = lock(&self.state);
            if state.free > 0 {
                state.free -= 1;
                return Permit { state: self.state.clone() };
            }
            let (send, turn) = oneshot::channel();
            state.waiting.of(space).of(token).push_back(send);
            turn
        };
        match turn.await {
            Ok(permit) => permit,
            // A waiting request is removed only with its permit, so this does not happen.
            Err(_) => std::future::pending().await,
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut state = lock(&self.state);
        // Requests that have given up are passed over.
        while let Some(next) = state.waiting.pop() {
            if next.is_closed() {
                continue;
            }
            drop(state);
            // A request that gives up at this very moment drops the permit, which gives it to the next one.
            drop(next.send(Self { state: self.state.clone() }));
            return;
        }
        state.free += 1;
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Queues of which each gives one item when it is its turn.
trait Queue {
    type Item;

    fn pop(&mut self) -> Option<Self::Item>;

    fn is_empty(&self) -> bool;
}

impl<T> Queue for VecDeque<T> {
    type Item = T;

    fn pop(&mut self) -> Option<T> {
        self.pop_front()
    }

    fn is_empty(&self) -> bool {
        Self::is_empty(self)
    }
}

/// Queues by key, which take turns. Empty ones are removed.
struct Turns<K, Q> {
    order: VecDeque<K>,
    queues: HashMap<K, Q>,
}

impl<K, Q> Default for Turns<K, Q> {
    fn default() -> Self {
        Self { order: VecDeque::new(), queues: HashMap::new() }
    }
}

impl<K: Copy + Eq + Hash, Q: Queue + Default> Turns<K, Q> {
    /// The queue of a key, to which the caller adds an item.
    fn of(&mut self, key: K) -> &mut Q {
        let Self { order, queues } = self;
        queues.entry(key).or_insert_with(|| {
            order.push_back(key);
            Q::default()
        })
    }
}

impl<K: Copy + Eq + Hash, Q: Queue> Queue for Turns<K, Q> {
    type Item = Q::Item;

    fn pop(&mut self) -> Option<Q::Item> {
        let key = self.order.pop_front()?;
        let queue = self.queues.get_mut(&key)?;
        let item = queue.pop();
        if queue.is_empty() {
            self.queues.remove(&key);
        } else {
            self.order.push_back(key);
        }
        item
    }

    fn is_empty(&self) -> bool {
        self.order.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{FairQueue, Permit, lock};
    use domain::shared::{SpaceId, TokenId};
    use futures_util::FutureExt;
    use std::{future::Future, pin::Pin};

    type Acquiring = Pin<Box<dyn Future<Output = Permit>>>;

    /// A request that waits.
    fn waiting(queue: &FairQueue, space: i64, token: i64) -> Acquiring {
        let queue = queue.clone();
        let mut acquiring: Acquiring = Box::pin(async move { queue.acquire(SpaceId(space), TokenId(token)).await });
        assert!((&mut acquiring).now_or_never().is_none());
        acquiring
    }

    /// The numbers of the requests in the order in which they get the only permit.
    fn order(first: Permit, mut requests: Vec<Acquiring>) -> Vec<usize> {
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

    #[test]
    fn one_token_may_have_all_permits_while_none_waits() {
        let queue = FairQueue::new(3);
        let held: Vec<Permit> = (0..3).map(|_| queue.acquire(SpaceId(1), TokenId(1)).now_or_never().unwrap()).collect();
        let mut further = waiting(&queue, 2, 2);
        drop(held);
        let permit = (&mut further).now_or_never().unwrap();
        assert_eq!(lock(&queue.state).free, 2);
        drop(permit);
        assert_eq!(lock(&queue.state).free, 3);
    }

    #[test]
    fn spaces_take_turns_and_so_do_the_tokens_of_a_space() {
        let queue = FairQueue::new(1);
        let first = queue.acquire(SpaceId(9), TokenId(9)).now_or_never().unwrap();
        let asked = [(1, 10), (1, 10), (1, 10), (1, 11), (2, 20), (2, 20), (3, 30)];
        let requests = asked.iter().map(|(space, token)| waiting(&queue, *space, *token)).collect();
        assert_eq!(order(first, requests), [0, 4, 6, 3, 5, 1, 2]);
        assert!(lock(&queue.state).waiting.queues.is_empty());
    }

    #[test]
    fn requests_that_gave_up_are_passed_over_and_lose_no_permit() {
        let queue = FairQueue::new(1);
        let first = queue.acquire(SpaceId(1), TokenId(1)).now_or_never().unwrap();
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
