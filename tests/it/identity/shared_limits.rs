//! The limits whose number the contract names: two servers on one database admit that many together, however
//! many ask both of them at once.

use super::{LIMITED, mailed_codes::MAIL};
use futures_util::future;
use support::prelude::*;

const ANN: &str = "ann@example.org";
const PROXY: (&str, &str) = ("APP_TRUSTED_PROXIES", "127.0.0.1");

/// Two servers on one database.
async fn pair(more: &[(&str, &str)]) -> [TestApp; 2] {
    let variables = [LIMITED, more].concat();
    let one = TestApp::with_variables(&variables).await;
    let other = Setup { variables: &variables, database: Some(one.database.clone()), ..Setup::default() };
    let other = TestApp::with(other).await;
    [one, other]
}

/// The time passes for both, and for the database.
fn pass(apps: &[TestApp; 2], time: SignedDuration) {
    for app in apps {
        app.clock.advance(time);
    }
}

/// Asks `size` times at once, half of them at each server. Returns how many got a status; the others were
/// refused, and told for how long.
async fn crowd(apps: &[TestApp; 2], size: usize, status: u16, ask: impl AsyncFn(Person, usize) -> Response) -> usize {
    let ask = &ask;
    let asked = (0..size).map(|number| ask(Person::at(&apps[number % 2]), number));
    let responses = future::join_all(asked).await;
    let (admitted, refused): (Vec<_>, Vec<_>) = responses.into_iter().partition(|response| response.status == status);
    for response in refused {
        assert_eq!(response.refusal(), (429, "rateLimited"), "{}", response.body);
        let after = response.headers["retry-after"].to_str().unwrap();
        assert_eq!(response.body["retryAfter"].to_string(), after);
        assert_ne!(after, "0");
    }
    admitted.len()
}

/// A caller without an account, told apart by the number.
async fn stranger(person: Person, number: usize) -> Response {
    person.login(&format!("nobody{number}@example.org"), "not the harbour").await
}

#[tokio::test]
async fn sign_ins_of_an_address_are_counted_by_both() {
    let apps = pair(&[("APP_RATE_LIMIT_LOGIN_IP", "6/min")]).await;
    assert_eq!(crowd(&apps, 20, 401, stranger).await, 6);
    pass(&apps, SignedDuration::from_millis(9_999));
    assert_eq!(crowd(&apps, 4, 401, stranger).await, 0);
    pass(&apps, SignedDuration::from_millis(1));
    assert_eq!(crowd(&apps, 4, 401, stranger).await, 1, "one each ten seconds");
    pass(&apps, SignedDuration::from_mins(1));
    assert_eq!(crowd(&apps, 20, 401, stranger).await, 6);
}

#[tokio::test]
async fn wrong_sign_ins_of_an_address_are_counted_by_both_and_right_ones_are_not() {
    let apps = pair(&[("APP_RATE_LIMIT_LOGIN_IP", "1000/min"), ("APP_RATE_LIMIT_LOGIN_FAILURES_IP", "5/h")]).await;
    Person::at(&apps[0]).register(ANN).await;
    let right = async |person: Person, _| person.login(ANN, PASSWORD).await;
    assert_eq!(crowd(&apps, 4, 200, right).await, 4);
    assert_eq!(crowd(&apps, 20, 401, stranger).await, 5);
    assert_eq!(crowd(&apps, 2, 200, right).await, 0, "not even a right one");
    pass(&apps, SignedDuration::from_mins(12));
    assert_eq!(crowd(&apps, 2, 200, right).await, 2);
    assert_eq!(crowd(&apps, 6, 401, stranger).await, 1);
}

#[tokio::test]
async fn codes_of_a_sign_in_count_as_sign_ins() {
    let apps = pair(&[("APP_RATE_LIMIT_LOGIN_IP", "6/min")]).await;
    let paths = ["verify-totp", "verify-login-code", "resend-login-code"];
    let code = async |person: Person, number: usize| {
        person.post(&format!("/api/auth/{}", paths[number % 3]), &json!({ "code": "123456", "loginToken": "x" })).await
    };
    assert_eq!(crowd(&apps, 18, 401, code).await, 6);
    assert_eq!(crowd(&apps, 2, 401, stranger).await, 0);
}

