//! Neither the response nor its duration tells whether an address has an account.

use support::prelude::*;

const TOKEN: (&str, &str) = ("APP_METRICS_TOKEN", "0123456789abcdef");
/// Mail is on, and no server listens there.
const MAIL: &[(&str, &str)] = &[
    ("APP_SMTP_HOST", "127.0.0.1"),
    ("APP_SMTP_PORT", "1"),
    ("APP_SMTP_SECURITY", "none"),
    ("APP_SMTP_FROM", "Lectern <no-reply@example.org>"),
];
/// Hashing has its real cost here, because its duration is what the tests compare.
const UNLIMITED: &[(&str, &str)] = &[("APP_RATE_LIMITS", "off"), TOKEN];
/// How many samples each kind has.
const SAMPLES: usize = 60;

/// All that a caller can compare: the status, the headers that are not different in each response, and the
/// body.
fn comparable(response: &Response) -> (u16, Vec<(String, String)>, Value) {
    let changing = ["date", "x-request-id"];
    let headers = response.headers.iter().filter(|(name, _)| !changing.contains(&name.as_str()));
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect();
    let mut body = response.body.clone();
    body["requestId"].take();
    (response.status, headers, body)
}

/// The chance that one of the first took longer than one of the second; a half when they cannot be told apart
/// (Mann and Whitney's U over the number of pairs).
fn chance_of_longer(first: &[Duration], second: &[Duration]) -> f64 {
    let wins = |value: &Duration| {
        second.iter().filter(|other| value > *other).count() * 2 + second.iter().filter(|other| value == *other).count()
    };
    let halves: usize = first.iter().map(wins).sum();
    f64::from(u32::try_from(halves).unwrap()) / 2.0 / f64::from(u32::try_from(first.len() * second.len()).unwrap())
}

async fn measured<T: std::str::FromStr<Err: std::fmt::Debug>>(app: &TestApp, series: &str) -> T {
    let text = app.get("/metrics").bearer_auth(TOKEN.1).send().await.unwrap().text().await.unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{series} in {text}")).parse().unwrap()
}

/// How many passwords the server has hashed or compared, and the time that it took.
async fn hashed(app: &TestApp) -> (u64, Duration) {
    let count = measured(app, "svc_password_hash_seconds_count").await;
    let seconds = measured(app, "svc_password_hash_seconds_sum").await;
    (count, Duration::from_secs_f64(seconds))
}

/// One request, with a CSRF token that is known before.
async fn post(ann: &Person, csrf: &str, path: &str, body: &Value) -> Response {
    ann.browser.post(ann.url(path)).header("x-csrf-token", csrf).json(body).answer().await
}

