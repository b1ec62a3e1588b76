//! Spaces: the list of all of them, giving one an owner, and bringing a deleted one back.

use super::{ANN, recorded, with_administrator, with_ann};
use support::prelude::*;

const BOB: &str = "bob@example.org";

/// A person's new space, and a token of its administrators.
async fn space(owner: &Person, name: &str) -> (i64, String) {
    let made = owner.post("/api/v1/spaces", &json!({ "name": name })).await.expect(201);
    let id = made["space"]["id"].as_i64().unwrap();
    let token = owner.post(&format!("/api/v1/spaces/{id}/tokens"), &json!({ "name": "admin", "role": "admin" })).await;
    (id, token.body["plaintext"].as_str().unwrap().to_owned())
}

/// A request with a management token.
async fn manage(app: &TestApp, token: &str, method: http::Method, path: &str, body: Value) -> (u16, Value) {
    let request = app.client.request(method, app.url(path)).bearer_auth(token).json(&body);
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap_or_default())
}

async fn put(person: &Person, path: &str, body: &Value) -> (u16, Value) {
    let request = person.request(Method::PUT, path).await.json(body);
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.json().await.unwrap())
}

async fn names(admin: &Person, query: &str) -> Vec<String> {
    let page = admin.get(&format!("/api/admin/spaces?{query}")).await;
    assert_eq!(page.status, 200, "{query}: {}", page.body);
    page.body["spaces"].as_array().unwrap().iter().map(|space| space["name"].as_str().unwrap().to_owned()).collect()
}

/// The newest entries of a space's audit log: who did what.
async fn log(app: &TestApp, space: i64) -> Vec<String> {
    let query = "select actor_id || ' ' || action as line from audit_log where space_id = $1 order by seq desc";
    app.rows(query, &[&space]).await.iter().map(|row| row.get("line")).collect()
}

#[tokio::test]
async fn every_space_is_listed_with_owner_size_and_last_change() {
    let (app, admin, ann) = with_ann().await;
    let (id, token) = space(&ann, "Träume").await;
    let listed = admin.get("/api/admin/spaces").await.body;
    let first = &listed["spaces"][0];
    assert_eq!((&first["id"], &first["name"]), (&json!(id), &json!("Träume")));
    assert_eq!(first["owner"], json!({ "id": ann.id().await, "email": ANN }));
    assert_eq!(first["size"], json!({ "stories": 0, "assets": 0, "bytes": 0 }));
    assert_eq!((&first["orphaned"], &first["deletedAt"]), (&json!(false), &json!(null)));
    assert_eq!(
        (&listed["page"], &listed["perPage"], &listed["total"], &listed["totalPages"]),
        (&json!(1), &json!(20), &json!(1), &json!(1))
    );

    app.clock.advance(jiff::SignedDuration::from_mins(5));
    let stories = format!("/api/v1/spaces/{id}/stories");
    let story = |slug: &str, parent: i64| json!({ "story": { "name": slug, "slug": slug, "parent_id": parent, "is_folder": parent == 0, "content": { "component": "page" } } });
    let (_, folder) = manage(&app, &token, http::Method::POST, &stories, story("folder", 0)).await;
    let folder = folder["story"]["id"].as_i64().unwrap();
    for slug in ["a", "b", "c"] {
        assert_eq!(manage(&app, &token, http::Method::POST, &stories, story(slug, folder)).await.0, 201);
    }
    let size = async || admin.get("/api/admin/spaces").await.body["spaces"][0]["size"].clone();
    assert_eq!(size().await, json!({ "stories": 3, "assets": 0, "bytes": 0 }), "folders are not counted");
    let changed = admin.get("/api/admin/spaces").await.body["spaces"][0].clone();
    assert_eq!(changed["changedAt"], "2026-03-01T12:05:00.000Z", "{changed}");
    // With the folder go its stories, and back.
    assert_eq!(manage(&app, &token, http::Method::DELETE, &format!("{stories}/{folder}"), json!({})).await.0, 200);
    assert_eq!(size().await["stories"], 0);
    let undelete = format!("{stories}/{folder}/undelete");
    assert_eq!(manage(&app, &token, http::Method::PUT, &undelete, json!({})).await.0, 200);
    assert_eq!(size().await["stories"], 3);
    let own = ann.get(&format!("/api/v1/spaces/{id}")).await.body;
    assert_eq!(own["space"]["stories_count"], 3);

    let asset = |number: i32| {
        format!(
            "insert into assets (space_id, object, name, content_type, content_length, sha256, is_private, locked, created_at, updated_at)
             values ({id}, gen_random_uuid(), 'x{number}', 'image/png', {number}, decode(repeat('00', 32), 'hex'), false, false, now(), now())"
        )
    };
    for number in [1000, 24] {
        app.sql(&asset(number)).await;
    }
    assert_eq!(size().await, json!({ "stories": 3, "assets": 2, "bytes": 1024 }));
    app.sql("update assets set deleted_at = now() where content_length = 24").await;
    assert_eq!(size().await, json!({ "stories": 3, "assets": 1, "bytes": 1000 }));
    app.sql("delete from assets").await;
    assert_eq!(size().await, json!({ "stories": 3, "assets": 0, "bytes": 0 }));
    let kept = "select count(*) from space_counters where stories = (select count(*) from stories where not is_folder and deleted_at is null)";
    assert_eq!(app.count(kept).await, 1);
}

