//! Secrets of every kind are planted in a server that says as much as it can, and searched for in everything
//! that it tells: log, metrics, traces, answers to what went wrong, both audit trails, dead letters, the log
//! of PostgreSQL, and a dump of the whole database.

use super::Collector;
use support::{Authenticator, MailServer, prelude::*};

const ANN: &str = "ann@example.org";
const METRICS_TOKEN: &str = "planted-metrics-token";
const PASSWORD: &str = "planted password of a person";
const CLIENT_SECRET: &str = "planted-client-secret-0123456789";
const PROVISIONING: &str = "planted-provisioning-token-0123456789";

/// What was planted, by name, and what was answered to what went wrong.
#[derive(Default)]
struct Planted {
    secrets: Vec<(String, String)>,
    answers: String,
}

impl Planted {
    fn add(&mut self, name: &str, secret: &str) -> String {
        assert!(secret.len() >= 5, "{name}: {secret:?} may stand anywhere");
        self.secrets.push((name.to_owned(), secret.to_owned()));
        secret.to_owned()
    }

    /// Plants the text at a member of a JSON value.
    fn member(&mut self, name: &str, value: &Value) -> String {
        self.add(name, value.as_str().unwrap_or_else(|| panic!("{name}: {value}")))
    }

    /// Sends a request that has to be refused, and keeps the answer.
    async fn refused(&mut self, request: reqwest::RequestBuilder) {
        let answer = request.send().await.unwrap();
        let status = answer.status();
        assert!(status.is_client_error(), "{}: {status}", answer.url().path());
        self.answers.push_str(&format_args!("{:?}\n", answer.headers()).to_string());
        self.answers.push_str(&answer.text().await.unwrap());
    }

    /// The names of those that stand in a text.
    fn found_in(&self, text: &str) -> Vec<&str> {
        let text = text.to_lowercase();
        let stands = |secret: &str| text.contains(&secret.to_lowercase()) || text.contains(&hex::encode(secret));
        self.secrets.iter().filter(|(_, secret)| stands(secret)).map(|(name, _)| name.as_str()).collect()
    }
}

fn token_in(link: &str) -> &str {
    link.split_once("token=").unwrap().1
}

/// What Ann does: an account, a second factor, a forgotten password; each of its secrets once right and once
/// wrong.
async fn account(planted: &mut Planted, server: &Server, mails: &MailBox) {
    let ann = Person::at_origin(server.url(""));
    let login = |password: &str| json!({ "email": ANN, "password": password });
    planted.add("a password", PASSWORD);
    let registration = json!({ "email": ANN, "password": PASSWORD, "firstName": "Ann", "lastName": "Bee" });
    ann.post("/api/auth/register", &registration).await.expect(201);
    let link = mails.next_to(ANN).await.link();
    planted.add("a mailed link", token_in(&link));
    ann.get(&format!("/api/auth/verify-email?token={}", token_in(&link))).await;
    let wrong = planted.add("a wrong password", "planted and mistyped");
    planted.refused(ann.request(Method::POST, "/api/auth/login").await.json(&login(&wrong))).await;
    let answer = ann.post("/api/auth/login", &login(PASSWORD)).await;
    for cookie in answer.headers.get_all("set-cookie") {
        let (name, value) = cookie.to_str().unwrap().split(';').next().unwrap().split_once('=').unwrap();
        // An empty one is removed.
        if !value.is_empty() {
            planted.add(&format!("the cookie {name}"), value);
        }
    }
    planted.member("a CSRF token", &answer.body["csrfToken"]);

    let started = ann.post("/api/me/totp/start", &json!({})).await.expect(200);
    let secret = planted.member("the secret of an authenticator app", &started["secret"]);
    planted.refused(ann.request(Method::POST, "/api/me/totp/confirm").await.json(&json!({ "code": "planted-wrong-code" }))).await;
    #[expect(clippy::disallowed_methods, reason = "the server under test has the real time")]
    let code = Authenticator::holding(&secret).code(jiff::Timestamp::now());
    let confirmed = ann.post("/api/me/totp/confirm", &json!({ "code": code })).await.expect(200);
    for code in confirmed["backupCodes"].as_array().unwrap() {
        planted.member("a backup code", code);
    }
    let other = Person::at_origin(server.url(""));
    let waiting = other.post("/api/auth/login", &login(PASSWORD)).await.expect(200);
    let waiting = planted.member("the token of a sign-in that waits for its second factor", &waiting["loginToken"]);
    let code = confirmed["backupCodes"][0].as_str().unwrap();
    other.post("/api/auth/verify-totp", &json!({ "code": code, "loginToken": waiting })).await.expect(200);

    other.post("/api/auth/password/forgot", &json!({ "email": ANN })).await.expect(200);
    let link = loop {
        let mail = mails.next_to(ANN).await;
        if mail.text.contains("/reset-password") {
            break mail.link();
        }
    };
    planted.add("a link to set a password", token_in(&link));
    let wrong = planted.add("a wrong link", "planted-link-that-was-never-mailed-0123456789");
    let new = planted.add("a new password", "planted and never accepted");
    let reset = json!({ "token": wrong, "newPassword": new, "password": new });
    planted.refused(other.request(Method::POST, "/api/auth/password/reset").await.json(&reset)).await;
}

