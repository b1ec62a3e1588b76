//! `/api/admin/blocks…`.

use super::{ADMIN, ANN, LIMITED, administrator, recorded};
use support::prelude::*;

const BLOCKS: &str = "/api/admin/blocks";

async fn limited(more: &[(&str, &str)]) -> TestApp {
    TestApp::with_variables(&[LIMITED, more].concat()).await
}

async fn list(admin: &Person) -> Vec<Value> {
    let body = admin.get(BLOCKS).await.body;
    body["blocks"].as_array().unwrap_or_else(|| panic!("{body}")).clone()
}

async fn lift(admin: &Person, block: &Value) -> (u16, String) {
    let path = format!("{BLOCKS}/{}", block["id"].as_str().unwrap());
    let response = admin.delete(&path, &json!({})).await;
    let (status, code) = response.refusal();
    (status, code.to_owned())
}

#[tokio::test]
async fn an_account_that_is_locked_out_is_listed_and_let_in_again() {
    let app = limited(&[]).await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    let id = ann.id().await;
    assert_eq!(list(&admin).await, Vec::<Value>::new());
    let (guesser, nobody) = (Person::at(&app), "nobody@example.org");
    for address in [ANN, nobody] {
        for _ in 0..5 {
            assert_eq!(guesser.login(address, "wrong").await.status, 401);
        }
        assert_eq!(guesser.login(address, PASSWORD).await.status, 429);
    }
    let blocks = list(&admin).await;
    let of_ann = blocks.iter().find(|block| block["userId"] == id.as_str()).unwrap();
    let until = format!("{:.3}", app.clock.now().checked_add(SignedDuration::from_mins(1)).unwrap());
    let expected = json!({
        "id": of_ann["id"], "limit": "lockout", "scope": "all", "target": "password", "userId": id, "userEmail": ANN, "caller": null,
        "failures": 5, "until": until,
    });
    assert_eq!(*of_ann, expected);
    let other = blocks.iter().find(|block| block["userId"] == json!(null)).unwrap();
    assert_eq!((blocks.len(), &other["failures"], &other["target"]), (2, &json!(5), &json!(null)), "an address without an account");

    assert_eq!(lift(&admin, of_ann).await, (200, String::new()));
    assert_eq!(guesser.login(ANN, PASSWORD).await.status, 200, "the failures are forgotten");
    assert_eq!(lift(&admin, of_ann).await, (404, "notFound".to_owned()));
    assert_eq!(list(&admin).await, std::slice::from_ref(other));
    let admin_id = admin.id().await;
    let entries = recorded(&app, "admin.block.lifted").await;
    assert_eq!(entries, [json!(["success", "admin", admin_id, id, { "limit": "lockout" }])]);
    assert_eq!(lift(&admin, other).await, (200, String::new()));
    assert_eq!(guesser.login(nobody, PASSWORD).await.status, 401);
}

#[tokio::test]
async fn a_limit_of_addresses_is_listed_and_lifted_for_all_processes() {
    let app = limited(&[]).await;
    let other = TestApp::with(Setup { database: Some(app.database.clone()), variables: LIMITED, ..Setup::default() }).await;
    let admin = administrator(&app).await;
    let guesser = Person::at(&app);
    for number in 0.. {
        let status = guesser.login(&format!("x{number}@example.org"), "wrong").await.status;
        if status == 429 {
            break;
        }
        assert!(number < 30 && status == 401, "{number}: {status}");
    }
    let blocks = list(&admin).await;
    assert_eq!((blocks.len(), &blocks[0]["limit"], &blocks[0]["scope"]), (1, &json!("login_ip"), &json!("all")), "{blocks:?}");
    assert_eq!((&blocks[0]["caller"], &blocks[0]["userId"]), (&json!("127.0.0.1"), &json!(null)));
    assert_eq!(Person::at(&other).login(ADMIN, PASSWORD).await.status, 429, "the other refuses as well");
    assert_eq!(lift(&admin, &blocks[0]).await.0, 200);
    assert_eq!(guesser.login(ADMIN, PASSWORD).await.status, 200);
    other.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(Person::at(&other).login(ADMIN, PASSWORD).await.status, 200, "within a second");
    let entries = recorded(&app, "admin.block.lifted").await;
    assert_eq!((entries.len(), &entries[0][4]), (1, &json!({ "limit": "login_ip" })), "without the address");
    let unknown = ["shared.login_ip.127.0.0.1", "shared.nothing.x", "shared.provisioning.x", "process.login_ip.00", "x"];
    for unknown in unknown {
        assert_eq!(lift(&admin, &json!({ "id": unknown })).await, (404, "notFound".to_owned()), "{unknown}");
    }
    assert_eq!(recorded(&app, "admin.block.lifted").await.len(), 1, "what is not there is not lifted");
}

