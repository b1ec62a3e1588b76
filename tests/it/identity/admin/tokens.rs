//! Tokens that act for a person end with the person's right to act.

use super::{ANN, FREE, administrator, app, recorded, with_administrator, with_ann};
use crate::identity::{links, mailed_codes::MAIL};
use domain::identity::{MailContent, mail::NoticeKind};
use support::prelude::*;

/// Ann's space, a token that she made, and one that this token made.
struct Site {
    space: i64,
    tokens: [String; 2],
}

impl Site {
    async fn of(app: &TestApp, ann: &Person) -> Self {
        let made = ann.post("/api/v1/spaces", &json!({ "name": "Site" })).await;
        let space = made.body["space"]["id"].as_i64().unwrap_or_else(|| panic!("{}", made.body));
        let path = format!("/api/v1/spaces/{space}/tokens");
        let own = ann.post(&path, &json!({ "name": "own", "role": "admin" })).await.body["plaintext"].as_str().unwrap().to_owned();
        let request = app.client.post(app.url(&path)).bearer_auth(&own).json(&json!({ "name": "child", "role": "viewer" }));
        let child: Value = request.send().await.unwrap().json().await.unwrap();
        Self { space, tokens: [own, child["plaintext"].as_str().unwrap().to_owned()] }
    }

    /// What the tokens get.
    async fn statuses(&self, app: &TestApp) -> [u16; 2] {
        let path = app.url(&format!("/api/v1/spaces/{}", self.space));
        let mut all = [0; 2];
        for (status, token) in all.iter_mut().zip(&self.tokens) {
            *status = app.client.get(&path).bearer_auth(token).send().await.unwrap().status().as_u16();
        }
        all
    }

    /// The newest entry of the space's audit log: by whom, and what.
    async fn newest(&self, app: &TestApp) -> [String; 3] {
        let query = "select actor_label, action, target_label from audit_log where space_id = $1 order by seq desc limit 1";
        let row = app.row(query, &[&self.space]).await;
        ["actor_label", "action", "target_label"].map(|column| row.get(column))
    }
}

#[tokio::test]
async fn a_suspension_stops_them_in_every_process_until_it_ends() {
    let app = app().await;
    let other = TestApp::with(Setup { database: Some(app.database.clone()), variables: FREE, ..Setup::default() }).await;
    let admin = administrator(&app).await;
    let ann = Person::signed_in(&app, ANN).await;
    let site = Site::of(&app, &ann).await;
    let user = format!("/api/admin/users/{}", ann.id().await);
    assert_eq!(site.statuses(&other).await, [200, 200]);
    assert_eq!(admin.post(&format!("{user}/suspend"), &json!({})).await.status, 200);
    for process in [&app, &other] {
        assert_eq!(site.statuses(process).await, [401, 401]);
    }
    let listed = admin.get("/api/admin/tokens?withoutPerson=false").await.body["tokens"].clone();
    assert!(listed.as_array().unwrap().iter().all(|token| token["suspended"] == json!(true)), "{listed}");
    assert_eq!(admin.post(&format!("{user}/unsuspend"), &json!({})).await.status, 200);
    assert_eq!(site.statuses(&app).await, [200, 200]);
}

#[tokio::test]
async fn a_deletion_revokes_them_and_their_spaces_say_so() {
    let (app, admin) = with_administrator().await;
    for by_admin in [true, false] {
        let ann = Person::signed_in(&app, ANN).await;
        let site = Site::of(&app, &ann).await;
        if by_admin {
            let user = format!("/api/admin/users/{}", ann.id().await);
            assert_eq!(admin.delete(&user, &json!({})).await.status, 200);
            assert_eq!(recorded(&app, "admin.user.deleted").await[0][4], json!({ "revokedTokens": 2 }));
        } else {
            assert_eq!(ann.delete("/api/me", &json!({ "password": PASSWORD })).await.status, 200);
        }
        assert_eq!(site.statuses(&app).await, [401, 401], "by an administrator: {by_admin}");
        let label = if by_admin { "administrator" } else { "member" };
        assert_eq!(site.newest(&app).await[..2], [label, "member.remove"]);
        let entries = format!("select count(*) from audit_log where space_id = {} and action = 'token.revoke'", site.space);
        assert_eq!(app.count(&entries).await, 2);
    }
    assert_eq!(app.count("select count(*) from management_tokens where revoked_at is null").await, 0);
}

#[tokio::test]
async fn a_forced_logout_leaves_them_unless_they_are_to_go_too() {
    let (app, admin, ann) = with_ann().await;
    let site = Site::of(&app, &ann).await;
    let logout = format!("/api/admin/users/{}/force-logout", ann.id().await);
    assert_eq!(admin.post(&logout, &json!({})).await.status, 200);
    assert_eq!((ann.get("/api/me").await.status, site.statuses(&app).await), (401, [200, 200]));
    assert_eq!(admin.post(&logout, &json!({ "revokeTokens": true })).await.body, json!({ "affected": 1 }));
    assert_eq!(site.statuses(&app).await, [401, 401]);
}