/// Requests each kind once a round, so that other load of the machine falls on all of them, in another order
/// each time, so that what one leaves behind does too. Compares responses, their durations, how many
/// passwords were hashed, and the time that took: it must be alike by itself and not only because the
/// response waits for the next step of time.
///
/// With 60 samples each, the chance has a standard deviation of 0.053 between two that are alike; 0.25 away
/// from a half is nearly five of them, which happens by itself once in some hundred thousand comparisons. A
/// hash that is missing from one of them puts it at 0.5 away.
async fn cannot_be_told_apart(app: &TestApp, kinds: &[&str], mut ask: impl AsyncFnMut(&str) -> Response) {
    let mut answers = Vec::new();
    let (mut responding, mut hashing) = (vec![Vec::new(); kinds.len()], vec![Vec::new(); kinds.len()]);
    let mut before = hashed(app).await;
    for _ in 0..SAMPLES {
        let mut order: Vec<usize> = (0..kinds.len()).collect();
        fastrand::shuffle(&mut order);
        for at in order {
            let began = Instant::now();
            let response = ask(kinds[at]).await;
            responding[at].push(began.elapsed());
            let after = hashed(app).await;
            hashing[at].push(after.1.saturating_sub(before.1));
            answers.push((comparable(&response), after.0 - before.0));
            before = after;
        }
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{:?}", answers[..kinds.len()].to_vec());
    for (what, times) in [("responding", responding), ("hashing", hashing)] {
        for (at, first) in times.iter().enumerate() {
            for (other, second) in times.iter().enumerate().skip(at + 1) {
                let chance = chance_of_longer(first, second);
                let is_alike = (0.25..=0.75).contains(&chance);
                assert!(is_alike, "{what} takes longer for {} than for {} with a chance of {chance}", kinds[at], kinds[other]);
            }
        }
    }
}

#[tokio::test]
async fn a_failed_login_has_the_same_response_and_duration_whatever_is_wrong() {
    let app = TestApp::with_variables(UNLIMITED).await;
    let ann = Person::at(&app);
    for name in ["known", "passwordless", "unverified", "suspended", "second"] {
        assert_eq!(ann.register(&format!("{name}@example.org")).await.status, 201);
    }
    give_passwords_up(&app, "email like 'passwordless%'").await;
    app.sql("update users set email_verified = false where email like 'unverified%'").await;
    app.sql("update users set suspended_at = now() where email like 'suspended%'").await;

    app.sql("insert into totp (user_id, secret, enabled_at) select id, 'x', now() from users where email like 'second%'").await;
    let csrf = ann.csrf().await;
    cannot_be_told_apart(&app, &["unknown", "known", "passwordless", "unverified", "suspended", "second"], async |name| {
        let body = json!({ "email": format!("{name}@example.org"), "password": format!("{PASSWORD}!") });
        let response = post(&ann, &csrf, "/api/auth/login", &body).await;
        assert_eq!((response.status, &response.body["error"]), (401, &json!("invalidCredentials")));
        response
    })
    .await;
}

/// Mail is on, and the mail server is down: as much is written for an unknown address as for a known one.
#[tokio::test]
async fn a_request_for_a_reset_link_has_the_same_response_and_duration_for_any_address() {
    let app = TestApp::with_variables(&[UNLIMITED, MAIL].concat()).await;
    let ann = Person::at(&app);
    assert_eq!(ann.register("known@example.org").await.status, 201);
    app.sql("update users set email_verified = true").await;

    let csrf = ann.csrf().await;
    cannot_be_told_apart(&app, &["unknown", "known"], async |name| {
        let body = json!({ "email": format!("{name}@example.org") });
        let response = post(&ann, &csrf, "/api/auth/password/forgot", &body).await;
        assert_eq!(response.status, 200, "{}", response.body);
        response
    })
    .await;
}

#[tokio::test]
async fn a_registration_has_the_same_response_and_duration_whether_the_address_is_taken() {
    let app = TestApp::with_variables(&[UNLIMITED, MAIL].concat()).await;
    let ann = Person::at(&app);
    for name in ["taken", "suspended"] {
        assert_eq!(ann.register(&format!("{name}@example.org")).await.status, 201);
    }
    app.sql("update users set suspended_at = now() where email like 'suspended%'").await;

    let mut number = 0;
    let csrf = ann.csrf().await;
    cannot_be_told_apart(&app, &["new", "taken", "suspended"], async |name| {
        number += 1;
        let email = if name == "new" { format!("new{number}@example.org") } else { format!("{name}@example.org") };
        let body = json!({ "email": email, "password": PASSWORD, "firstName": "Ann" });
        let response = post(&ann, &csrf, "/api/auth/register", &body).await;
        assert_eq!(response.status, 201, "{}", response.body);
        response
    })
    .await;
}

#[tokio::test]
async fn asking_for_a_verification_link_says_and_takes_the_same_for_anybody() {
    let app = TestApp::with_variables(&[UNLIMITED, MAIL].concat()).await;
    let ann = Person::at(&app);
    for name in ["waiting", "verified"] {
        assert_eq!(ann.register(&format!("{name}@example.org")).await.status, 201);
    }
    app.sql("update users set email_verified = true where email like 'verified%'").await;

    let csrf = ann.csrf().await;
    cannot_be_told_apart(&app, &["unknown", "waiting", "verified"], async |name| {
        let body = json!({ "email": format!("{name}@example.org") });
        let response = post(&ann, &csrf, "/api/auth/resend-verification", &body).await;
        assert_eq!(response.status, 200, "{}", response.body);
        response
    })
    .await;
}

#[test]
fn the_comparison_sees_a_missing_hash_and_nothing_where_nothing_is() {
    let around =
        |middle: u64| -> Vec<Duration> { (0..60).map(|value| Duration::from_micros(middle + value * 37 % 60 * 20)).collect() };
    assert!((chance_of_longer(&around(8_000), &around(8_000)) - 0.5).abs() < 0.01);
    assert!(chance_of_longer(&around(8_000), &around(2_000)) > 0.99);
    assert!(chance_of_longer(&around(2_000), &around(8_000)) < 0.01);
}
