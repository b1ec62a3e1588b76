//! Single flight: who asks for what somebody is just working out waits for it instead of working it out again.

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

type Flight<V> = Shared<BoxFuture<'static, V>>;
type Weak<V> = WeakShared<BoxFuture<'static, V>>;

/// What is being worked out. A flight goes on as long as one of its passengers waits: the first one may go away.
pub(super) struct Flights<K, V> {
    running: Mutex<HashMap<K, (u64, Weak<V>)>>,
    count: AtomicU64,
}

impl<K, V: Clone> Default for Flights<K, V> {
    fn default() -> Self {
        Self { running: Mutex::default(), count: AtomicU64::new(0) }
    }
}

impl<K, V> Flights<K, V>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Boards the flight of that key, or starts it.
    pub(super) fn join(self: &Arc<Self>, key: K, start: impl FnOnce() -> BoxFuture<'static, V>) -> Flight<V> {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(flight) = running.get(&key).and_then(|(_, flight)| flight.upgrade()) {
            return flight;
        }
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let landing = Landing { flights: self.clone(), key: key.clone(), number };
        let work = start();
        let flight = async move {
            let _landing = landing;
            work.await
        };
        let flight = flight.boxed().shared();
        if let Some(weak) = flight.downgrade() {
            running.insert(key, (number, weak));
        }
        flight
    }
}

/// Takes a flight off the board when it has ended, or has lost its last passenger.
struct Landing<K: Eq + Hash, V: Clone> {
    flights: Arc<Flights<K, V>>,
    key: K,
    number: u64,
}

impl<K: Eq + Hash, V: Clone> Drop for Landing<K, V> {
    fn drop(&mut self) {
        let mut running = self.flights.running.lock().unwrap_or_else(PoisonError::into_inner);
        if running.get(&self.key).is_some_and(|(number, _)| *number == self.number) {
            running.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arc, Flights};
    use futures_util::{FutureExt, future::join_all};
    use std::sync::atomic::{AtomicU32, Ordering};
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn many_passengers_are_one_flight_and_the_next_is_another() {
        let flights = Arc::new(Flights::<u8, u32>::default());
        let starts = Arc::new(AtomicU32::new(0));
        for round in 1..=2 {
            let (land, landed) = oneshot::channel::<()>();
            let mut landed = Some(landed);
            let passengers: Vec<_> = (0..100)
                .map(|_| {
                    let (starts, landed) = (starts.clone(), landed.take());
                    flights.join(1, move || {
                        async move {
                            landed.unwrap().await.unwrap();
                            starts.fetch_add(1, Ordering::Relaxed) + 1
                        }
                        .boxed()
                    })
                })
                .collect();
            land.send(()).unwrap();
            assert_eq!(join_all(passengers).await, [round; 100]);
            assert!(flights.running.lock().unwrap().is_empty());
        }
    }

    #[tokio::test]
    async fn a_flight_outlives_the_one_who_started_it_and_ends_without_passengers() {
        let flights = Arc::new(Flights::<u8, u8>::default());
        let (land, landed) = oneshot::channel::<u8>();
        let first = flights.join(1, move || landed.map(Result::unwrap).boxed());
        let second = flights.join(1, || unreachable!("it is running"));
        drop(first);
        land.send(7).unwrap();
        assert_eq!(second.await, 7);
        let left = flights.join(1, || std::future::pending().boxed());
        drop(left);
        assert!(flights.running.lock().unwrap().is_empty());
    }
}
