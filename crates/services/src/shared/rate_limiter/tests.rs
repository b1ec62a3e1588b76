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
    assert_eq!((fault.kind, fault.retry_after), (Kind::TooMany, Some(Duration::from_secs(20))));
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
