//! Tokens at the console: on the page of a person, as a list, before an act on a person; and links that
//! administrators make.

use super::{ANN, administrator_and_ann, app, id_of, person, with_administrator, with_ann};
use support::prelude::*;

/// Ann's space with two management tokens that act for her.
async fn site(app: &TestApp) {
    let space = "insert into spaces (id, name, owner_id, created_at, updated_at) overriding system value
                 select 7, 'Site <b>', id, now(), now() from users where email = 'ann@example.org'";
    app.sql(space).await;
    app.sql("insert into space_counters (space_id, cv) values (7, 1)").await;
    let tokens = "insert into management_tokens (space_id, kind, role, name, token_hash, created_by, created_at)
                  select 7, 'role', role, 'Deploy ' || role, decode(md5(role), 'hex'), id, now()
                  from users, unnest(array['admin', 'viewer']) role where email = 'ann@example.org'";
    app.sql(tokens).await;
}

#[tokio::test]
async fn tokens_are_listed_by_person_and_taken_away() {
    let (app, admin, _) = with_ann(&[]).await;
    site(&app).await;
    let ann = id_of(&app, ANN).await;
    for page in [
        person(&ann),
        "/admin/tokens".to_owned(),
        "/admin/tokens?person=ann%40example.org".to_owned(),
        format!("/admin/tokens?person={ann}"),
    ] {
        let page = admin.page(&page).await;
        let has_both =
            page.text.contains("Deploy admin") && page.text.contains("Deploy viewer") && page.text.contains("Site &lt;b&gt;");
        assert!(page.status == 200 && has_both, "{}", page.text);
    }
    for none in ["withoutPerson=true", "person=nobody%40example.org"] {
        assert!(admin.page(&format!("/admin/tokens?{none}")).await.text.contains("No token matches this filter."));
    }
    let page = admin.page("/admin/tokens?person=ann").await;
    assert!(page.status == 400 && page.text.contains("id=\"person-error\""), "{}", page.text);

    let list = admin.page("/admin/tokens").await.text;
    let path = list
        .split("href=\"")
        .find(|rest| rest.starts_with("/admin/tokens/revoke?"))
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .replace("&amp;", "&");
    let asked = admin.page(&path).await;
    let (kind, id) = (asked.field("kind").unwrap(), asked.field("id").unwrap());
    let take_away =
        async |password: &str| admin.fill_in(&path, &[("kind", kind.as_str()), ("id", id.as_str()), ("password", password)]).await;
    let before = "select count(*)::text as text from management_tokens where revoked_at is null";
    assert_eq!(take_away("not the harbour").await.status, 403);
    assert_eq!(app.value::<String>(before).await, "2");
    assert_eq!(take_away(PASSWORD).await.redirect(), (303, "/admin/tokens?done=revoked"));
    assert_eq!(app.value::<String>(before).await, "1");
    assert_eq!(admin.page("/admin/tokens?done=revoked").await.message(), "The token is taken away.");
    assert_eq!(admin.page(&path).await.status, 404);
    for unknown in ["kind=management&id=x", "kind=x&id=1"] {
        assert_eq!(admin.page(&format!("/admin/tokens/revoke?{unknown}")).await.status, 404, "{unknown}");
    }
    assert_eq!(admin.page("/admin/tokens/revoke").await.status, 200, "the list, to choose from");
}

#[tokio::test]
async fn what_an_act_ends_is_listed_before_it() {
    let app = app().await;
    let (admin, ann_at_home) = administrator_and_ann(&app).await;
    site(&app).await;
    let ann = person(&id_of(&app, ANN).await);
    for (act, wanted) in [
        ("suspend", ["2 tokens stop until the suspension ends.", "Deploy admin", "Sessions that end"]),
        ("delete", ["2 tokens that act for the person are revoked.", "Deploy viewer", "Site &lt;b&gt;"]),
        ("sign-out", ["Take the tokens away too", "Deploy admin", "Sessions that end"]),
    ] {
        let page = admin.page(&format!("{ann}/{act}")).await;
        assert!(wanted.iter().all(|text| page.text.contains(text)), "{act}: {}", page.text);
    }
    let box_is_ticked = admin.page(&format!("{ann}/sign-out")).await.text.contains(" checked");
    assert!(!box_is_ticked, "a sign-out leaves the tokens unless it is ticked");
    let left = "select count(*)::text as text from management_tokens where revoked_at is null";
    assert_eq!(admin.fill_in(&format!("{ann}/sign-out"), &[("password", PASSWORD)]).await.status, 303);
    assert_eq!(app.value::<String>(left).await, "2");
    assert!(!ann_at_home.is_signed_in().await);
    assert_eq!(admin.fill_in(&format!("{ann}/sign-out"), &[("password", PASSWORD), ("tokens", "on")]).await.status, 303);
    assert_eq!(app.value::<String>(left).await, "0");
}

#[tokio::test]
async fn an_administrator_invites_again_and_makes_a_link_for_a_new_password() {
    let (app, admin) = with_administrator().await;
    let new = [("email", ANN), ("firstName", "Ann"), ("passwordMode", "invite")];
    assert_eq!(admin.fill_in("/admin/users/new", &new).await.status, 200);
    let ann = person(&id_of(&app, ANN).await);
    assert!(admin.page(&ann).await.text.contains(&format!("href=\"{ann}/invite\"")));
    let asked = admin.page(&format!("{ann}/invite")).await;
    assert!(asked.text.contains("Links of earlier invitations do not work any more."), "{}", asked.text);
    let shown = admin.fill_in(&format!("{ann}/invite"), &[("password", PASSWORD)]).await;
    assert!(shown.status == 200 && shown.text.contains("/accept-invite?token="), "{}", shown.text);
    let link = shown.text.split("/accept-invite?token=").nth(1).unwrap().split('<').next().unwrap().to_owned();
    let guest = Person::at(&app);
    let moved = guest.page(&format!("/accept-invite?token={link}")).await;
    guest.fill_in(moved.location(), &[("newPassword", "an even quieter port")]).await.expect(303);
    assert!(!admin.page(&ann).await.text.contains(&format!("href=\"{ann}/invite\"")), "who signs in is not invited again");
    assert_eq!(admin.fill_in(&format!("{ann}/invite"), &[("password", PASSWORD)]).await.status, 409);

    let shown = admin.fill_in(&format!("{ann}/reset-link"), &[("password", PASSWORD)]).await;
    assert!(
        shown.status == 200 && shown.text.contains("/reset-password?token=") && shown.text.contains("It is shown only now."),
        "{}",
        shown.text
    );
    let links = "select string_agg(event || ' ' || (details->>'mailed'), ', ' order by id) as text from account_audit where event in ('admin.user.invite_renewed', 'admin.user.reset_link_made')";
    assert_eq!(app.value::<String>(links).await, "admin.user.invite_renewed false, admin.user.reset_link_made false");
}
