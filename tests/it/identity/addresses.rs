//! Addresses whose domain is not ASCII: one account, whatever way the domain is written in, wherever an
//! address is taken.

use super::{
    FREE, app,
    links::{MAILING, last_token},
};
use support::prelude::*;

/// The same address in each way in which a person, a browser or a program writes it.
const WAYS: [&str; 4] = ["ann@exämple.org", "Ann@EXA\u{308}MPLE.org ", "ann@xn--exmple-cua.org", "ANN@XN--EXMPLE-CUA.ORG"];
/// As it is stored.
const STORED: &str = "ann@xn--exmple-cua.org";

#[tokio::test]
async fn each_way_to_write_an_address_is_the_same_account() {
    for way in WAYS {
        let app = app().await;
        let ann = Person::at(&app);
        let registered = ann.register(way).await;
        assert_eq!((registered.status, &registered.body["user"]["email"]), (201, &json!(STORED)), "{way}");
        for again in WAYS {
            assert_eq!(ann.register(again).await.refusal(), (409, "emailTaken"), "{way} {again}");
            let signed_in = Person::at(&app).login(again, PASSWORD).await;
            assert_eq!((signed_in.status, &signed_in.body["user"]["email"]), (200, &json!(STORED)), "{way} {again}");
        }
        ann.login(way, PASSWORD).await;
        assert_eq!(ann.get("/api/me/export").await.body["profile"]["email"], STORED, "programs read what they can send a mail to");
        assert_eq!(app.count(&format!("select count(*) from users where email = '{STORED}'")).await, 1);
    }
}

#[tokio::test]
async fn what_is_not_ascii_before_the_at_sign_is_refused_with_a_sentence() {
    let app = TestApp::with_variables(&[FREE, &[("APP_ADMIN_API_TOKENS_JSON", TOKENS)]].concat()).await;
    let admin = Person::signed_in(&app, "admin@example.org").await;
    let wrong = "änn@exämple.org";
    let base = json!({ "email": wrong, "password": PASSWORD, "firstName": "Ann" });
    let invited = json!({ "email": wrong, "firstName": "Ann", "passwordMode": "invite" });
    let change = json!({ "newEmail": wrong, "password": PASSWORD });
    for (path, body, field) in [
        ("/api/auth/register", &base, "email"),
        ("/api/auth/login", &base, "email"),
        ("/api/auth/password/forgot", &base, "email"),
        ("/api/auth/resend-verification", &base, "email"),
        ("/api/admin/users", &invited, "email"),
        ("/api/me/email", &change, "newEmail"),
    ] {
        let refused = admin.post(path, body).await;
        assert_eq!(refused.refusal(), (400, "validation"), "{path}: {}", refused.body);
        let detail = &refused.body["details"][0];
        let message = detail["message"].as_str().unwrap();
        assert_eq!((&detail["field"], &detail["code"]), (&json!(field), &json!("localPartNotAscii")), "{path}");
        assert!(message.contains("letters from a to z, digits and signs before the @"), "{message}");
    }
    let row = provisioned(&app, &json!({ "email": wrong, "firstName": "Ann", "invite": true })).await;
    assert_eq!((&row["status"], &row["code"]), (&json!("invalid"), &json!("validation")), "{row}");
    assert!(row["message"].as_str().unwrap().contains("before the @"), "{row}");
    let csrf = admin.csrf().await;
    let german = admin.browser.post(app.url("/api/auth/register")).header("accept-language", "de").header("x-csrf-token", csrf);
    let german: Value = german.json(&base).send().await.unwrap().json().await.unwrap();
    assert!(german["details"][0]["message"].as_str().unwrap().starts_with("Vor dem @ sind nur Buchstaben"), "{german}");
    assert_eq!(app.count("select count(*) from users").await, 1);
}

const TOKENS: &str = r#"[{"id":"importer","token":"0123456789abcdef0123456789abcdef"}]"#;

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// Imports one account. Returns its row of the report.
async fn provisioned(app: &TestApp, user: &Value) -> Value {
    let request = browser().post(app.url("/api/provisioning/users/import")).bearer_auth("0123456789abcdef0123456789abcdef");
    let report: Value = request.json(&json!({ "users": [user] })).send().await.unwrap().json().await.unwrap();
    report["results"][0].clone()
}

