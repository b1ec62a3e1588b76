//! `/join`: the page of an invitation.

use super::{invite, listed, person, take};
use support::prelude::*;

/// The link of an invitation of the first account, which owns a space.
async fn invitation(app: &TestApp, email: &str) -> String {
    let ann = Person::signed_in(app, "ann@example.org").await;
    let made = ann.post("/api/v1/spaces", &json!({ "name": "Newsroom" })).await.expect(201);
    let path = format!("/api/v1/spaces/{}/collaborators", made["space"]["id"]);
    let invited = ann.post(&path, &json!({ "email": email, "role": "editor" })).await.expect(200);
    let link = invited["collaborator"]["invitation"]["link"].as_str().unwrap().to_owned();
    link.strip_prefix(&app.url("")).unwrap().to_owned()
}

#[tokio::test]
async fn a_person_without_an_account_registers_and_joins() {
    let app = TestApp::with_variables(&[("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")]).await;
    let link = invitation(&app, "eve@example.org").await;
    let eve = Person::at(&app);
    let (path, page) = eve.follow(&link).await;
    assert_eq!((path.as_str(), page.status), ("/join", 200));
    for told in ["Newsroom", "Ann Bee", "eve@example.org", "href=\"/login?return_to=/join\"", "href=\"/register?return_to=/join\""]
    {
        assert!(page.text.contains(told), "{told} in {}", page.text);
    }
    let fields = [("firstName", "Eve"), ("email", "eve@example.org"), ("password", PASSWORD), ("return_to", "/join")];
    let registered = eve.fill_in("/register?return_to=/join", &fields).await;
    let fields = [("email", "eve@example.org"), ("password", PASSWORD), ("return_to", "/join")];
    let signed_in = eve.fill_in(registered.location(), &fields).await;
    assert_eq!(signed_in.redirect(), (303, "/join"));
    assert_eq!(eve.fill_in("/join", &[]).await.redirect(), (303, "/studio?done=joined"));
    assert!(eve.page("/studio?done=joined").await.message().contains("You are a member of the space now."));
    assert_eq!(eve.get("/api/v1/spaces").await.expect(200)["spaces"][0]["name"], "Newsroom");
    // The link was used.
    assert_eq!(eve.follow(&link).await.1.status, 400);
}

#[tokio::test]
async fn an_invitation_opens_no_closed_registration() {
    let app = TestApp::with_variables(&[("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")]).await;
    let link = invitation(&app, "eve@example.org").await;
    let closed = app.beside(&[("APP_REGISTRATION_ENABLED", "false")]).await;
    let eve = Person::at(&closed);
    let page = eve.follow(&link).await.1;
    assert!(!page.text.contains("/register"), "{}", page.text);
    assert_eq!(eve.register("eve@example.org").await.refusal(), (403, "registrationDisabled"));
}

#[tokio::test]
async fn another_account_takes_nothing_and_is_told_who_it_is() {
    let fixture = SpaceFixture::new().await;
    let link = invite(&fixture, "11@example.com", "editor").await;
    let mallory = person(&fixture.app, 12, true).await;
    let refused = take(&fixture, &mallory, &link).await;
    assert_eq!(refused.status, 409);
    assert!(refused.message().contains("You are signed in as 12@example.com"), "{}", refused.message());
    assert!(refused.text.contains("href=\"/login?return_to=/join&amp;prompt=login\""), "{}", refused.text);
    fixture.get(Caller::Session(&mallory), &fixture.path("/stories")).await.expect(404);
    let eve = person(&fixture.app, 11, true).await;
    assert_eq!(take(&fixture, &eve, &link).await.redirect(), (303, "/studio?done=joined"));
}

#[tokio::test]
async fn of_many_who_take_it_at_once_one_joins() {
    let fixture = SpaceFixture::new().await;
    let eve = person(&fixture.app, 11, true).await;
    let link = invite(&fixture, "11@example.com", "editor").await;
    let statuses = join_all((0..20).map(|_| take(&fixture, &eve, &link))).await;
    assert_eq!(statuses.iter().filter(|answer| answer.status == 303).count(), 1);
    assert_eq!(listed(&fixture).await.len(), 2);
}

#[tokio::test]
async fn it_needs_the_token_of_the_page() {
    let fixture = SpaceFixture::new().await;
    let eve = person(&fixture.app, 11, true).await;
    let link = invite(&fixture, "11@example.com", "editor").await;
    let token = link.split_once("token=").unwrap().1;
    let browser = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let form = browser.post(fixture.url("/join")).header("cookie", format!("{}; join_link={token}", eve.cookie));
    assert_eq!(form.form(&[]).answer().await.status, 403);
    assert_eq!(listed(&fixture).await[1]["user"], json!(null));
}
