//! Inviting people: what is answered, mailed and listed, and which links are good.

use super::{invite, listed, member, person, take};
use support::prelude::*;

#[tokio::test]
async fn an_invitation_is_the_same_whether_the_address_has_an_account() {
    let fixture = SpaceFixture::new().await;
    person(&fixture.app, 11, true).await;
    let collaborators = fixture.path("/collaborators");
    let mut shapes = Vec::new();
    for email in ["11@example.com", "12@example.com"] {
        let body = json!({ "collaborator": { "email": email, "role": "editor" } });
        let mut invited = fixture.post(Caller::Owner, &collaborators, body).await.expect(200)["collaborator"].clone();
        assert_eq!((&invited["user"], &invited["invitation"]["email"]), (&json!(null), &json!(email)));
        assert_eq!(invited["invitation"]["invited_by"], json!({ "id": 1, "friendly_name": "A" }));
        assert_eq!(invited["invitation"]["expires_at"], "2026-03-08T12:00:00.000Z");
        for different in ["/id", "/invitation/email", "/invitation/link"] {
            *invited.pointer_mut(different).unwrap() = json!(null);
        }
        shapes.push(invited);
    }
    assert_eq!(shapes[0], shapes[1]);
    // Others see that there are invitations, and no address.
    let seen = fixture.viewer().get("/collaborators").await;
    assert!(!seen.text.contains("example.com"), "{}", seen.text);
    assert_eq!(seen.expect(200)["collaborators"].as_array().unwrap().len(), 3);
    assert_eq!(fixture.newest_entry().await, ["member.invite", "member", "1…@example.com"]);
}

#[tokio::test]
async fn bad_invitations_say_what_is_wrong_and_change_nothing() {
    let fixture = SpaceFixture::new().await;
    member(&fixture, 11, "viewer").await;
    let before = fixture.every_row(&["space_members", "space_invitations", "audit_log"]).await;
    let collaborators = fixture.path("/collaborators");
    for (body, field, code) in [
        (json!({ "role": "editor" }), "email", "blank"),
        (json!({ "email": "nothing", "role": "editor" }), "email", "invalid"),
        (json!({ "email": "new@example.com" }), "role", "invalid"),
        (json!({ "email": "new@example.com", "role": "owner" }), "role", "invalid"),
        (json!({ "email": "11@EXAMPLE.com", "role": "admin" }), "email", "alreadyMember"),
    ] {
        let refused = fixture.post(Caller::Owner, &collaborators, body.clone()).await;
        let named = refused.body["details"]
            .as_array()
            .is_some_and(|details| details.iter().any(|detail| detail["field"] == field && detail["code"] == code));
        assert!(refused.status == 422 && named, "{body}: {} {}", refused.status, refused.text);
    }
    fixture.put(Caller::Owner, &fixture.path("/collaborators/999"), json!({ "role": "admin" })).await.expect(404);
    fixture.delete(Caller::Owner, &fixture.path("/collaborators/999")).await.expect(404);
    assert_eq!(fixture.every_row(&["space_members", "space_invitations", "audit_log"]).await, before);
}

#[tokio::test]
async fn only_the_newest_link_is_good_for_seven_days_once() {
    let fixture = SpaceFixture::new().await;
    let first = invite(&fixture, "11@example.com", "viewer").await;
    let second = invite(&fixture, "11@example.com", "editor").await;
    let late = invite(&fixture, "12@example.com", "editor").await;
    fixture.clock.advance(SignedDuration::from_hours(7 * 24) - SignedDuration::from_secs(1));
    let eve = person(&fixture.app, 11, true).await;
    assert_eq!(take(&fixture, &eve, &first).await.status, 400);
    assert_eq!(take(&fixture, &eve, &second).await.redirect(), (303, "/studio?done=joined"));
    assert_eq!(take(&fixture, &eve, &second).await.status, 400);
    fixture.clock.advance(SignedDuration::from_secs(1));
    let bob = person(&fixture.app, 12, true).await;
    assert_eq!(take(&fixture, &bob, &late).await.status, 400);
    let all = fixture.admin().get("/collaborators").await.expect(200)["collaborators"].clone();
    let roles: Vec<_> = all.as_array().unwrap().iter().map(|person| person["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["admin", "editor"], "what has expired is not listed");
}

#[tokio::test]
async fn a_withdrawn_invitation_opens_nothing() {
    let fixture = SpaceFixture::new().await;
    let eve = person(&fixture.app, 11, true).await;
    let link = invite(&fixture, "11@example.com", "admin").await;
    let id = listed(&fixture).await[1]["id"].clone();
    let path = fixture.path(&format!("/collaborators/{id}"));
    fixture.delete(Caller::Token(&fixture.editor), &path).await.expect(403);
    fixture.put(Caller::Owner, &path, json!({ "role": "viewer" })).await.expect(404);
    fixture.delete(Caller::Owner, &path).await.expect(200);
    assert_eq!(take(&fixture, &eve, &link).await.status, 400);
    fixture.get(Caller::Session(&eve), &fixture.path("/stories")).await.expect(404);
    assert_eq!(fixture.newest_entry().await[0], "member.withdraw_invitation");
}

#[tokio::test]
async fn a_mail_brings_the_link_in_both_languages() {
    let mails = MailBox::start().await;
    let fixture = SpaceFixture::with_variables(&mails.variables()).await;
    for (locale, subject) in [("en", "A invites you to First"), ("de", "A lädt Sie zu First ein")] {
        fixture.execute("update users set locale = $1 where email = '1@example.com'", &[&locale]).await;
        let email = format!("{locale}@example.com");
        let body = json!({ "email": email, "role": "editor" });
        let invited = fixture.post(Caller::Owner, &fixture.path("/collaborators"), body).await.expect(200);
        assert_eq!(invited["collaborator"]["invitation"].get("link"), None, "{invited}");
        let mail = mails.next_to(&email).await;
        assert_eq!(mail.subject, subject);
        let page = Person::at(&fixture.app).follow(mail.link().strip_prefix(&fixture.url("")).unwrap()).await;
        assert_eq!((page.0.as_str(), page.1.status), ("/join", 200));
        assert!(page.1.text.contains("First") && page.1.text.contains(&email), "{}", page.1.text);
    }
}
