//! What ends with a membership, and who leads a space then.

use super::{id_of, listed, member};
use support::prelude::*;

#[tokio::test]
async fn the_last_admin_stays() {
    let fixture = SpaceFixture::new().await;
    member(&fixture, 11, "editor").await;
    let own = fixture.path(&format!("/collaborators/{}", id_of(&fixture, 1).await));
    assert_eq!(fixture.put(Caller::Owner, &own, json!({ "role": "editor" })).await.refusal(), (409, "lastAdmin"));
    assert_eq!(fixture.delete(Caller::Owner, &own).await.refusal(), (409, "lastAdmin"));
}

#[tokio::test]
async fn of_many_who_leave_at_once_one_admin_stays() {
    let fixture = SpaceFixture::new().await;
    let mut sessions = Vec::new();
    for number in 11..21 {
        sessions.push(member(&fixture, number, "admin").await);
    }
    let ids: Vec<i64> = listed(&fixture).await.iter().map(|person| person["id"].as_i64().unwrap()).collect();
    let callers = || std::iter::once(Caller::Owner).chain(sessions.iter().map(Caller::Session));
    // Each of them removes themselves, and demotes everybody else: 50 and more requests.
    let leave = callers().zip(&ids).map(|(caller, id)| (caller, *id, true));
    let demote = callers().flat_map(|caller| ids.iter().take(5).map(move |id| (caller, *id, false)));
    let act = async |(caller, id, leaves): (Caller<'_>, i64, bool)| {
        let path = fixture.path(&format!("/collaborators/{id}"));
        if leaves { fixture.delete(caller, &path).await } else { fixture.put(caller, &path, json!({ "role": "viewer" })).await }
    };
    let answers = join_all(leave.chain(demote).map(act)).await;
    assert!(answers.len() > 50);
    assert!(answers.iter().all(|answer| [200, 403, 404, 409].contains(&answer.status)), "{answers:?}");
    let admins = "select count(*) from space_members where role = 'admin'";
    assert!(fixture.count(admins).await >= 1);
    let led = "select count(*) from spaces join space_members on user_id = owner_id and space_id = spaces.id and role = 'admin'";
    assert_eq!(fixture.count(led).await, 1, "the owner is one of them");
}

#[tokio::test]
async fn an_owner_who_leaves_passes_the_space_to_the_admin_of_longest() {
    let fixture = SpaceFixture::new().await;
    member(&fixture, 11, "editor").await;
    member(&fixture, 12, "admin").await;
    fixture.clock.advance(SignedDuration::from_mins(1));
    let eleven = fixture.path(&format!("/collaborators/{}", id_of(&fixture, 11).await));
    fixture.put(Caller::Owner, &eleven, json!({ "role": "admin" })).await.expect(200);
    let own = fixture.path(&format!("/collaborators/{}", id_of(&fixture, 1).await));
    fixture.delete(Caller::Owner, &own).await.expect(200);
    fixture.get(Caller::Owner, &fixture.path("/stories")).await.expect(404);
    // Their tokens went with them.
    fixture.admin().get("/stories").await.expect(401);
    let owner = "select count(*) from spaces join users on users.id = owner_id where users.email = '12@example.com'";
    assert_eq!(fixture.count(owner).await, 1);
}

#[tokio::test]
async fn members_may_leave_and_only_admins_remove_others() {
    let fixture = SpaceFixture::new().await;
    let (eve, bob) = (member(&fixture, 11, "viewer").await, member(&fixture, 12, "editor").await);
    let path = async |number| fixture.path(&format!("/collaborators/{}", id_of(&fixture, number).await));
    fixture.delete(Caller::Session(&bob), &path(11).await).await.expect(403);
    fixture.delete(Caller::Session(&eve), &path(11).await).await.expect(200);
    fixture.get(Caller::Session(&eve), &fixture.path("/stories")).await.expect(404);
    assert_eq!(fixture.newest_entry().await[..2], ["member.remove", "member"]);
    fixture.delete(Caller::Owner, &path(12).await).await.expect(200);
    fixture.get(Caller::Session(&bob), &fixture.path("/stories")).await.expect(404);
}

#[tokio::test]
async fn a_deleted_account_leaves_its_spaces_to_the_other_admins() {
    let app = TestApp::with_variables(&[("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")]).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let (led, alone) = (made(&ann, "Led by two").await, made(&ann, "Led by one").await);
    let bob = Person::signed_in(&app, "bob@example.org").await;
    let path = format!("/api/v1/spaces/{led}/collaborators");
    let invited = ann.post(&path, &json!({ "email": "bob@example.org", "role": "admin" })).await.expect(200);
    let link = invited["collaborator"]["invitation"]["link"].as_str().unwrap().to_owned();
    bob.follow(link.strip_prefix(&app.url("")).unwrap()).await;
    bob.fill_in("/join", &[]).await.expect(303);
    // Who deletes is told of the one that stays behind without an owner.
    app.sql("update users set is_admin = true where email = 'bob@example.org'").await;
    ann.delete("/api/me", &json!({ "password": PASSWORD })).await.expect(200);
    let owners =
        "select coalesce(users.email, 'nobody') as email from spaces left join users on users.id = owner_id order by spaces.id";
    let emails: Vec<String> = app.rows(owners, &[]).await.iter().map(|row| row.get("email")).collect();
    assert_eq!(emails, ["bob@example.org", "nobody"], "{led} {alone}");
}

async fn made(person: &Person, name: &str) -> i64 {
    let made = person.post("/api/v1/spaces", &json!({ "name": name })).await.expect(201);
    made["space"]["id"].as_i64().unwrap()
}

/// So that two who lock the same spaces never wait for each other.
#[tokio::test]
async fn an_account_leaves_its_spaces_in_the_order_of_their_numbers() {
    let app = TestApp::with_variables(&[("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")]).await;
    let ann = Person::signed_in(&app, "ann@example.org").await;
    let (first, second) = (made(&ann, "First").await, made(&ann, "Second").await);
    // The last administrator of the server could not delete the account; Bob is another one.
    let _bob = Person::signed_in(&app, "bob@example.org").await;
    app.sql("update users set is_admin = true").await;
    // In the second space only a token acts for her.
    let token = "insert into management_tokens (space_id, kind, role, name, token_hash, created_by, created_at)
                 select $1, 'role', 'editor', email, sha256(convert_to(email, 'UTF8')), id, now() from users where email = 'ann@example.org'";
    app.rows(token, &[&second]).await;
    app.rows("delete from space_members where space_id = $1", &[&second]).await;

    let mut session = app.connection().await;
    let tx = session.begin();
    tx.rows("select id from spaces where id = $1 for update", &[&first]).await.unwrap();
    let look = async {
        support::until_waited_for(&tx).await;
        let free = tx.rows("select id from spaces where id = $1 for update skip locked", &[&second]).await.unwrap();
        tx.commit().await.unwrap();
        free.len()
    };
    let proof = json!({ "password": PASSWORD });
    let (deleted, free) = futures_util::join!(ann.delete("/api/me", &proof), look);
    assert_eq!((deleted.status, free), (200, 1));
    assert_eq!(app.count("select count(*) from space_members where role = 'admin'").await, 0);
    assert_eq!(app.count("select count(*) from management_tokens where revoked_at is null").await, 0);
}