#[tokio::test]
async fn registrations_from_an_address_are_counted_by_both() {
    let apps = pair(&[("APP_RATE_LIMIT_REGISTER_IP", "3/h")]).await;
    let register = async |person: Person, number: usize| person.register(&format!("p{number}@example.org")).await;
    assert_eq!(crowd(&apps, 12, 201, register).await, 3);
    assert_eq!(apps[0].count("select count(*) from users").await, 3);
    pass(&apps, SignedDuration::from_mins(20));
    assert_eq!(crowd(&apps, 4, 201, async |person, number| register(person, 20 + number).await).await, 1);
}

#[tokio::test]
async fn passkeys_and_wrong_links_of_an_address_are_counted_by_both() {
    let apps = pair(&[("APP_RATE_LIMIT_PASSKEYS_IP", "5/min"), ("APP_RATE_LIMIT_LINK_IP", "4/h")]).await;
    let challenge = async |person: Person, _| person.post("/api/webauthn/login/start", &json!({})).await;
    assert_eq!(crowd(&apps, 12, 200, challenge).await, 5);
    pass(&apps, SignedDuration::from_secs(12));
    assert_eq!(crowd(&apps, 4, 200, challenge).await, 1);

    let link = async |person: Person, _| person.get(&format!("/api/auth/verify-email?token={}", "x".repeat(43))).await;
    assert_eq!(crowd(&apps, 12, 400, link).await, 4);
    pass(&apps, SignedDuration::from_mins(15));
    assert_eq!(crowd(&apps, 4, 400, link).await, 1);
}

#[tokio::test]
async fn mails_are_counted_by_both_by_who_asks_and_by_whom_they_go_to() {
    let apps = pair(&[MAIL, &[("APP_RATE_LIMIT_MAIL_IP", "9/h"), ("APP_EMAIL_LOGIN_CODE", "always")]].concat()).await;
    assert_eq!(Person::at(&apps[0]).register(ANN).await.status, 201);
    apps[0].sql("update users set email_verified = true").await;
    apps[0].sql("delete from mails").await;
    let forgot = async |person: Person, _| person.post("/api/auth/password/forgot", &json!({ "email": ANN })).await;
    assert_eq!(crowd(&apps, 8, 200, forgot).await, 8, "the response does not tell");
    assert_eq!(
        apps[0].count("select count(*) from mails where template = 'passwordReset'").await,
        3,
        "three an hour to an address"
    );
    assert_eq!(crowd(&apps, 8, 200, forgot).await, 1, "nine an hour from one place");

    // The owner of an address is told once an hour that it was registered again.
    apps[0].sql("delete from mails").await;
    let again = async |person: Person, _| person.register(ANN).await;
    assert_eq!(crowd(&apps, 6, 201, again).await, 6);
    assert_eq!(apps[0].count("select count(*) from mails").await, 1);

    // Ten codes an hour are mailed to an account.
    apps[0].sql("delete from mails").await;
    for admitted in [4, 4, 2] {
        assert_eq!(crowd(&apps, 4, 200, async |person, _| person.login(ANN, PASSWORD).await).await, admitted);
    }
    assert_eq!(apps[0].count("select count(*) from mails where template = 'loginCode'").await, 10);
}

#[tokio::test]
async fn exports_of_an_account_are_counted_by_both() {
    let apps = pair(&[("APP_RATE_LIMIT_EXPORT_USER", "2/h")]).await;
    let (here, there) = (Person::signed_in(&apps[0], ANN).await, Person::elsewhere(&apps[1], ANN).await);
    let people = [&here, &there];
    let export = async |person: Person, number: usize| {
        let known = Person { browser: people[number % 2].browser.clone(), ..person };
        known.get("/api/me/export").await
    };
    assert_eq!(crowd(&apps, 8, 200, export).await, 2);
    pass(&apps, SignedDuration::from_mins(30));
    assert_eq!(crowd(&apps, 4, 200, export).await, 1);
}

/// A caller who keeps asking while it is refused costs the database one question a second at each server.
#[tokio::test]
async fn a_refused_address_is_refused_from_memory_for_a_second() {
    let apps = pair(&[("APP_RATE_LIMIT_LOGIN_IP", "2/h")]).await;
    assert_eq!(crowd(&apps, 8, 401, stranger).await, 2);
    let asked = || apps[0].database.store.round_trips_of("account.find");
    let before = asked();
    for _ in 0..5 {
        assert_eq!(crowd(&apps, 10, 401, stranger).await, 0);
    }
    assert_eq!(asked(), before, "neither asks");
    pass(&apps, SignedDuration::from_secs(1));
    for _ in 0..5 {
        assert_eq!(Person::at(&apps[0]).login(ANN, PASSWORD).await.status, 429);
    }
    assert_eq!(asked(), before + 1, "one asks, once");
}

