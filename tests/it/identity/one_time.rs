//! A one-time token is used at most once.

use domain::{
    identity::one_time::{Kind, State},
    shared::{Clock, UserId},
};
use jiff::{SignedDuration, Timestamp};
use std::sync::Arc;
use storage::{
    Store, Tx, TxOperation,
    identity::one_time::{self, Hash, NewOneTime, OneTimeToken},
};
use support::Database;
use tokio::task::JoinSet;
use uuid::Uuid;

const ANN: UserId = UserId(Uuid::from_u128(1));
const HASH: Hash = [7; 32];

/// Stores a token.
struct Add(NewOneTime);

impl TxOperation for Add {
    type Output = ();

    const NAME: &'static str = "test.add";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<()> {
        one_time::add(tx, &self.0).await
    }
}

/// Consumes a token.
struct Consume(Kind, Hash, Timestamp);

impl TxOperation for Consume {
    type Output = Option<OneTimeToken>;

    const NAME: &'static str = "test.take";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<Option<OneTimeToken>> {
        one_time::consume(tx, self.0, &self.1, self.2).await
    }
}

/// Counts an attempt at a token, and consumes it if the attempt is right.
struct Guess {
    is_right: bool,
    at: Timestamp,
}

impl TxOperation for Guess {
    /// Whether the attempt was counted, and whether it consumed the token.
    type Output = (bool, bool);

    const NAME: &'static str = "test.guess";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<(bool, bool)> {
        let Some(attempt) = one_time::attempt(tx, Kind::Verification, &HASH, self.at).await? else { return Ok((false, false)) };
        Ok((true, self.is_right && one_time::consume_by_id(tx, attempt.id, self.at).await?))
    }
}

/// Expires every token of a kind.
struct ExpireAll(Kind, Timestamp);

impl TxOperation for ExpireAll {
    type Output = u64;

    const NAME: &'static str = "test.burn";

    async fn run(&self, tx: &Tx<'_>) -> storage::Result<u64> {
        one_time::expire_all(tx, self.0, ANN, self.1).await
    }
}

/// A database with one account, and the time.
async fn world() -> (Arc<Database>, Timestamp) {
    let database = support::database().await;
    let ann = "insert into users (id, email, first_name, locale, created_at) values ($1, 'a@example.com', 'A', 'en', now())";
    database.execute(ann, &[&ANN.0]).await;
    (Arc::new(database), support::clock().now())
}

async fn add(store: &Store, number: u8, at: Timestamp, attempts: Option<i32>) {
    let id = Uuid::from_u128(number.into());
    let new = NewOneTime { attempts, ..NewOneTime::of(Kind::Verification, ANN, [number; 32], id, at) };
    store.transact(&Add(new)).await.unwrap();
}

async fn seen(store: &Store, hash: &Hash) -> Option<one_time::StoredToken> {
    let session = store.connection("test").await.unwrap();
    one_time::find(&session, Kind::Verification, hash).await.unwrap()
}

#[tokio::test]
async fn of_fifty_concurrent_consumers_one_gets_the_token() {
    let (database, at) = world().await;
    add(&database.store, 7, at, None).await;
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let database = database.clone();
        crowd.spawn(async move { database.store.transact(&Consume(Kind::Verification, HASH, at)).await.unwrap() });
    }
    let taken: Vec<OneTimeToken> = crowd.join_all().await.into_iter().flatten().collect();
    assert_eq!(taken.len(), 1);
    assert_eq!((taken[0].user, taken[0].attempts_left), (Some(ANN), None));
    assert_eq!(seen(&database.store, &HASH).await.unwrap().used_at, Some(at), "it is known for having been used");
    assert_eq!(seen(&database.store, &[8; 32]).await, None, "and another was never there");
}

#[tokio::test]
async fn a_token_expires_and_works_only_for_its_kind() {
    let (database, at) = world().await;
    let store = &database.store;
    add(store, 7, at, None).await;
    let end = at + SignedDuration::from_hours(24);
    assert_eq!(store.transact(&Consume(Kind::PasswordReset, HASH, at)).await.unwrap(), None);
    assert_eq!(store.transact(&Consume(Kind::Verification, HASH, end)).await.unwrap(), None);
    assert!(seen(store, &HASH).await.unwrap().state(end) == State::Expired);
    let last = end - SignedDuration::from_nanos(1000);
    assert!(seen(store, &HASH).await.unwrap().state(last) == State::Usable);
    assert!(store.transact(&Consume(Kind::Verification, HASH, last)).await.unwrap().is_some());
}

#[tokio::test]
async fn of_fifty_guesses_at_once_five_are_counted_and_one_can_be_right() {
    let (database, at) = world().await;
    add(&database.store, 7, at, Some(5)).await;
    let mut crowd = JoinSet::new();
    for _ in 0..50 {
        let database = database.clone();
        crowd.spawn(async move { database.store.transact(&Guess { is_right: false, at }).await.unwrap() });
    }
    assert_eq!(crowd.join_all().await.into_iter().filter(|(counted, _)| *counted).count(), 5);
    assert!(seen(&database.store, &HASH).await.unwrap().state(at) == State::Expired);
    assert_eq!(database.store.transact(&Consume(Kind::Verification, HASH, at)).await.unwrap(), None);
    assert_eq!(database.store.transact(&Guess { is_right: true, at }).await.unwrap(), (false, false), "too late to be right");
}

#[tokio::test]
async fn of_five_right_guesses_at_once_one_gets_it() {
    let (database, at) = world().await;
    add(&database.store, 7, at, Some(5)).await;
    let mut crowd = JoinSet::new();
    for _ in 0..5 {
        let database = database.clone();
        crowd.spawn(async move { database.store.transact(&Guess { is_right: true, at }).await.unwrap().1 });
    }
    assert_eq!(crowd.join_all().await.into_iter().filter(|got| *got).count(), 1);

    add(&database.store, 8, at, Some(1)).await;
    let last = "update one_time set hash = $1 where attempts_left = 1";
    database.sql("delete from one_time where used_at is not null").await;
    database.execute(last, &[&HASH.as_slice()]).await;
    assert_eq!(database.store.transact(&Guess { is_right: true, at }).await.unwrap(), (true, true), "the last guess may be right");
}

#[tokio::test]
async fn expiring_all_ends_unused_tokens_and_no_others() {
    let (database, at) = world().await;
    let store = &database.store;
    for number in [1, 2, 3] {
        add(store, number, at, None).await;
    }
    store.transact(&Consume(Kind::Verification, [1; 32], at)).await.unwrap().unwrap();
    assert_eq!(store.transact(&ExpireAll(Kind::Invite, at)).await.unwrap(), 0);
    assert_eq!(store.transact(&ExpireAll(Kind::Verification, at)).await.unwrap(), 2);
    assert_eq!(store.transact(&Consume(Kind::Verification, [2; 32], at)).await.unwrap(), None);
    let (used, expired) = (seen(store, &[1; 32]).await.unwrap(), seen(store, &[2; 32]).await.unwrap());
    assert_eq!((used.used_at, expired.used_at), (Some(at), None), "a expired one was not used");
    assert!(used.token.expires_at > at && expired.token.expires_at == at);
}