/// What programs do: tokens that are right, wrong and unknown, and bodies that cannot be read.
async fn programs(planted: &mut Planted, server: &Server) {
    let client = browser();
    let bearer = planted.add("an unknown bearer token", "planted-bearer-of-nobody");
    planted.refused(client.get(server.url("/api/v1/spaces")).bearer_auth(&bearer)).await;
    planted.refused(client.get(server.url("/metrics")).bearer_auth(&bearer)).await;
    let token = planted.add("an unknown delivery token", "planted-delivery-token");
    planted.refused(client.get(server.url(&format!("/api/v2/cdn/stories?token={token}")))).await;
    planted.refused(client.get(server.url("/api/me")).header("cookie", "session=planted-cookie; device=planted-cookie")).await;
    planted.add("a forged cookie", "planted-cookie");
    planted.add("the header of a caller", "planted-header");
    planted.refused(client.get(server.url("/api/me")).header("x-secret", "planted-header")).await;
    planted.add("the token of provisioning", PROVISIONING);
    let users =
        json!({ "users": [{ "email": "x", "passwordHash": planted.add("an imported hash", "planted$hash$of$another$system") }] });
    let batch = client.post(server.url("/api/provisioning/users/batch")).bearer_auth(PROVISIONING).json(&users);
    let answered = batch.send().await.unwrap();
    planted.answers.push_str(&answered.text().await.unwrap());
    planted.refused(client.post(server.url("/api/provisioning/users/batch")).bearer_auth(&bearer).json(&users)).await;
    planted.add("the secret of a client", CLIENT_SECRET);
    for (secret, code) in [(CLIENT_SECRET, "planted-code-of-nobody"), ("planted-wrong-client-secret", "planted-code-of-nobody")] {
        let form = [("grant_type", "authorization_code"), ("code", code), ("redirect_uri", "https://app.example/cb")];
        let form: Vec<String> = form.iter().map(|(name, value)| format!("{name}={}", value.replace("://", "%3A%2F%2F"))).collect();
        let request = client.post(server.url("/oidc/token")).basic_auth("web-app", Some(secret)).body(form.join("&"));
        planted.refused(request.header("content-type", "application/x-www-form-urlencoded")).await;
    }
    planted.add("a wrong secret of a client", "planted-wrong-client-secret");
    planted.add("an authorization code", "planted-code-of-nobody");
    // Bodies that end too early, with the secret right before the end.
    let broken = planted.add("a secret in a body that cannot be read", "planted-before-the-end");
    let login = Person::at_origin(server.url("")).request(Method::POST, "/api/auth/login").await;
    planted
        .refused(login.header("content-type", "application/json").body(format!(r#"{{"email":"a@b.example","password":"{broken}"#)))
        .await;
}

/// Another person without a second factor has a space with a webhook whose receiver refuses everything.
async fn dead_letter(planted: &mut Planted, server: &Server, (mails, receiver): (&MailBox, &Receiver)) {
    let bob = Person::at_origin(server.url(""));
    bob.register("bob@example.org").await.expect(201);
    let link = mails.next_to("bob@example.org").await.link();
    planted.add("a mailed link", token_in(&link));
    bob.get(&format!("/api/auth/verify-email?token={}", token_in(&link))).await;
    bob.login("bob@example.org", support::PASSWORD).await.expect(200);
    let space = bob.space().await;
    for (name, token) in [("a public token", &space.public), ("a management token", &space.admin)] {
        planted.add(name, token);
    }
    let secret = planted.add("the secret of a webhook", "planted-webhook-secret");
    let webhook = json!({ "name": "w", "url": receiver.url(), "events": ["story.published"], "secret": secret });
    space.post("/webhooks", webhook).await.expect(201);
    receiver.will((0..5).map(|_| Reaction::Status(500)));
    space.publish("s").await.expect(201);
    receiver.got(5).await;
    assert_eq!(server.get(&space.read("s")).await, 200);
}

#[tokio::test]
async fn no_sink_tells_a_secret() {
    let (collector, receiver, data) = (Collector::start().await, Receiver::start().await, scratch());
    let mails = MailBox::with(MailServer { login: Some(("lectern", "planted-mail-password")), ..MailServer::default() }).await;
    let mut planted = Planted::default();
    let endpoint = format!("http://{}", collector.address);
    let clients =
        json!([{ "clientId": "web-app", "redirectUris": ["https://app.example/cb"], "clientSecret": CLIENT_SECRET }]).to_string();
    let importers = json!([{ "id": "importer", "token": PROVISIONING }]).to_string();
    let secrets = [
        ("APP_SECRET", "planted-root-secret-0123456789abcdef"),
        ("APP_METRICS_TOKEN", METRICS_TOKEN),
        ("APP_OTLP_HEADERS", "authorization=planted-collector-token"),
        ("APP_CLIENT_SECRET_MASTER", "planted-client-master-0123456789ab"),
        ("APP_SMTP_PASSWORD", "planted-mail-password"),
    ];
    for (name, secret) in secrets {
        planted.add(name, secret.trim_start_matches("authorization="));
    }
    let variables = [
        &secrets[..],
        &mails.variables(),
        &[
            ("APP_SMTP_USER", "lectern"),
            ("APP_ADMIN_API_TOKENS_JSON", importers.as_str()),
            ("APP_OIDC_CLIENTS_JSON", clients.as_str()),
            ("APP_OTLP_ENDPOINT", endpoint.as_str()),
            ("APP_OTLP_TRACE_PERCENT", "100"),
            ("APP_OTLP_INTERVAL", "1"),
            ("APP_LOG_FORMAT", "pretty"),
            ("APP_LOG_LEVEL", "trace"),
            ("APP_RATE_LIMITS", "off"),
            ("APP_ALLOWED_PRIVATE_TARGETS", "127.0.0.1"),
            ("APP_WEBHOOK_BACKOFF", "1ms,1ms,1ms,1ms"),
        ],
    ]
    .concat();
    let server = Server::start(data.path(), &variables).await;
    account(&mut planted, &server, &mails).await;
    programs(&mut planted, &server).await;

    dead_letter(&mut planted, &server, (&mails, &receiver)).await;
    let metrics =
        async || browser().get(server.url("/metrics")).bearer_auth(METRICS_TOKEN).send().await.unwrap().text().await.unwrap();
    while !metrics().await.contains("svc_webhook_dead_letters_total 1") {
        tokio::task::yield_now().await;
    }
    collector.has(|all| !all.metrics.is_empty() && all.spans.iter().any(|span| span.name == "/api/auth/login")).await;

    let dump = tools::printed(tools::run(
        Path::new("pg_dump"),
        ["--inserts", "--host", data.path().join("run").to_str().unwrap(), "--username", "lectern", "postgres"],
    ));
    let postgres = std::fs::read_to_string(data.path().join("postgres.log")).unwrap();
    let (metrics, welcome) = (metrics().await, server.welcome.clone());
    let (log, error) = server.stop_and_tell_all().await;
    let log = format!("{welcome}{log}");
    let arrived = collector.arrived.borrow();
    let sinks = [
        ("the log", log.as_str()),
        ("the standard error", &error),
        ("the metrics", &metrics),
        ("what the collector got", &String::from_utf8_lossy(&arrived.raw)),
        ("answers to what went wrong", &planted.answers),
        ("the log of PostgreSQL", &postgres),
        ("the database", &dump),
    ];
    // The sinks have something to tell.
    for (text, part) in
        [(&log, "request refused"), (&dump, "webhook.dead_lettered"), (&dump, "auth.login.failure"), (&metrics, "svc_logins_total")]
    {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(metrics.contains("svc_log_lines_dropped_total 0"), "the whole log is here");
    assert!(planted.secrets.len() > 30, "{}", planted.secrets.len());
    let told: Vec<(&str, Vec<&str>)> =
        sinks.iter().map(|(name, text)| (*name, planted.found_in(text))).filter(|(_, found)| !found.is_empty()).collect();
    assert_eq!(told, [], "of {} secrets", planted.secrets.len());
}