#[tokio::test]
async fn spaces_are_found_by_name_and_kind() {
    let (app, admin, ann) = with_ann().await;
    for name in ["100% Wolle", "Wolken", "Regen"] {
        space(&ann, name).await;
    }
    app.sql("update spaces set owner_id = null where name = 'Wolken'").await;
    let gone = admin.get("/api/admin/spaces?search=regen").await.body["spaces"][0]["id"].clone();
    let deleted = ann.request(Method::DELETE, &format!("/api/v1/spaces/{gone}")).await.send().await.unwrap();
    assert_eq!(deleted.status(), 200);
    assert_eq!(names(&admin, "").await, ["Regen", "Wolken", "100% Wolle"], "deleted ones too");
    assert_eq!(names(&admin, "search=WOL").await, ["Wolken", "100% Wolle"]);
    assert_eq!(names(&admin, "search=0%25").await, ["100% Wolle"]);
    assert_eq!(names(&admin, "orphaned=true").await, ["Wolken"]);
    assert_eq!(names(&admin, "deleted=true").await, ["Regen"]);
    assert_eq!(names(&admin, "deleted=false&orphaned=false").await, ["100% Wolle"]);
    assert_eq!(names(&admin, "perPage=2&page=2").await, ["100% Wolle"]);
    assert_eq!(admin.get("/api/admin/spaces?deleted=maybe&orphaned=1").await.refusal(), (400, "validation"));
    assert_eq!(ann.get("/api/admin/spaces").await.refusal().0, 403);
    assert_eq!(Person::at(&app).get("/api/admin/spaces").await.refusal(), (401, "unauthorized"));
}

#[tokio::test]
async fn a_space_that_an_account_left_behind_gets_an_owner_and_one_with_an_owner_does_not() {
    let (app, admin) = with_administrator().await;
    let (ann, bob) = (Person::signed_in(&app, ANN).await, Person::signed_in(&app, BOB).await);
    let (id, _) = space(&ann, "Left behind").await;
    let owner = format!("/api/admin/spaces/{id}/owner");
    assert_eq!(put(&bob, &owner, &json!({ "email": BOB })).await.0, 403);
    let (status, refused) = put(&admin, &owner, &json!({ "email": BOB })).await;
    assert_eq!((status, &refused["error"]), (409, &json!("spaceHasOwner")), "{refused}");
    let (ann_id, bob_id, admin_id) = (ann.id().await, bob.id().await, admin.id().await);
    let csrf = admin.csrf().await;
    let path = admin.url(&format!("/api/admin/users/{ann_id}"));
    assert_eq!(admin.browser.delete(path).header("x-csrf-token", csrf).send().await.unwrap().status().as_u16(), 200);
    assert_eq!(names(&admin, "orphaned=true").await, ["Left behind"]);

    for (wrong, status) in [
        (json!({}), 400),
        (json!({ "email": BOB, "userId": bob_id }), 400),
        (json!({ "email": "nobody@example.org" }), 404),
        (json!({ "email": "no address" }), 404),
        (json!({ "userId": ann_id }), 404),
        (json!({ "userId": "me" }), 404),
    ] {
        assert_eq!(put(&admin, &owner, &wrong).await.0, status, "{wrong}");
    }
    for missing in ["/api/admin/spaces/999/owner", "/api/admin/spaces/x/owner"] {
        assert_eq!(put(&admin, missing, &json!({ "email": BOB })).await.0, 404, "{missing}");
    }
    app.sql("update users set suspended_at = now() where email = 'bob@example.org'").await;
    assert_eq!(put(&admin, &owner, &json!({ "email": BOB })).await.1["error"], "ownerSuspended");
    app.sql("update users set suspended_at = null where email = 'bob@example.org'").await;
    let before = log(&app, id).await.len();
    for body in [json!({ "email": "Bob@Example.org" }), json!({ "userId": bob_id })] {
        let (status, space) = put(&admin, &owner, &body).await;
        assert_eq!((status, &space["owner"]), (200, &json!({ "id": bob_id, "email": BOB })), "{space}");
        assert_eq!(space["orphaned"], false);
    }
    assert_eq!(bob.get(&format!("/api/v1/spaces/{id}")).await.body["space"]["name"], "Left behind");
    // Once in each log, although it was asked for twice.
    let entries = recorded(&app, "admin.space.owner_given").await;
    assert_eq!(entries, [json!(["success", "admin", admin_id, bob_id, { "spaceId": id, "name": "Left behind" }])]);
    let lines = log(&app, id).await;
    assert_eq!((lines.len(), lines[0].clone()), (before + 1, format!("{admin_id} space.give_owner")));
    assert_eq!(app.count(&format!("select count(*) from account_audit where target_id = '{id}'")).await, 1);
}

