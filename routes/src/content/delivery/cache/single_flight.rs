//! Single flight: of several callers that need the same result at the same time, one computes it and the
//! others wait for it.

use futures_util::{
    FutureExt,
    future::{BoxFuture, Shared, WeakShared},
};
use std::{
    collections::HashMap,
    hash::Hash,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

type Computation<V> = Shared<BoxFuture<'static, V>>;
type WeakComputation<V> = WeakShared<BoxFuture<'static, V>>;

/// The computations that are running. One goes on as long as any of its callers waits; the caller that
/// started it may go away.
pub(in crate::content) struct SingleFlight<K, V> {
    running: Mutex<HashMap<K, (u64, WeakComputation<V>)>>,
    /// The number of the next computation.
    count: AtomicU64,
}

impl<K, V: Clone> Default for SingleFlight<K, V> {
    fn default() -> Self {
        Self { running: Mutex::default(), count: AtomicU64::new(0) }
    }
}

impl<K, V> SingleFlight<K, V>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Joins the computation of a key, or starts it.
    pub(in crate::content) fn run(self: &Arc<Self>, key: K, start: impl FnOnce() -> BoxFuture<'static, V>) -> Computation<V> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(computation) = running.get(&key).and_then(|(_, computation)| computation.upgrade()) {
            return computation;
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let guard = FlightGuard { single_flight: self.clone(), key: key.clone(), number };
        let started = start();
        let computation = async move {
            let _guard = guard;
            started.await
        };
        let computation = computation.boxed().shared();
        if let Some(weak) = computation.downgrade() {
            running.insert(key, (number, weak));
        }
        computation
    }
}

/// Removes a computation from the table when it has ended or when its last caller has gone.
struct FlightGuard<K: Eq + Hash, V: Clone> {
    single_flight: Arc<SingleFlight<K, V>>,
    key: K,
    number: u64,
}

impl<K: Eq + Hash, V: Clone> Drop for FlightGuard<K, V> {
    fn drop(&mut self) {
        let mut running = self.single_flight.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.get(&self.key).is_some_and(|(number, _)| *number == self.number) {
            running.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, SingleFlight};
    use futures_util::{FutureExt, future::join_all};
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn concurrent_callers_share_a_computation_and_the_next_caller_starts_another() {
        let flight = Arc::new(SingleFlight::<u8, u32>::default());
        let starts = Arc::new(AtomicU32::new(0));
        for round in 1..=2 {
            let (end, ended) = oneshot::channel::<()>();
            let mut ended = Some(ended);
            let callers: Vec<_> = (0..100)
                .map(|_| {
                    let (starts, ended) = (starts.clone(), ended.take());
                    flight.run(1, move || {
                        async move {
                            ended.unwrap().await.unwrap();
                            starts.fetch_add(1, Ordering::Relaxed) + 1
                        }
                        .boxed()
                    })
                })
                .collect();
            end.send(()).unwrap();
            assert_eq!(join_all(callers).await, [round; 100]);
            assert!(flight.running.lock().unwrap().is_empty());
        }
    }

    #[tokio::test]
    async fn a_computation_outlives_the_caller_that_started_it_and_ends_without_callers() {
        let flight = Arc::new(SingleFlight::<u8, u8>::default());
        let (end, ended) = oneshot::channel::<u8>();
        let first = flight.run(1, move || ended.map(Result::unwrap).boxed());
        let second = flight.run(1, || unreachable!("it is running"));
        drop(first);
        end.send(7).unwrap();
        assert_eq!(second.await, 7);
        let left = flight.run(1, || std::future::pending().boxed());
        drop(left);
        assert!(flight.running.lock().unwrap().is_empty());
    }
}
