//! The lockout after wrong passwords.

mod counters;

use super::app;
use support::prelude::*;

const ANN: &str = "ann@example.org";
const WRONG: &str = "not the harbour";

/// A server with the lockout on, and with a rate limit per address that no test reaches.
const GUARDED: &[(&str, &str)] = &[
    ("APP_ARGON2_MEMORY_KIB", "64"),
    ("APP_ARGON2_ITERATIONS", "1"),
    ("APP_RATE_LIMIT_LOGIN_IP", "100000/min"),
    ("APP_RATE_LIMIT_LOGIN_FAILURES_IP", "100000/min"),
];

async fn guarded() -> Arc<TestApp> {
    Arc::new(TestApp::with_variables(GUARDED).await)
}

fn retry_after(response: &Response) -> Option<u64> {
    let after = response.headers.get("retry-after").map(|header| header.to_str().unwrap().parse().unwrap());
    assert_eq!(response.body["retryAfter"].as_u64(), after, "{}", response.body);
    after
}

/// Tries wrong passwords until the account is locked. Returns how many were tried and how long the lock
/// lasts.
async fn exhaust(app: &TestApp, person: &Person, email: &str) -> (u32, u64) {
    for tried in 0..200 {
        let response = person.login(email, WRONG).await;
        if response.status == 429 {
            return (tried, retry_after(&response).unwrap());
        }
        assert_eq!(response.refusal(), (401, "invalidCredentials"), "{tried}");
    }
    panic!("nothing stops it: {} rows", app.count("select count(*) from lockout_counters").await);
}

#[tokio::test]
async fn fifty_wrong_passwords_at_once_are_five_guesses_and_all_are_counted() {
    let one = guarded().await;
    // A second process on the same database.
    let other = one.beside(GUARDED).await;
    let apps = [one.clone(), Arc::new(other)];
    Person::at(&one).register(ANN).await;

    let mut crowd = JoinSet::new();
    for number in 0..50 {
        let app = apps[number % 2].clone();
        crowd.spawn(async move {
            let response = Person::at(&app).login(if number % 3 == 0 { " ANN@example.org" } else { ANN }, WRONG).await;
            (response.status, retry_after(&response))
        });
    }
    let response = crowd.join_all().await;
    assert_eq!(response.iter().filter(|s| **s == (401, None)).count(), 5, "{response:?}");
    // While the five are compared, the others are to come back in a second; then they are to wait for a
    // minute.
    let is_refused = |(status, after): &&(u16, Option<u64>)| *status == 429 && matches!(after, Some(1 | 60));
    assert_eq!(response.iter().filter(is_refused).count(), 45, "{response:?}");
    assert_eq!(one.count("select tried from lockout_counters").await, 50);
    assert_eq!(one.count("select count(*) from account_audit where event = 'auth.login.failure'").await, 5);

    for app in &apps {
        let right = Person::at(app).login(ANN, PASSWORD).await;
        assert_eq!((right.status, retry_after(&right)), (429, Some(60)), "also the right one is not looked at");
        app.clock.advance(SignedDuration::from_secs(60));
    }
    assert_eq!(Person::at(&apps[1]).login(ANN, PASSWORD).await.status, 200);
}