#[tokio::test]
async fn administrators_and_other_systems_name_an_account_in_any_way() {
    let app = TestApp::with_variables(&[FREE, &[("APP_ADMIN_API_TOKENS_JSON", TOKENS)]].concat()).await;
    let admin = Person::signed_in(&app, "admin@example.org").await;
    let new = |email: &str| json!({ "email": email, "firstName": "Ann", "passwordMode": "set", "password": PASSWORD });
    let made = admin.post("/api/admin/users", &new(WAYS[0])).await;
    assert_eq!((made.status, &made.body["user"]["email"]), (201, &json!(STORED)), "{}", made.body);
    for way in WAYS {
        assert_eq!(admin.post("/api/admin/users", &new(way)).await.refusal(), (409, "emailTaken"), "{way}");
        let row = provisioned(&app, &json!({ "email": way, "firstName": "Ann", "invite": true })).await;
        assert_eq!((&row["email"], &row["code"]), (&json!(STORED), &json!("emailExists")), "{way} {row}");
        let found = browser().get(app.url(&format!("/api/provisioning/users/lookup?email={}", encoded(way))));
        let found = found.bearer_auth("0123456789abcdef0123456789abcdef").send().await.unwrap();
        assert_eq!(found.json::<Value>().await.unwrap()["email"], STORED, "{way}");
    }
    for (search, hits) in
        [("ann@exämple.org", 1), ("@exämple.org", 1), ("n@EXÄMPLE.org", 1), ("@xn--exmple", 1), ("bob@exämple.org", 0)]
    {
        let list = admin.get(&format!("/api/admin/users?search={}", encoded(search))).await;
        assert_eq!(list.body["total"], hits, "{search}: {}", list.body);
    }
    let row = provisioned(&app, &json!({ "email": "Bob@почта.рф", "firstName": "Bob", "invite": true })).await;
    assert_eq!((&row["email"], &row["status"]), (&json!("bob@xn--80a1acny.xn--p1ai"), &json!("created")), "{row}");
    admin.post("/api/me/email", &json!({ "newEmail": "admin@почта.рф", "password": PASSWORD })).await.expect(200);
    assert_eq!(admin.get("/api/me").await.body["email"], "admin@xn--80a1acny.xn--p1ai");
}

#[tokio::test]
async fn a_mail_goes_from_and_to_domains_of_any_script() {
    let mails = MailBox::start().await;
    let variables = [FREE, &mails.variables(), &[("APP_SMTP_FROM", "Größe <hallo@größe.example>")]].concat();
    let app = TestApp::with_variables(&variables).await;
    Person::at(&app).register("Ann@exämple.org").await;
    // The server of the tests decodes what it is sent; the head is as it came.
    let mail = mails.next_to("ann@exämple.org").await;
    assert_eq!(mail.sender, "hallo@größe.example");
    assert!(
        mail.head.contains("<hallo@xn--gre-6ka8i.example>\r\n") && mail.head.contains(&format!("\r\nTo: {STORED}\r\n")),
        "{}",
        mail.head
    );
    assert!(mail.message_id.ends_with("@xn--gre-6ka8i.example>"), "{}", mail.message_id);
    assert!(mail.head.is_ascii(), "every mail server takes it (RFC 6531 is not needed): {}", mail.head);
}

#[tokio::test]
async fn what_is_asked_for_one_way_is_counted_and_found_in_every_way() {
    let app = TestApp::with_variables(&[FREE, MAILING].concat()).await;
    let ann = Person::at(&app);
    assert_eq!(ann.register(WAYS[0]).await.status, 201);
    let first = last_token(&app, STORED).await;
    assert_eq!(ann.post("/api/auth/resend-verification", &json!({ "email": WAYS[1] })).await.status, 200);
    assert_ne!(last_token(&app, STORED).await, first, "another link was mailed");
    app.sql("update users set email_verified = true").await;
    assert_eq!(ann.post("/api/auth/password/forgot", &json!({ "email": WAYS[3] })).await.status, 200);
    let new = json!({ "token": last_token(&app, STORED).await, "newPassword": "an even quieter port" });
    assert_eq!(ann.post("/api/auth/password/reset", &new).await.status, 200);
    assert_eq!(ann.login(WAYS[2], "an even quieter port").await.status, 200);
}
