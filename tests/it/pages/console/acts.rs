//! Acts with consequences: named before, with a proof, and told afterwards.

use super::{ADMIN, ANN, id_of, person, with_administrator, with_ann};
use support::prelude::*;

const ALL: [&str; 8] = ["suspend", "unsuspend", "sign-out", "reset-factors", "export", "grant-admin", "revoke-admin", "delete"];

#[tokio::test]
async fn without_a_proof_nothing_happens() {
    let (app, admin, ann) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let state = "select count(*) || ' ' || count(suspended_at) || ' ' || sum(token_version) || ' ' || count(*) filter (where is_admin) as text from users";
    let before = app.value::<String>(state).await;
    for act in ALL {
        let path = format!("{}/{act}", person(&id));
        let page = admin.page(&path).await;
        assert!(
            page.status == 200 && page.text.contains("What follows from it") && page.text.contains("<li>"),
            "{act}: {}",
            page.text
        );
        let page = admin.fill_in(&path, &[("password", "not the harbour")]).await;
        assert!(page.status == 403 && page.text.contains("id=\"password-error\""), "{act}: {} {}", page.status, page.text);
        let page = admin.fill_in(&path, &[]).await;
        assert!(page.status == 400 && page.text.contains("What follows from it"), "{act}: {} {}", page.status, page.text);
    }
    for fields in [
        &[("scope", "all"), ("password", "not the harbour")][..],
        &[("scope", "all")],
        &[("scope", "some"), ("password", PASSWORD)],
    ] {
        let page = admin.fill_in("/admin/sign-out-everybody", fields).await;
        assert!((400..=403).contains(&page.status), "{fields:?} {}", page.status);
    }
    assert_eq!(app.value::<String>(state).await, before);
    assert!(ann.is_signed_in().await);
    let refused = "select count(*)::text as text from account_audit where event = 'admin.confirmation' and status = 'failure'";
    assert_eq!(app.value::<String>(refused).await, "9", "and the trail has each wrong password");
    assert_eq!(admin.page(&format!("{}/none", person(&id))).await.status, 404);
}

#[tokio::test]
async fn a_person_is_suspended_and_let_in_again() {
    let (app, admin, ann) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let page = admin.page(&format!("{}/suspend", person(&id))).await;
    assert!(page.text.contains("One session ends at once.") && page.text.contains(ANN), "{}", page.text);
    let page = admin.fill_in(&format!("{}/suspend", person(&id)), &[("password", PASSWORD)]).await;
    assert_eq!(page.redirect(), (303, format!("{}?done=suspend", person(&id)).as_str()));
    let page = admin.page(page.location()).await;
    assert!(page.message() == "The account is suspended." && page.text.contains("/unsuspend\""), "{}", page.text);
    assert!(!ann.is_signed_in().await);
    assert_eq!(ann.sign_in(ANN, PASSWORD).await.status, 403);
    let page = admin.fill_in(&format!("{}/unsuspend", person(&id)), &[("password", PASSWORD)]).await;
    assert_eq!(admin.page(page.location()).await.message(), "The suspension is ended.");
    assert_eq!(ann.sign_in(ANN, PASSWORD).await.status, 303);
    let page = admin.fill_in(&format!("{}/suspend", person(&id_of(&app, ADMIN).await)), &[("password", PASSWORD)]).await;
    assert!(page.status == 400 && page.message().contains("your own account"), "{}", page.message());
}

#[tokio::test]
async fn a_person_is_signed_out_and_an_administrator_stays_in_the_own_browser() {
    let (app, admin, ann) = with_ann(&[]).await;
    let sign_out = async |email: &str| {
        admin.fill_in(&format!("{}/sign-out", person(&id_of(&app, email).await)), &[("password", PASSWORD)]).await
    };
    assert_eq!(sign_out(ANN).await.status, 303);
    assert!(!ann.is_signed_in().await && admin.is_signed_in().await);
    let elsewhere = Person::at(&app);
    elsewhere.sign_in(ADMIN, PASSWORD).await;
    let page = sign_out(ADMIN).await;
    assert_eq!(admin.page(page.location()).await.message(), "All sessions of the account are ended.");
    assert!(!elsewhere.is_signed_in().await && admin.is_signed_in().await);
}

