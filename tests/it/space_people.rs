//! The people of a space: members by session with their roles, invitations, and what ends with a membership.

mod invitations;
mod join;
mod leaving;
mod roles;

use support::{
    prelude::*,
    space_fixture::{Session, person},
};

/// The link of a new invitation. Mail is off, so the answer has it.
async fn invite(fixture: &SpaceFixture, email: &str, role: &str) -> String {
    let body = json!({ "email": email, "role": role });
    let invited = fixture.post(Caller::Owner, &fixture.path("/collaborators"), body).await.expect(200);
    let link = invited["collaborator"]["invitation"]["link"].as_str().unwrap_or_else(|| panic!("{invited}"));
    link.strip_prefix(&fixture.url("")).unwrap().to_owned()
}

/// Takes an invitation as a browser with a session does that follows its link.
async fn take(fixture: &SpaceFixture, session: &Session, link: &str) -> Response {
    let browser = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let opened = browser.get(fixture.url(link)).header("cookie", &session.cookie).answer().await;
    assert_eq!(opened.redirect(), (303, "/join"));
    let cookie = format!("{}; join_link={}", session.cookie, opened.cookie("join_link").unwrap());
    let form = browser.post(fixture.url("/join")).header("cookie", cookie).header("accept", "text/html");
    form.form(&[("csrf_token", &session.csrf)]).answer().await
}

/// A person who has joined by an invitation. The address is `{number}@example.com`.
pub(crate) async fn member(fixture: &SpaceFixture, number: u128, role: &str) -> Session {
    let session = person(&fixture.app, number, true).await;
    let link = invite(fixture, &format!("{number}@example.com"), role).await;
    assert_eq!(take(fixture, &session, &link).await.redirect(), (303, "/studio?done=joined"));
    session
}

/// The collaborators as the owner sees them.
async fn listed(fixture: &SpaceFixture) -> Vec<Value> {
    let list = fixture.get(Caller::Owner, &fixture.path("/collaborators?per_page=100")).await.expect(200);
    list["collaborators"].as_array().unwrap().clone()
}

/// The id of the membership of a person.
pub(crate) async fn id_of(fixture: &SpaceFixture, number: u64) -> i64 {
    let all = listed(fixture).await;
    let found = all.iter().find(|person| person["user_id"] == number).unwrap_or_else(|| panic!("{number} in {all:?}"));
    found["id"].as_i64().unwrap()
}