#[tokio::test]
async fn an_administrator_sees_them_and_takes_one_away() {
    let (app, admin, ann) = with_ann().await;
    let site = Site::of(&app, &ann).await;
    app.sql("update management_tokens set created_by = null where name = 'child'").await;
    let names = async |query: &str| {
        let page = admin.get(&format!("/api/admin/tokens{query}")).await.expect(200);
        let names = page["tokens"].as_array().unwrap().iter().map(|token| token["name"].as_str().unwrap().to_owned());
        let mut names: Vec<_> = names.collect();
        names.sort_unstable();
        names.join(" ")
    };
    // The drafts of the space are open to two of its delivery tokens; published content is open to anybody
    // who has the third.
    assert_eq!(names("").await, "Preview Private child own");
    assert_eq!(names(&format!("?user={}", ann.id().await)).await, "own");
    assert_eq!(names("?withoutPerson=true").await, "Preview Private child");
    assert_eq!(admin.get("/api/admin/tokens?user=ann&withoutPerson=1").await.refusal(), (400, "validation"));
    let own = admin.get("/api/admin/tokens?withoutPerson=false").await.body["tokens"][0].clone();
    assert_eq!(own["space"], json!({ "id": site.space, "name": "Site" }));
    assert_eq!((&own["user"]["email"], &own["access"], &own["kind"]), (&json!(ANN), &json!("admin"), &json!("management")));
    assert!(!admin.get("/api/admin/tokens").await.body.to_string().contains("sbm"), "no secret is shown");

    let path = format!("/api/admin/tokens/management/{}", own["id"]);
    let revoked = admin.delete(&path, &json!({})).await;
    assert_eq!((revoked.status, &revoked.body["name"]), (200, &json!("own")));
    assert_eq!(site.statuses(&app).await, [401, 200], "a token without a person goes on");
    assert_eq!(site.newest(&app).await, ["administrator", "token.revoke", "own"]);
    let told = &recorded(&app, "admin.token.revoked").await[0];
    assert_eq!((&told[4]["name"], &told[4]["spaceId"]), (&json!("own"), &json!(site.space)), "{told:?}");
    assert_eq!(admin.delete(&path, &json!({})).await.refusal(), (404, "notFound"));
    assert_eq!(admin.delete("/api/admin/tokens/nothing/1", &json!({})).await.refusal(), (404, "notFound"));

    let preview = admin.get("/api/admin/tokens?withoutPerson=true").await.body["tokens"].clone();
    let preview = preview.as_array().unwrap().iter().find(|token| token["name"] == json!("Preview")).unwrap().clone();
    let path = format!("/api/admin/tokens/delivery/{}", preview["id"]);
    assert_eq!(admin.send(Method::DELETE, &path, &json!({})).await.status, 200);
    assert_eq!(site.newest(&app).await, ["administrator", "api_key.revoke", "Preview"]);
}

#[tokio::test]
async fn the_owner_of_a_space_is_told_of_each_that_is_made() {
    let app = TestApp::with_variables(&[FREE, MAIL, &[("APP_EMAIL_LOGIN_CODE", "off")]].concat()).await;
    let ann = Person::at(&app);
    assert_eq!(ann.register(ANN).await.status, 201);
    app.sql("update users set email_verified = true").await;
    assert_eq!(ann.login(ANN, PASSWORD).await.status, 200);
    let notices = async || {
        let letters = links::letters(&app, ANN).await;
        let told = letters.into_iter().filter_map(|letter| match letter {
            MailContent::NewLogin { notice, device, .. } => Some((notice, device)),
            _ => None,
        });
        told.collect::<Vec<_>>()
    };
    let site = Site::of(&app, &ann).await;
    let told = notices().await;
    assert_eq!(told.iter().map(|(notice, _)| *notice).collect::<Vec<_>>(), [NoticeKind::ManagementTokenMade; 2]);
    assert!(told[0].1.ends_with("Site / own") && told[1].1 == "own → Site / child", "{told:?}");
    let keys = format!("/api/v1/spaces/{}/api_keys", site.space);
    let key = |access: &str| json!({ "api_key": { "access": access, "name": access } });
    for access in ["public", "preview"] {
        assert_eq!(ann.post(&keys, &key(access)).await.status, 201);
    }
    let by_token = app.client.post(app.url(&keys)).bearer_auth(&site.tokens[0]).json(&key("private"));
    assert_eq!(by_token.send().await.unwrap().status(), 201);
    let told = notices().await;
    assert_eq!(told.len(), 3, "of that which reads drafts: {told:?}");
    assert_eq!(told[2].0, NoticeKind::DraftTokenMade);
}
