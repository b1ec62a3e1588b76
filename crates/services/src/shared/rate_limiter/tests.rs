use super::{RateLimiter, by_ip, by_text};
use domain::shared::{Clock, Kind, Rate};
use jiff::{SignedDuration, Timestamp};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

struct Held(Mutex<Timestamp>);

impl Clock for Held {
    fn now(&self) -> Timestamp {
        *self.0.lock().unwrap()
    }
}

impl Held {
    fn new() -> Arc<Self> {
        Arc::new(Self(Mutex::new("2026-11-21T12:00:00Z".parse().unwrap())))
    }

    fn advance(&self, seconds: i64) {
        *self.0.lock().unwrap() += SignedDuration::from_secs(seconds);
    }
}

fn three_a_minute(clock: &Arc<Held>) -> RateLimiter {
    RateLimiter::new(Some(Rate::new(3, Duration::from_mins(1))), clock.clone())
}

#[test]
fn one_too_many_is_told_how_long_to_wait() {
    let clock = Held::new();
    let limit = three_a_minute(&clock);
    for _ in 0..3 {
        limit.acquire([1; 16]).unwrap();
    }
    let fault = limit.acquire([1; 16]).unwrap_err();
    assert_eq!((fault.kind(), fault.retry_after), (Kind::TooMany, Some(Duration::from_secs(20))));
    assert!(limit.acquire([2; 16]).is_ok(), "others are not concerned");
    clock.advance(20);
    assert!(limit.acquire([1; 16]).is_ok() && limit.acquire([1; 16]).is_err());
}

#[test]
fn peeking_counts_nothing() {
    let clock = Held::new();
    let limit = three_a_minute(&clock);
    for _ in 0..10 {
        limit.peek([1; 16]).unwrap();
    }
    for _ in 0..3 {
        limit.acquire([1; 16]).unwrap();
    }
    assert_eq!(limit.peek([1; 16]).unwrap_err().retry_after, Some(Duration::from_secs(20)));
    assert!(limit.peek([2; 16]).is_ok());
    assert!(limit.refuses(&[1; 16]) && !limit.refuses(&[2; 16]));
}

#[test]
fn the_limit_is_exact_when_many_ask_at_once() {
    let clock = Held::new();
    let limit = three_a_minute(&clock);
    let passed = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..50).map(|_| scope.spawn(|| limit.acquire([1; 16]).is_ok())).collect();
        asking.into_iter().map(|a| a.join().unwrap()).filter(|passed| *passed).count()
    });
    assert_eq!(passed, 3);
}

#[test]
fn no_more_callers_are_remembered_than_fit_and_the_slowed_down_are_kept() {
    let clock = Held::new();
    let limit = RateLimiter { max_callers: 100, ..three_a_minute(&clock) };
    for _ in 0..3 {
        limit.acquire([255; 16]).unwrap();
    }
    for number in 0..10_000_u128 {
        limit.acquire(number.to_be_bytes()).unwrap();
        assert!(limit.full_at.lock().unwrap().len() <= 100);
    }
    assert!(limit.acquire([255; 16]).is_err());
    clock.advance(60);
    limit.acquire([7; 16]).unwrap();
    for number in 0..100_u128 {
        limit.acquire((1_000_000 + number).to_be_bytes()).unwrap();
    }
    assert!(limit.full_at.lock().unwrap().len() <= 100);
}

#[test]
fn a_limit_without_a_rate_counts_no_client() {
    let limit = RateLimiter::new(None, Held::new());
    assert!((0..1000).all(|_| limit.acquire([1; 16]).is_ok()));
}

#[test]
fn addresses_of_one_customer_are_one_caller() {
    let caller = |text: &str| by_ip(text.parse().unwrap());
    assert_eq!(caller("2001:db8:1:2::1"), caller("2001:db8:1:2:ffff::9"));
    assert_ne!(caller("2001:db8:1:2::1"), caller("2001:db8:1:3::1"));
    assert_eq!(caller("192.0.2.1"), caller("::ffff:192.0.2.1"));
    assert_ne!(caller("192.0.2.1"), caller("192.0.2.2"));
}

#[test]
fn texts_are_kept_as_keyed_hashes() {
    assert_eq!(by_text(&[1; 32], "a@example.org"), by_text(&[1; 32], "a@example.org"));
    assert_ne!(by_text(&[1; 32], "a@example.org"), by_text(&[1; 32], "b@example.org"));
    assert_ne!(by_text(&[1; 32], "a@example.org"), by_text(&[2; 32], "a@example.org"));
}

#[test]
fn those_who_wait_longest_are_named_first_and_can_be_let_in() {
    let clock = Held::new();
    let limit = three_a_minute(&clock);
    for caller in [1, 2, 3] {
        for _ in 0..3 {
            limit.acquire([caller; 16]).unwrap();
        }
        clock.advance(5);
    }
    limit.acquire([4; 16]).unwrap();
    let waits = |limit: &RateLimiter, most| -> Vec<(u8, u64)> {
        limit.exhausted(most).into_iter().map(|(caller, wait)| (caller[0], wait.as_secs())).collect()
    };
    assert_eq!(waits(&limit, 10), [(3, 15), (2, 10), (1, 5)]);
    assert_eq!(waits(&limit, 2), [(3, 15), (2, 10)]);
    limit.lift(&[3; 16]);
    assert_eq!(waits(&limit, 10), [(2, 10), (1, 5)]);
    assert!(limit.acquire([3; 16]).is_ok());
    assert!(RateLimiter::new(None, clock).exhausted(10).is_empty());
}

#[test]
fn refusals_are_counted() {
    let refused = prometheus::IntCounter::new("refused", "refused").unwrap();
    let limit = three_a_minute(&Held::new()).counted_by(refused.clone());
    for _ in 0..5 {
        let _ = limit.acquire([1; 16]);
    }
    let _ = limit.peek([1; 16]);
    assert_eq!(refused.get(), 3);
}

#[test]
fn an_eighth_is_forgotten_when_no_bucket_is_full_and_those_first_that_are_full_soonest() {
    let clock = Held::new();
    let limit = RateLimiter { max_callers: 16, ..three_a_minute(&clock) };
    for number in 0..16_u8 {
        limit.acquire([number; 16]).unwrap();
        clock.advance(1);
    }
    let known = || {
        let mut callers: Vec<u8> = limit.full_at.lock().unwrap().keys().map(|caller| caller[0]).collect();
        callers.sort_unstable();
        callers
    };
    assert_eq!(known(), (0..16).collect::<Vec<_>>());
    limit.acquire([5; 16]).unwrap();
    assert_eq!(known().len(), 16, "one that is known needs no room");
    limit.acquire([99; 16]).unwrap();
    assert_eq!(known(), (2..16).chain([99]).collect::<Vec<_>>());
    // A full bucket says nothing, so it goes first.
    clock.advance(7);
    limit.acquire([98; 16]).unwrap();
    limit.acquire([97; 16]).unwrap();
    assert!(known().contains(&15) && known().contains(&98) && known().contains(&97));
}