#[tokio::test]
async fn a_deleted_space_comes_back_with_its_tokens_until_its_grace_is_over() {
    let (app, admin, ann) = with_ann().await;
    let (id, token) = space(&ann, "Site").await;
    let (path, undelete) = (format!("/api/v1/spaces/{id}"), format!("/api/admin/spaces/{id}/undelete"));
    let read = async || manage(&app, &token, http::Method::GET, &path, json!({})).await.0;
    assert_eq!(admin.post(&undelete, &json!({})).await.status, 200, "nothing to undelete");
    assert_eq!(manage(&app, &token, http::Method::DELETE, &path, json!({})).await.0, 200);
    assert_eq!(read().await, 401);
    assert_eq!(put(&admin, &format!("/api/admin/spaces/{id}/owner"), &json!({ "email": ANN })).await.1["error"], "spaceDeleted");
    assert_eq!(ann.post(&undelete, &json!({})).await.status, 403);
    assert_eq!(read().await, 401);

    let back = admin.post(&undelete, &json!({})).await;
    assert_eq!((back.status, &back.body["deletedAt"], &back.body["name"]), (200, &json!(null), &json!("Site")));
    assert_eq!(read().await, 200);
    assert_eq!(ann.get(&path).await.body["space"]["name"], "Site");
    let admin_id = admin.id().await;
    assert_eq!(log(&app, id).await[0], format!("{admin_id} space.undelete"));
    assert_eq!(
        recorded(&app, "admin.space.undeleted").await,
        [json!(["success", "admin", admin_id, null, { "spaceId": id, "name": "Site" }])]
    );

    assert_eq!(manage(&app, &token, http::Method::DELETE, &path, json!({})).await.0, 200);
    app.sql("update spaces set deleted_at = deleted_at - interval '30 days'").await;
    assert_eq!(admin.post(&undelete, &json!({})).await.refusal(), (409, "graceOver"));
    assert_eq!(admin.post("/api/admin/spaces/999/undelete", &json!({})).await.status, 404);
    assert_eq!(read().await, 401);
}

/// A process that serves accounts alone, on a database in which another one keeps spaces.
#[tokio::test]
async fn a_process_without_spaces_administers_them_too() {
    let (app, admin) = with_administrator().await;
    let (id, token) = space(&admin, "Site").await;
    let variables = [super::FREE, &[("APP_SERVICES", "identity")]].concat();
    let alone = app.beside(&variables).await;
    let there = Person::at(&alone);
    assert_eq!(there.login(super::ADMIN, super::PASSWORD).await.status, 200);
    assert_eq!(there.get(&format!("/api/v1/spaces/{id}")).await.status, 404, "no spaces here");
    let path = format!("/api/v1/spaces/{id}");
    assert_eq!(manage(&app, &token, http::Method::DELETE, &path, json!({})).await.0, 200);
    assert_eq!(names(&there, "deleted=true").await, ["Site"]);
    assert_eq!(there.post(&format!("/api/admin/spaces/{id}/undelete"), &json!({})).await.status, 200);
    assert_eq!(manage(&app, &token, http::Method::GET, &path, json!({})).await.0, 200);
    app.sql("update spaces set owner_id = null").await;
    assert_eq!(put(&there, &format!("/api/admin/spaces/{id}/owner"), &json!({ "email": super::ADMIN })).await.0, 200);
}

/// With 10,000 spaces of 100 stories a page reads counters and not stories.
#[tokio::test]
async fn a_page_of_ten_thousand_spaces_reads_no_story() {
    use storage::Executor;
    let (app, admin) = with_administrator().await;
    app.sql("with made as (
             insert into spaces (name, owner_id, created_at, updated_at, deleted_at)
             select 'Space ' || n, case when n % 7 > 0 then (select id from users limit 1) end, now(), now(), case when n % 11 = 0 then now() end
             from generate_series(1, 10000) n returning id
         )
         insert into space_counters (space_id, cv, stories) select id, 1, 100 from made",
    )
    .await;
    app.sql("analyze spaces").await;
    for query in ["", "page=90&perPage=100", "orphaned=true", "deleted=true&search=ce%209", "search=nothing"] {
        names(&admin, query).await;
    }
    let connection = app.connection().await;
    let read = "select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint as read from pg_stat_xact_user_tables where relname in ('stories', 'assets', 'editions')";
    let filter = domain::shared::SpaceFilter::default();
    let page = domain::shared::PageRequest { page: 1, per_page: 100 };
    let mut connection = connection;
    let tx = connection.begin();
    let found = storage::shared::listed_spaces::list(&tx, &filter, page).await.unwrap();
    assert_eq!((found.total, found.items.len(), found.items[0].stories), (10_000, 100, 100));
    assert_eq!(tx.row(read, &[]).await.unwrap().get::<_, i64>("read"), 0);
}