/// New passwords of one account are counted by each process for itself.
#[tokio::test]
async fn a_limit_that_this_process_counts_is_listed_and_lifted() {
    let app = limited(&[("APP_RATE_LIMIT_NEW_PASSWORD_USER", "1/h")]).await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    let change =
        async |old: &str, new: &str| ann.post("/api/me/password", &json!({ "currentPassword": old, "newPassword": new })).await;
    assert_eq!(change(PASSWORD, "a second quiet harbour").await.status, 200);
    assert_eq!(change("a second quiet harbour", "a third quiet harbour").await.status, 429);
    let blocks = list(&admin).await;
    assert_eq!((blocks.len(), &blocks[0]["limit"], &blocks[0]["scope"]), (1, &json!("new_password_user"), &json!("process")));
    assert_eq!(blocks[0]["caller"], json!(null));
    assert_eq!(lift(&admin, &blocks[0]).await.0, 200);
    assert_eq!(lift(&admin, &blocks[0]).await, (404, "notFound".to_owned()));
    assert_eq!(change("a second quiet harbour", "a third quiet harbour").await.status, 200);
    let none = json!({ "id": "process.nothing.00000000000000000000000000000000" });
    assert_eq!(lift(&admin, &none).await, (404, "notFound".to_owned()));
    assert_eq!(recorded(&app, "admin.block.lifted").await.len(), 1);
}

#[tokio::test]
async fn a_limit_of_all_processes_is_lifted_at_any_of_them() {
    let tokens = ("APP_ADMIN_API_TOKENS_JSON", r#"[{"id":"importer","token":"0123456789abcdef0123456789abcdef"}]"#);
    let app = limited(&[tokens, ("APP_RATE_LIMIT_PROVISIONING", "3/min")]).await;
    let other = TestApp::with(Setup {
        database: Some(app.database.clone()),
        variables: &[LIMITED, &[tokens, ("APP_RATE_LIMIT_PROVISIONING", "3/min")]].concat(),
        ..Setup::default()
    })
    .await;
    let admin = administrator(&app).await;
    let ask = async || {
        let request = app.get("/api/provisioning/users/lookup?email=x@example.org").bearer_auth("0123456789abcdef0123456789abcdef");
        request.send().await.unwrap().status().as_u16()
    };
    for expected in [404, 404, 404, 429] {
        assert_eq!(ask().await, expected);
    }
    let elsewhere = Person::elsewhere(&other, ADMIN).await;
    let blocks = list(&elsewhere).await;
    let expected = json!({
        "id": "shared.provisioning.importer", "limit": "provisioning", "scope": "all", "target": null, "userId": null, "userEmail": null,
        "caller": "importer", "failures": null, "until": blocks[0]["until"],
    });
    assert_eq!(blocks, [expected]);
    assert_eq!(lift(&elsewhere, &blocks[0]).await.0, 200);
    app.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(ask().await, 404, "the others notice within a second");
    assert_eq!(list(&admin).await, Vec::<Value>::new());
}
