//! A one-time token is used at most once.

use domain::{
    identity::one_time::{Kind, State},
    shared::UserId,
};
use storage::{
    Store,
    identity::one_time::{self, Hash, NewOneTime, OneTimeToken},
    transact,
};
use support::prelude::*;

const ANN: UserId = UserId(Uuid::from_u128(1));
const HASH: Hash = [7; 32];

/// Consumes a token.
async fn consume(store: &Store, kind: Kind, hash: Hash, at: Timestamp) -> Option<OneTimeToken> {
    transact!(store, "test.take", async |tx| { one_time::consume(tx, kind, &hash, at).await }).await.unwrap()
}

/// Counts an attempt at a token, and consumes it if the attempt is right. Returns whether it was counted, and
/// whether it consumed the token.
async fn guess(store: &Store, is_right: bool, at: Timestamp) -> (bool, bool) {
    let guess = transact!(store, "test.guess", async |tx| {
        let Some(attempt) = one_time::attempt(tx, Kind::Verification, &HASH, at).await? else { return Ok((false, false)) };
        Ok((true, is_right && one_time::consume_by_id(tx, attempt.id, at).await?))
    });
    guess.await.unwrap()
}

/// Expires every token of a kind.
async fn expire_all(store: &Store, kind: Kind, at: Timestamp) -> u64 {
    transact!(store, "test.burn", async |tx| { one_time::expire_all(tx, kind, ANN, at).await }).await.unwrap()
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
    let new = &NewOneTime { attempts, ..NewOneTime::of(Kind::Verification, ANN, [number; 32], id, at) };
    transact!(store, "test.add", async |tx| { one_time::add(tx, new).await }).await.unwrap();
}

async fn seen(store: &Store, hash: &Hash) -> Option<one_time::StoredToken> {
    let session = store.connection("test").await.unwrap();
    one_time::find(&session, Kind::Verification, hash).await.unwrap()
}

#[tokio::test]
async fn of_fifty_concurrent_consumers_one_gets_the_token() {
    let (database, at) = world().await;
    add(&database.store, 7, at, None).await;
    let taken: Vec<OneTimeToken> = join_all((0..50).map(async |_| consume(&database.store, Kind::Verification, HASH, at).await))
        .await
        .into_iter()
        .flatten()
        .collect();
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
    assert_eq!(consume(store, Kind::PasswordReset, HASH, at).await, None);
    assert_eq!(consume(store, Kind::Verification, HASH, end).await, None);
    assert!(seen(store, &HASH).await.unwrap().state(end) == State::Expired);
    let last = end - SignedDuration::from_nanos(1000);
    assert!(seen(store, &HASH).await.unwrap().state(last) == State::Usable);
    assert!(consume(store, Kind::Verification, HASH, last).await.is_some());
}

#[tokio::test]
async fn of_fifty_guesses_at_once_five_are_counted_and_one_can_be_right() {
    let (database, at) = world().await;
    add(&database.store, 7, at, Some(5)).await;
    assert_eq!(
        join_all((0..50).map(async |_| guess(&database.store, false, at).await))
            .await
            .into_iter()
            .filter(|(counted, _)| *counted)
            .count(),
        5
    );
    assert!(seen(&database.store, &HASH).await.unwrap().state(at) == State::Expired);
    assert_eq!(consume(&database.store, Kind::Verification, HASH, at).await, None);
    assert_eq!(guess(&database.store, true, at).await, (false, false), "too late to be right");
}

#[tokio::test]
async fn of_five_right_guesses_at_once_one_gets_it() {
    let (database, at) = world().await;
    add(&database.store, 7, at, Some(5)).await;
    assert_eq!(
        join_all((0..5).map(async |_| guess(&database.store, true, at).await.1)).await.into_iter().filter(|got| *got).count(),
        1
    );

    add(&database.store, 8, at, Some(1)).await;
    let last = "update one_time set hash = $1 where attempts_left = 1";
    database.sql("delete from one_time where used_at is not null").await;
    database.execute(last, &[&HASH.as_slice()]).await;
    assert_eq!(guess(&database.store, true, at).await, (true, true), "the last guess may be right");
}

#[tokio::test]
async fn expiring_all_ends_unused_tokens_and_no_others() {
    let (database, at) = world().await;
    let store = &database.store;
    for number in [1, 2, 3] {
        add(store, number, at, None).await;
    }
    consume(store, Kind::Verification, [1; 32], at).await.unwrap();
    assert_eq!(expire_all(store, Kind::Invite, at).await, 0);
    assert_eq!(expire_all(store, Kind::Verification, at).await, 2);
    assert_eq!(consume(store, Kind::Verification, [2; 32], at).await, None);
    let (used, expired) = (seen(store, &[1; 32]).await.unwrap(), seen(store, &[2; 32]).await.unwrap());
    assert_eq!((used.used_at, expired.used_at), (Some(at), None), "a expired one was not used");
    assert!(used.token.expires_at > at && expired.token.expires_at == at);
}
