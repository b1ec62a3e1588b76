mod imported;

use super::{PasswordSettings, Passwords, Verdict, cost::Cost, memory::HashMemory, stored::Stored};
use crate::random::SystemEntropy;
use domain::shared::Kind;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// Cheap enough for a test.
const CHEAP: u32 = 64;

fn settings() -> PasswordSettings {
    PasswordSettings { memory_kib: CHEAP, iterations: 1, parallelism: 1, workers: 2, ..PasswordSettings::default() }
}

fn pool(settings: PasswordSettings) -> Passwords {
    Passwords::start(settings, Arc::new(SystemEntropy)).unwrap()
}

#[tokio::test]
async fn the_right_password_is_right_and_no_other_is() {
    let pool = pool(settings());
    let hash = pool.hash("a quiet harbour".into()).await.unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=64,t=1,p=1$"), "{hash}");
    assert_eq!(pool.verify("a quiet harbour".into(), Some(&hash)).await.unwrap(), Verdict::Right { outdated: false });
    for wrong in ["", "A quiet harbour", "a quiet harbour "] {
        assert_eq!(pool.verify(wrong.into(), Some(&hash)).await.unwrap(), Verdict::Wrong, "{wrong}");
        assert_eq!(pool.verify(wrong.into(), None).await.unwrap(), Verdict::Wrong);
    }
    assert_ne!(hash, pool.hash("a quiet harbour".into()).await.unwrap(), "salts differ");
}

#[tokio::test]
async fn a_password_is_right_however_its_accents_are_written() {
    let pool = pool(settings());
    let (composed, apart) = ("caf\u{e9} \u{ac00} \u{1e69}", "cafe\u{301} \u{1100}\u{1161} s\u{307}\u{323}");
    for (made, typed) in [(composed, apart), (apart, composed)] {
        let hash = pool.hash(made.into()).await.unwrap();
        assert_eq!(pool.verify(typed.into(), Some(&hash)).await.unwrap(), Verdict::Right { outdated: false });
        assert_eq!(pool.verify("cafe \u{ac00} \u{1e69}".into(), Some(&hash)).await.unwrap(), Verdict::Wrong);
    }
}

#[tokio::test]
async fn passwords_that_are_equal_in_their_first_72_bytes_differ() {
    let pool = pool(settings());
    let first = "x".repeat(72);
    let hash = pool.hash(format!("{first}a").into()).await.unwrap();
    assert_eq!(pool.verify(format!("{first}b").into(), Some(&hash)).await.unwrap(), Verdict::Wrong);
}

#[tokio::test]
async fn a_hash_of_other_costs_is_right_and_outdated_in_both_directions() {
    let dear = pool(PasswordSettings { memory_kib: 2 * CHEAP, iterations: 2, ..settings() });
    let cheap = pool(settings());
    for (made, checked) in [(&dear, &cheap), (&cheap, &dear)] {
        let hash = made.hash("pass".into()).await.unwrap();
        assert_eq!(checked.verify("pass".into(), Some(&hash)).await.unwrap(), Verdict::Right { outdated: true });
        assert_eq!(checked.verify("fail".into(), Some(&hash)).await.unwrap(), Verdict::Wrong);
    }
}

/// From the reference implementation: `echo -n password | argon2 somesalt -id -t 2 -m 16 -p 1 -l 32 -e`, with
/// the salt as it is.
#[tokio::test]
async fn a_hash_of_the_reference_implementation_verifies() {
    let hash = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    let pool = pool(settings());
    assert_eq!(pool.verify("password".into(), Some(hash)).await.unwrap(), Verdict::Right { outdated: true });
}

#[test]
fn hashes_are_read_strictly() {
    let good = "$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    assert_eq!(Stored::parse(good).unwrap().write().unwrap(), good);
    for (from, to) in [
        ("argon2id", "argon2d"),
        ("v=19", "v=17"),
        ("m=64,t=1", "t=1,m=64"),
        ("m=64", "m=4194304"),
        ("m=64", "m=-64"),
        ("t=1", "t=0"),
        ("t=1", "t=17"),
        ("p=1", "p=17"),
        ("p=1", "p=1,x=1"),
        ("$AAAAAAAAAAAAAAAAAAAAAA$", "$AAAA$"),
        ("AAAAAAA$", "AAAAAAA=$"),
        ("$argon2id", "x$argon2id"),
    ] {
        let bad = good.replacen(from, to, 1);
        assert!(bad != good && Stored::parse(&bad).is_err(), "{bad}");
    }
    assert!(Stored::parse(&format!("{good}$")).is_err() && Stored::parse(&format!("{good}AA")).is_err());
}