/// The clock of the machine was a day ahead when the passwords were wrong, and goes back.
#[tokio::test]
async fn a_lock_does_not_last_for_as_long_as_a_clock_was_ahead() {
    let app = guarded().await;
    let ann = Person::at(&app);
    ann.register(ANN).await;
    let day = SignedDuration::from_hours(24);
    app.clock.advance(day);
    exhaust(&app, &ann, ANN).await;
    app.clock.advance(-day);
    assert_eq!(exhaust(&app, &ann, ANN).await, (5, 60), "what was counted ahead of time counts for nothing");
    app.clock.advance(SignedDuration::from_secs(60));
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_right_password_is_no_failure_while_it_is_compared() {
    let app = guarded().await;
    Person::at(&app).register(ANN).await;
    // The accounts are locked, so that sign-ins with the right password stay under way.
    let mut session = app.connection().await;
    let tx = session.begin();
    tx.rows("select id from users for update", &[]).await.unwrap();
    let mut crowd = JoinSet::new();
    for _ in 0..6 {
        let app = app.clone();
        crowd.spawn(async move { Person::at(&app).login(ANN, PASSWORD).await });
    }
    let first = crowd.join_next().await.unwrap().unwrap();
    assert_eq!((first.status, retry_after(&first)), (429, Some(1)), "five are under way, and none of them has failed");
    tx.commit().await.unwrap();
    assert!(crowd.join_all().await.iter().all(|response| response.status == 200));
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
    assert_eq!(exhaust(&app, &Person::at(&app), ANN).await, (5, 60), "nothing of it has counted");
}

#[tokio::test]
async fn each_further_failure_doubles_the_wait_and_a_success_ends_it() {
    let app = guarded().await;
    let ann = Person::at(&app);
    ann.register(ANN).await;
    let stranger = Person::at(&app);
    assert_eq!(exhaust(&app, &stranger, ANN).await, (5, 60));
    for wait in [120, 240, 480, 900, 900] {
        let before = retry_after(&stranger.login(ANN, WRONG).await).unwrap();
        app.clock.advance(SignedDuration::from_secs(before.try_into().unwrap()));
        assert_eq!(exhaust(&app, &stranger, ANN).await, (1, wait));
    }
    app.clock.advance(SignedDuration::from_secs(900));
    assert_eq!(stranger.login(ANN, PASSWORD).await.status, 200);
    let another = Person::at(&app);
    assert_eq!(exhaust(&app, &another, ANN).await, (5, 60), "it begins anew");
    app.clock.advance(SignedDuration::from_hours(12) + SignedDuration::from_secs(1));
    assert_eq!(exhaust(&app, &another, ANN).await, (5, 60), "and after twelve quiet hours");
}

#[tokio::test]
async fn failures_that_are_far_apart_do_not_add_up_but_for_the_day() {
    let app = guarded().await;
    let stranger = Person::at(&app);
    for _ in 0..100 {
        for _ in 0..4 {
            if app.count("select coalesce(sum(day_count), 0)::bigint from lockout_counters").await < 100 {
                assert_eq!(stranger.login("nobody@example.org", WRONG).await.status, 401);
            }
        }
        app.clock.advance(SignedDuration::from_secs(30));
        app.clock.advance(SignedDuration::from_mins(15));
        if app.count("select coalesce(sum(day_count), 0)::bigint from lockout_counters").await >= 100 {
            break;
        }
    }
    let response = stranger.login("nobody@example.org", WRONG).await;
    let passed = 25 * (15 * 60 + 30);
    assert_eq!((response.status, retry_after(&response)), (429, Some(24 * 3600 - passed)), "a hundred a day");
}

#[tokio::test]
async fn an_address_without_an_account_is_locked_like_any_other() {
    let app = guarded().await;
    let ann = Person::at(&app);
    ann.register(ANN).await;
    let stranger = Person::at(&app);
    let mut told = Vec::new();
    for email in [ANN, "nobody@example.org"] {
        assert_eq!(exhaust(&app, &stranger, email).await, (5, 60));
        let mut response = stranger.login(email, PASSWORD).await;
        response.body["requestId"].take();
        told.push((response.status, response.body));
    }
    assert_eq!(told[0], told[1]);
    assert_eq!(stranger.login("somebody@example.org", WRONG).await.status, 401, "others are not concerned");
}

#[tokio::test]
async fn a_lockout_by_a_stranger_does_not_lock_out_the_owner() {
    let app = guarded().await;
    let (ann, bob, stranger) = (Person::at(&app), Person::at(&app), Person::at(&app));
    ann.register(ANN).await;
    ann.login(ANN, PASSWORD).await;
    bob.register("bob@example.org").await;
    bob.login("bob@example.org", PASSWORD).await;

    exhaust(&app, &stranger, ANN).await;
    assert_eq!(bob.login(ANN, PASSWORD).await.status, 429, "being known to one account says nothing to another");
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
    assert_eq!(stranger.login(ANN, PASSWORD).await.status, 429, "the owner's success is no help to the stranger");

    // A lockout does not stop a passkey, in any browser, and a sign-in with a passkey does not end the
    // lockout.
    let mut key = SoftKey::at(&app.url(""));
    assert_eq!(ann.add_passkey(&mut key).await.status, 200);
    assert_eq!(Person::at(&app).sign_in_with(&mut key).await.status, 200);
    assert_eq!(stranger.login(ANN, PASSWORD).await.status, 429);

    // A recognised browser is locked out after wrong passwords of its own.
    assert_eq!(exhaust(&app, &ann, ANN).await, (5, 60));
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 429);
    assert_eq!(Person::at(&app).sign_in_with(&mut key).await.status, 200, "the owner gets in all the same");
    // A browser that is no longer recognised counts as a stranger.
    app.clock.advance(SignedDuration::from_hours(90 * 24 + 1));
    exhaust(&app, &stranger, ANN).await;
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 429);
}

#[tokio::test]
async fn failures_of_one_address_are_limited_over_all_accounts() {
    let limit = ("APP_RATE_LIMIT_LOGIN_FAILURES_IP", "7/h");
    let variables: Vec<_> = GUARDED.iter().copied().filter(|(name, _)| *name != limit.0).chain([limit]).collect();
    let app = TestApp::with_variables(&variables).await;
    let ann = Person::at(&app);
    ann.register(ANN).await;
    for number in 0..7 {
        assert_eq!(ann.login(ANN, PASSWORD).await.status, 200, "successes are not counted");
        assert_eq!(ann.login(&format!("nobody{number}@example.org"), WRONG).await.status, 401);
    }
    assert_eq!(ann.login(ANN, PASSWORD).await.refusal(), (429, "rateLimited"));
}

#[tokio::test]
async fn a_right_password_is_no_failure_whatever_comes_after_it() {
    let codes = [("APP_EMAIL_LOGIN_CODE", "always"), ("APP_RATE_LIMIT_LOGIN_CODES", "1/h")];
    let app = TestApp::with_variables(&[GUARDED, super::mailed_codes::MAIL, &codes].concat()).await;
    Person::at(&app).register(ANN).await;
    let unverified: Vec<_> = [Person::at(&app).login(ANN, PASSWORD).await, Person::at(&app).login(ANN, PASSWORD).await].into();
    assert!(unverified.iter().all(|u| u.refusal() == (403, "emailNotVerified")));
    app.sql("update users set email_verified = true").await;
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
    for _ in 0..8 {
        assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.refusal(), (429, "rateLimited"), "no second code is mailed");
    }
    let counted = "select count(*) from lockout_counters where cardinality(recent) + waits + day_count > 0";
    assert_eq!(app.count(counted).await, 0);
    app.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(Person::at(&app).login(ANN, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn the_counters_hold_no_address_in_clear_text() {
    let app = guarded().await;
    Person::at(&app).login(ANN, WRONG).await;
    assert_eq!(app.count("select count(*) from lockout_counters where lockout_counters::text ilike '%ann%'").await, 0);
    assert_eq!(app.count("select count(*) from lockout_counters where length(key) = 32").await, 1);
    let free = self::app().await;
    for _ in 0..20 {
        assert_eq!(Person::at(&free).login(ANN, WRONG).await.status, 401);
    }
    assert_eq!(free.count("select count(*) from lockout_counters").await, 0, "switched off, nothing is counted");
}
