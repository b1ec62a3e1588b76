//! `users/me` and `collaborators` in a space of one person: who is behind a token, and who owns the space.

use support::prelude::*;

async fn me(fixture: &SpaceFixture, token: &str) -> Value {
    fixture.get(Caller::Raw(token), "/api/v1/users/me").await.expect(200)["user"].clone()
}

#[tokio::test]
async fn a_token_of_any_role_tells_who_made_it() {
    let fixture = SpaceFixture::new().await;
    for token in [&fixture.admin, &fixture.editor, &fixture.viewer] {
        let user = me(&fixture, token).await;
        assert_eq!((&user["id"], &user["email"], &user["userid"]), (&json!(1), &json!("1@example.com"), &json!("1@example.com")));
        assert_eq!((&user["friendly_name"], &user["firstname"], &user["lang"]), (&json!("A"), &json!("A"), &json!("en")));
        assert_eq!(user["confirmed"], true);
        // The members that the client's type requires.
        for member in [
            "use_username",
            "login_strategy",
            "created_at",
            "has_org",
            "has_partner",
            "org",
            "notified",
            "favourite_spaces",
            "favourite_ideas",
            "beta_user",
            "track_statistics",
            "ui_theme",
            "totp_factor_verified",
            "configured_2fa_options",
            "disclaimer_ids",
            "live_chat_enabled",
        ] {
            assert!(!user[member].is_null(), "{member}");
        }
    }
    let signed_in = fixture.get(Caller::Other, "/api/v1/users/me").await.expect(200);
    assert_eq!(signed_in["user"]["email"], "2@example.com");
    fixture.get(Caller::Anonymous, "/api/v1/users/me").await.expect(401);
    fixture.get(Caller::Raw("sbmcp_0000"), "/api/v1/users/me").await.expect(401);
    fixture.get(Caller::Token(&fixture.public), "/api/v1/users/me").await.expect(401);
    fixture.get(Caller::Token(&fixture.admin), "/api/v1/users/me?x=1").await.expect(422);
    // Clients that drop the prefix.
    assert_eq!(fixture.get(Caller::Token(&fixture.admin), "/v1/users/me").await.status, 200);
}

#[tokio::test]
async fn a_token_made_with_a_token_acts_for_the_same_person() {
    let fixture = SpaceFixture::new().await;
    let path = fixture.path("/tokens");
    let made = fixture.post(Caller::Token(&fixture.admin), &path, json!({ "name": "child", "role": "viewer" })).await.expect(201);
    let child = made["plaintext"].as_str().unwrap();
    let owner = "update spaces set owner_id = '00000000-0000-0000-0000-000000000002' where id = $1";
    fixture.execute(owner, &[&fixture.space]).await;
    assert_eq!(me(&fixture, child).await["email"], "1@example.com", "the maker, not the owner");

    // The account of the maker is gone: the owner answers for the space. Then there is no owner either.
    fixture.sql("update management_tokens set created_by = null").await;
    assert_eq!(me(&fixture, child).await["email"], "2@example.com");
    fixture.execute("update spaces set owner_id = null where id = $1", &[&fixture.space]).await;
    let nobody = me(&fixture, child).await;
    assert_eq!((&nobody["id"], &nobody["friendly_name"], &nobody["email"]), (&json!(0), &json!("child"), &json!("")));
}

#[tokio::test]
async fn the_owner_is_a_collaborator_and_only_administrators_see_the_address() {
    let fixture = SpaceFixture::new().await;
    let reply = fixture.admin().get("/collaborators").await;
    assert_eq!((reply.header("total"), reply.header("per-page")), ("1", "25"));
    let listed = reply.expect(200)["collaborators"].clone();
    let owner = &listed[0];
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!((&owner["user_id"], &owner["role"], &owner["space_id"]), (&json!(1), &json!("admin"), &json!(fixture.space)));
    assert_eq!((&owner["user"]["userid"], &owner["user"]["real_email"]), (&json!("1@example.com"), &json!("1@example.com")));
    assert_eq!(
        (&owner["permissions"], &owner["space_role_ids"], &owner["field_permissions"]),
        (&json!([]), &json!([]), &json!([]))
    );
    for role in ["editor", "viewer"] {
        let shown = fixture.role(role).get("/collaborators").await;
        assert!(!shown.text.contains("example.com"), "{}", shown.text);
        assert_eq!(shown.expect(200)["collaborators"][0]["user"]["friendly_name"], "A");
    }
    assert_eq!(fixture.viewer().get("/collaborators?search=nobody").await.expect(200)["collaborators"], json!([]));
    assert_eq!(fixture.viewer().get("/collaborators?page=2").await.expect(200)["collaborators"], json!([]));
    fixture.execute("update spaces set owner_id = null where id = $1", &[&fixture.space]).await;
    fixture.execute("update management_tokens set created_by = null where space_id = $1", &[&fixture.space]).await;
    fixture.execute("delete from space_members where space_id = $1", &[&fixture.space]).await;
    assert_eq!(fixture.viewer().get("/collaborators").await.expect(200)["collaborators"], json!([]));
}