#[test]
fn costs_out_of_bounds_do_not_start() {
    let start = |value: PasswordSettings| Passwords::start(value, Arc::new(SystemEntropy)).err().unwrap_or_default();
    for settings in [
        PasswordSettings { memory_kib: 1, ..settings() },
        PasswordSettings { memory_kib: u32::MAX, ..settings() },
        PasswordSettings { iterations: 0, ..settings() },
        PasswordSettings { parallelism: 0, ..settings() },
    ] {
        assert!(start(settings).contains("out of bounds"), "{settings:?}");
    }
}

#[tokio::test]
async fn a_full_queue_answers_503_at_once_and_a_slow_one_in_time() {
    let one = PasswordSettings { workers: 1, queue: 1, wait: Duration::from_millis(5), ..settings() };
    let pool = pool(one);
    let busy = Arc::clone(&pool.pool.workers).acquire_owned().await.unwrap();

    // One slot is free: its caller waits for the worker, for a bounded time.
    let first = pool.pool.slots.try_acquire().unwrap();
    let fault = pool.hash("a".into()).await.unwrap_err();
    assert_eq!((fault.kind(), fault.cause.as_deref()), (Kind::Unavailable, Some("the password queue is slow")));

    let second = pool.pool.slots.try_acquire().unwrap();
    let fault = pool.hash("b".into()).await.unwrap_err();
    assert_eq!((fault.kind(), fault.cause.as_deref()), (Kind::Unavailable, Some("the password queue is full")));
    assert!(fault.retry_after.is_some());

    drop((busy, first, second));
    assert!(pool.hash("c".into()).await.is_ok());
}

#[tokio::test]
async fn many_callers_are_all_served() {
    let pool = pool(settings());
    let hash = pool.hash("pass".into()).await.unwrap();
    let calls = (0..60).map(|number| {
        let (pool, hash) = (pool.clone(), hash.clone());
        async move {
            let password = if number % 2 == 0 { "pass" } else { "fail" };
            (number % 2 == 0, pool.verify(password.into(), Some(&hash)).await.unwrap())
        }
    });
    let mut set = tokio::task::JoinSet::new();
    for call in calls {
        set.spawn(call);
    }
    while let Some(done) = set.join_next().await {
        let (right, verdict) = done.unwrap();
        assert_eq!(verdict != Verdict::Wrong, right);
    }
}

#[tokio::test]
async fn only_those_who_have_no_worker_wait() {
    let pool = pool(PasswordSettings { workers: 1, queue: 3, ..settings() });
    assert_eq!(pool.waiting(), 0);
    let held = (pool.pool.slots.try_acquire().unwrap(), pool.pool.workers.try_acquire().unwrap());
    assert_eq!(pool.waiting(), 0, "it is being served");
    let others = (pool.pool.slots.try_acquire().unwrap(), pool.pool.slots.try_acquire().unwrap());
    assert_eq!(pool.waiting(), 2);
    drop((held, others));
    assert_eq!(pool.waiting(), 0);
}

#[tokio::test]
async fn the_duration_of_each_hash_is_told_to_the_first_who_asked() {
    let pool = pool(settings());
    let (told, never) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    for counter in [&told, &never] {
        let counter = Arc::clone(counter);
        pool.watch(move |duration| {
            assert!(duration > Duration::ZERO);
            counter.fetch_add(1, Ordering::SeqCst);
        });
    }
    let hash = pool.hash("pass".into()).await.unwrap();
    pool.verify("pass".into(), Some(&hash)).await.unwrap();
    assert_eq!((told.load(Ordering::SeqCst), never.load(Ordering::SeqCst)), (2, 0));
}

#[test]
fn a_cost_is_checked_before_a_pool_is_started() {
    assert_eq!(settings().check(), Ok(()));
    for wrong in [
        PasswordSettings { memory_kib: 0, ..settings() },
        PasswordSettings { iterations: 0, ..settings() },
        PasswordSettings { parallelism: 0, ..settings() },
    ] {
        assert!(wrong.check().is_err());
    }
}

#[test]
fn an_old_hash_is_cheaper_when_its_memory_and_rounds_are_less_work() {
    let cost = |memory, iterations| Cost::new(memory, iterations, 1).unwrap();
    let stored = Stored::dummy(cost(64, 4));
    for (new, is_cheaper) in
        [((64, 4), false), ((128, 2), false), ((64, 5), true), ((65, 4), true), ((64, 3), false), ((16, 15), false)]
    {
        assert_eq!(stored.may_be_cheaper(cost(new.0, new.1)), is_cheaper, "{new:?}");
    }
}

#[test]
fn an_empty_password_is_refused_even_where_its_hash_was_imported() {
    let cost = Cost::new(64, 1, 1).unwrap();
    let mut memory = HashMemory::new(64);
    let empty = Stored::make(cost, b"", [7; 16], &mut memory).unwrap();
    assert_eq!(empty.verify(b"", &mut memory), Some(false));
    let other = Stored::make(cost, b"a", [7; 16], &mut memory).unwrap();
    assert_eq!((other.verify(b"a", &mut memory), other.verify(b"b", &mut memory)), (Some(true), Some(false)));
}