#[tokio::test]
async fn an_address_with_too_many_wrong_sign_ins_is_refused_from_memory_too() {
    let apps = pair(&[("APP_RATE_LIMIT_LOGIN_IP", "1000/min"), ("APP_RATE_LIMIT_LOGIN_FAILURES_IP", "2/h")]).await;
    assert_eq!(crowd(&apps, 8, 401, stranger).await, 2);
    let asked = || apps[0].database.store.round_trips_of("account.find");
    for _ in 0..2 {
        let before = asked();
        for _ in 0..5 {
            assert_eq!(crowd(&apps, 2, 401, stranger).await, 0);
        }
        assert!(asked() <= before + 2, "each asks once at most");
        pass(&apps, SignedDuration::from_secs(1));
    }
}

#[tokio::test]
async fn who_is_refused_by_two_limits_is_told_the_longer_wait() {
    let apps = pair(&[("APP_RATE_LIMIT_LOGIN_IP", "1/min"), ("APP_RATE_LIMIT_LOGIN_FAILURES_IP", "1/h")]).await;
    assert_eq!(stranger(Person::at(&apps[0]), 0).await.status, 401);
    for (app, how) in [(1, "by the database"), (0, "from memory")] {
        let refused = stranger(Person::at(&apps[app]), 1).await;
        assert_eq!((refused.refusal(), &refused.headers["retry-after"]), ((429, "rateLimited"), &"3600".parse().unwrap()), "{how}");
    }
}

/// Counting waits for no disk and no standby.
#[tokio::test]
async fn buckets_are_not_written_to_the_log() {
    let app = TestApp::with(Setup::default()).await;
    assert_eq!(app.count("select count(*) from pg_class where relname = 'rate_limits' and relpersistence = 'u'").await, 1);
}

#[tokio::test]
async fn a_network_of_ipv6_is_one_caller_and_one_row() {
    let apps = pair(&[PROXY, ("APP_RATE_LIMIT_LOGIN_IP", "4/min")]).await;
    let from = async |person: Person, ip: String| {
        let body = json!({ "email": ANN, "password": PASSWORD });
        let request = person.request(Method::POST, "/api/auth/login").await;
        request.header("x-forwarded-for", ip).json(&body).answer().await
    };
    let network = async |person, number: usize| from(person, format!("2001:db8:0:7:{number:x}::{number:x}")).await;
    assert_eq!(crowd(&apps, 12, 401, network).await, 4);
    let rows = "select count(*) from rate_limits where name = 'login_ip' and caller = '2001:db8:0:7::'";
    assert_eq!(
        (apps[0].count(rows).await, apps[0].count("select count(*) from rate_limits where name = 'login_ip'").await),
        (1, 1)
    );
    assert_eq!(from(Person::at(&apps[1]), "2001:db8:0:8::1".to_owned()).await.status, 401, "another network");
}

/// The contract's numbers, where nothing else is configured.
#[tokio::test]
async fn without_configuration_the_numbers_are_those_of_the_contract() {
    let apps = pair(&[]).await;
    assert_eq!(crowd(&apps, 24, 401, stranger).await, 20, "sign-ins a minute");
    let register = async |person: Person, number: usize| person.register(&format!("p{number}@example.org")).await;
    assert_eq!(crowd(&apps, 14, 201, register).await, 10, "registrations an hour");
    let forgot = async |person: Person, _| person.post("/api/auth/password/forgot", &json!({ "email": ANN })).await;
    assert_eq!(crowd(&apps, 24, 200, forgot).await, 20, "mails an hour");
    let challenge = async |person: Person, _| person.post("/api/webauthn/login/start", &json!({})).await;
    assert_eq!(crowd(&apps, 34, 200, challenge).await, 30, "challenges a minute");
    let link = async |person: Person, _| person.get(&format!("/api/auth/verify-email?token={}", "x".repeat(43))).await;
    assert_eq!(crowd(&apps, 24, 400, link).await, 20, "wrong links an hour");
}