#[tokio::test]
async fn second_factors_are_reset() {
    let (app, admin, ann) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    app.sql(&format!(
            "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
             select gen_random_uuid(), id, uuid_send(gen_random_uuid()), '{{}}', 0, false, false, '{{}}', 'Key', created_at from users, generate_series(1, 2) where email = '{ANN}'"
        ),
    )
    .await;
    let path = format!("{}/reset-factors", person(&id));
    assert!(admin.page(&path).await.text.contains("2 passkeys are removed."));
    let page = admin.fill_in(&path, &[("password", PASSWORD)]).await;
    assert_eq!(admin.page(page.location()).await.message(), "The second factors are reset. Passkeys removed: 2.");
    assert!(!ann.is_signed_in().await);
}

#[tokio::test]
async fn the_data_of_a_person_are_downloaded() {
    let (app, admin, _) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    let file = admin.fill_in(&format!("{}/export", person(&id)), &[("password", PASSWORD)]).await;
    assert!(file.status == 200 && file.header("content-disposition").contains(&id), "{}", file.text);
    assert!(file.text.contains("\"auditLog\"") && file.text.contains(ANN));
}

#[tokio::test]
async fn the_right_to_administer_is_given_and_taken_away() {
    let (app, admin, ann) = with_ann(&[]).await;
    let path = |id: &str, act: &str| format!("{}/{act}", person(id));
    let id = id_of(&app, ANN).await;
    let page = admin.fill_in(&path(&id, "grant-admin"), &[("password", PASSWORD)]).await;
    assert_eq!(admin.page(page.location()).await.message(), "The person is an administrator now.");
    assert_eq!(ann.page("/admin").await.status, 200);
    let own = id_of(&app, ADMIN).await;
    let page = admin.fill_in(&path(&own, "revoke-admin"), &[("password", PASSWORD)]).await;
    assert!(page.status == 400 && page.message().contains("your own right"), "{}", page.message());
    assert_eq!(ann.fill_in(&path(&own, "revoke-admin"), &[("password", PASSWORD)]).await.status, 303);
    assert_eq!(admin.page("/admin").await.status, 403);
}

#[tokio::test]
async fn a_person_is_deleted() {
    let (app, admin, ann) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    app.sql(&format!("with made as (insert into spaces (name, owner_id, created_at, updated_at) values ('Site', '{id}', now(), now()) returning id) insert into space_counters (space_id, cv) select id, 1 from made")).await;
    let page = admin.page(&format!("{}/delete", person(&id))).await;
    assert!(page.text.contains("One space stays, without an owner."), "{}", page.text);
    let page = admin.fill_in(&format!("{}/delete", person(&id)), &[("password", PASSWORD)]).await;
    assert_eq!(page.redirect(), (303, "/admin/users?done=deleted"));
    assert_eq!(admin.page("/admin/users?done=deleted").await.message(), "The account is deleted.");
    assert!(!ann.is_signed_in().await);
    assert_eq!(admin.page(&person(&id)).await.status, 404);
}

#[tokio::test]
async fn everybody_is_signed_out() {
    let (app, admin, ann) = with_ann(&[]).await;
    let elsewhere = Person::at(&app);
    elsewhere.sign_in(ADMIN, PASSWORD).await;
    let sign_out =
        async |scope: &str| admin.fill_in("/admin/sign-out-everybody", &[("scope", scope), ("password", PASSWORD)]).await;
    assert!(admin.page("/admin/sign-out-everybody").await.text.contains("Sessions that are active now: 3, of 2 people in all."));
    assert_eq!(sign_out("non_admins").await.redirect(), (303, "/admin?done=everybody&count=1"));
    assert!(!ann.is_signed_in().await && elsewhere.is_signed_in().await);
    let page = sign_out("all").await;
    assert_eq!(admin.page(page.location()).await.message(), "Accounts that were signed out: 2.");
    assert!(!elsewhere.is_signed_in().await && admin.is_signed_in().await);
    assert_eq!(sign_out("all_and_self").await.status, 303);
    assert!(!admin.is_signed_in().await);
}

/// A message is one of a few sentences, whatever an address says.
#[tokio::test]
async fn an_address_puts_no_words_of_its_own_on_a_page() {
    let (_app, admin) = with_administrator().await;
    let page = admin.page("/admin?done=everybody&count=%3Cb%3E").await;
    assert_eq!(page.message(), "Accounts that were signed out: 0.");
    assert_eq!(admin.page("/admin?done=call%20555").await.message(), "");
}
