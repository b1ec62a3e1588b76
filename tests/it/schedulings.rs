//! Planned publishes, and stories that go offline at a time.

use support::{NEVER_IDLE, prelude::*};

const HOUR: SignedDuration = SignedDuration::from_hours(1);

#[tokio::test]
async fn a_scheduled_publish_happens_at_its_time_and_once() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.draft("a", json!({})).await;
    let made = fixture.schedule(story, "2026-03-01T13:00:00Z").await;
    assert_eq!(
        (&made["story_id"], &made["status"], &made["publish_at"], &made["language"]),
        (&json!(story), &json!("scheduled"), &json!("2026-03-01T13:00:00.000Z"), &json!(null))
    );
    fixture.pass(SignedDuration::from_mins(59)).await;
    assert_eq!((fixture.seen(story).await["published"].clone(), fixture.told().await), (json!(false), vec![]));
    fixture.pass(SignedDuration::from_mins(1)).await;
    assert_eq!(fixture.seen(story).await["published"], true);
    assert_eq!(fixture.scheduling(&made["id"]).await["status"], "schedule_published");
    fixture.pass(HOUR).await;
    assert_eq!(fixture.told().await, [format!("story.published {story}")]);
    let log = fixture.admin().get("/audit_log?types=story.publish").await.expect(200);
    assert_eq!(
        (&log["audit_log"][0]["actor"]["type"], &log["audit_log"][0]["actor"]["label"]),
        (&json!("system"), &json!("scheduler"))
    );
}

#[tokio::test]
async fn a_story_carries_when_it_is_published_and_when_it_goes_offline() {
    let fixture = SpaceFixture::new().await;
    let plan = json!({ "publish_at": "2026-03-01 13:00", "expire_at": "2026-03-01T14:00:00Z" });
    let story = fixture.draft("a", plan).await;
    let seen = fixture.seen(story).await;
    assert_eq!((&seen["publish_at"], &seen["expire_at"]), (&json!("2026-03-01T13:00:00.000Z"), &json!("2026-03-01T14:00:00.000Z")));
    fixture.pass(HOUR).await;
    let seen = fixture.seen(story).await;
    assert_eq!(
        (&seen["published"], &seen["publish_at"], &seen["expire_at"]),
        (&json!(true), &json!(null), &json!("2026-03-01T14:00:00.000Z"))
    );
    fixture.pass(HOUR).await;
    let seen = fixture.seen(story).await;
    assert_eq!((&seen["published"], &seen["expire_at"]), (&json!(false), &json!(null)));
    fixture.pass(HOUR).await;
    assert_eq!(fixture.told().await, [format!("story.published {story}"), format!("story.unpublished {story}")]);
}

/// Actions that came due while no process ran are run at the next start, once, in the order of their times.
#[tokio::test]
async fn what_was_missed_is_done_at_the_next_start() {
    let first = SpaceFixture::new().await;
    let story = first.draft("a", json!({ "publish_at": "2026-03-01 13:00", "expire_at": "2026-03-01 14:00" })).await;
    let second = first.draft("b", json!({})).await;
    first.schedule(second, "2026-03-01T13:30:00Z").await;
    assert!(first.actors.drain(Duration::from_secs(30)).await);
    first.clock.advance(5 * HOUR);
    let later = first.beside(&[]).await;
    later.clock.advance(5 * HOUR);
    for _ in 0..3 {
        later.actors.handles().notifications.wake_all();
        later.actors.handles().observe_all().await;
    }
    let told = first.told().await;
    assert_eq!(
        told,
        [format!("story.published {story}"), format!("story.published {second}"), format!("story.unpublished {story}")]
    );
}

#[tokio::test]
async fn two_processes_do_it_once() {
    let fixture = SpaceFixture::new().await;
    let other = fixture.beside(&[]).await;
    let mut stories = Vec::new();
    for number in 0..10 {
        let story = fixture.draft(&format!("s{number}"), json!({ "publish_at": "2026-03-01 13:00" })).await;
        fixture.schedule(story, "2026-03-01T13:00:00Z").await;
        stories.push(format!("story.published {story}"));
    }
    other.clock.advance(HOUR);
    fixture.clock.advance(HOUR);
    for _ in 0..3 {
        for app in [&fixture.app, &other] {
            app.actors.handles().notifications.wake_all();
        }
        tokio::join!(fixture.actors.handles().observe_all(), other.actors.handles().observe_all());
    }
    let mut told = fixture.told().await;
    told.sort();
    stories.sort();
    assert_eq!(told, stories, "the scheduling publishes, and the story's own plan is done with it");
}

/// More actions than one batch fail, by an error of the database.
#[tokio::test]
async fn plans_that_fail_hold_up_no_others() {
    let fixture = SpaceFixture::new().await;
    for number in 0..101 {
        fixture.draft(&format!("s{number}"), json!({ "publish_at": "2026-03-01 13:00" })).await;
    }
    let refuse = "create function refuse() returns trigger language plpgsql as
                  $$ begin if new.published_version is not null and new.slug <> 'good' then raise exception 'refused'; end if; return new; end $$";
    fixture.sql(refuse).await;
    let trigger = "create trigger refuse before update on stories for each row execute function refuse()";
    fixture.sql(trigger).await;
    let good = fixture.draft("good", json!({ "publish_at": "2026-03-01 13:01" })).await;
    fixture.pass(2 * HOUR).await;
    for _ in 0..500 {
        if fixture.seen(good).await["published"] == true {
            return assert_eq!(fixture.told().await, [format!("story.published {good}")]);
        }
        fixture.actors.handles().observe_all().await;
    }
    panic!("it was never published");
}

#[tokio::test]
async fn publishing_by_hand_overtakes_what_was_planned() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.draft("a", json!({ "publish_at": "2026-03-01 13:00" })).await;
    let made = fixture.schedule(story, "2026-03-01T13:00:00Z").await;
    fixture.editor().post(&format!("/stories/{story}/publish"), json!({})).await.expect(200);
    assert_eq!(fixture.scheduling(&made["id"]).await["status"], "published_before_schedule");
    fixture.pass(HOUR).await;
    assert_eq!(fixture.told().await.len(), 1);
}

#[tokio::test]
async fn a_plan_can_be_moved_and_called_off_until_it_is_over() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.draft("a", json!({})).await;
    let moved = fixture.schedule(story, "2026-03-01T13:00:00Z").await;
    let off = fixture.schedule(story, "2026-03-01T13:00:00Z").await;
    let path = |value: &Value| fixture.path(&format!("/story_schedulings/{}", value["id"]));
    let body = json!({ "story_scheduling": { "publish_at": "2026-03-01T15:00:00Z" } });
    fixture.put(Caller::Token(&fixture.editor), &path(&moved), body.clone()).await.expect(200);
    let deleted = fixture.delete(Caller::Token(&fixture.editor), &path(&off)).await.expect(200);
    assert_eq!(deleted["story_scheduling"]["status"], "deleted");
    fixture.delete(Caller::Token(&fixture.editor), &path(&off)).await.expect(422);
    fixture.pass(HOUR).await;
    assert_eq!(fixture.told().await.len(), 0);
    let list = async |query: &str| {
        let path = fixture.path(&format!("/story_schedulings{query}"));
        fixture.get(Caller::Token(&fixture.viewer), &path).await.expect(200)["story_schedulings"].as_array().unwrap().len()
    };
    assert_eq!((list("").await, list("?by_status=deleted").await, list(&format!("?by_story_id={story}")).await), (1, 1, 1));
    fixture.pass(2 * HOUR).await;
    assert_eq!(fixture.told().await.len(), 1);
    fixture.put(Caller::Token(&fixture.editor), &path(&moved), body).await.expect(422);
}

#[tokio::test]
async fn what_cannot_be_published_is_no_event() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.draft("a", json!({ "publish_at": "2026-03-01 13:00" })).await;
    let made = fixture.schedule(story, "2026-03-01T13:00:00Z").await;
    fixture.editor().delete(&format!("/stories/{story}")).await.expect(200);
    fixture.pass(HOUR).await;
    assert_eq!(fixture.scheduling(&made["id"]).await["status"], "invalid_story");
    fixture.editor().post(&format!("/stories/{story}/undelete"), json!({})).await.expect(200);
    fixture.pass(HOUR).await;
    assert_eq!(fixture.told().await, [format!("story.deleted {story}")]);
}

/// A space with two languages beside the default one, and a published story with changes in all three.
async fn with_languages(fixture: &SpaceFixture) -> i64 {
    let languages = json!({ "space": { "languages": [{ "code": "de", "name": "German" }, { "code": "fr", "name": "French" }] } });
    fixture.put(Caller::Owner, &fixture.path(""), languages).await.expect(200);
    let content = |at: &str| json!({ "_uid": "r", "component": "page", "t": at, "t__i18n__de": format!("{at} de"), "t__i18n__fr": format!("{at} fr") });
    let story = json!({ "story": { "name": "A", "slug": "a", "content": content("old") }, "publish": 1 });
    let made = fixture.editor().post("/stories", story).await.expect(201);
    let id = made["story"]["id"].as_i64().unwrap();
    fixture.editor().put(&format!("/stories/{id}"), json!({ "story": { "content": content("new") } })).await.expect(200);
    id
}

/// What readers get in the default language, German and French.
async fn read_in_languages(fixture: &SpaceFixture) -> [Value; 3] {
    let mut texts = [const { Value::Null }; 3];
    for (text, language) in texts.iter_mut().zip(["", "de", "fr"]) {
        let path = format!("/api/v2/cdn/stories/a?token={}&version=published&language={language}", fixture.public);
        *text = fixture.get(Caller::Anonymous, &path).await.body["story"]["content"]["t"].clone();
    }
    texts
}

async fn plan(fixture: &SpaceFixture, plan: Value) -> Value {
    let made = fixture.editor().post("/story_schedulings", json!({ "story_scheduling": plan })).await.expect(201);
    made["story_scheduling"].clone()
}

#[tokio::test]
async fn one_language_is_published_and_unpublished_at_a_time() {
    let fixture = SpaceFixture::new().await;
    let story = with_languages(&fixture).await;
    let german = plan(&fixture, json!({ "story_id": story, "publish_at": "2026-03-01T13:00:00Z", "language": "de" })).await;
    assert_eq!([&german["action"], &german["language"]], ["publish", "de"]);
    let base = json!({ "story_id": story, "publish_at": "2026-03-01T14:00:00Z", "language": "[default]" });
    let base = plan(&fixture, base).await;
    let french = json!({ "story_id": story, "publish_at": "2026-03-01T15:00:00Z", "language": "fr", "action": "unpublish" });
    let french = plan(&fixture, french).await;
    let alone = json!({ "story_id": story, "publish_at": "2026-03-01T15:30:00Z", "language": "[default]", "action": "unpublish" });
    let alone = plan(&fixture, alone).await;
    let all = plan(&fixture, json!({ "story_id": story, "publish_at": "2026-03-01T16:00:00Z", "action": "unpublish" })).await;
    let again = plan(&fixture, json!({ "story_id": story, "publish_at": "2026-03-01T17:00:00Z", "action": "unpublish" })).await;
    for expected in [["old", "new de", "old fr"], ["new", "new de", "old fr"], ["new", "new de", "new"]] {
        fixture.pass(HOUR).await;
        assert_eq!(read_in_languages(&fixture).await, expected);
    }
    fixture.pass(HOUR).await;
    assert_eq!(read_in_languages(&fixture).await, [json!(null), json!(null), json!(null)]);
    fixture.pass(HOUR).await;
    for (made, status) in [
        (german, "schedule_published"),
        (base, "schedule_published"),
        (french, "schedule_unpublished"),
        (alone, "invalid_story"),
        (all, "schedule_unpublished"),
        (again, "schedule_unpublished"),
    ] {
        assert_eq!(fixture.scheduling(&made["id"]).await["status"], status, "{made}");
    }
}

#[tokio::test]
async fn publishing_languages_by_hand_overtakes_the_plans_of_these() {
    let fixture = SpaceFixture::new().await;
    let story = with_languages(&fixture).await;
    let mut plans = Vec::new();
    for (language, action) in
        [(json!("de"), "publish"), (json!("fr"), "publish"), (json!(null), "publish"), (json!(null), "unpublish")]
    {
        let body = json!({ "story_id": story, "publish_at": "2026-03-02T13:00:00Z", "language": language, "action": action });
        plans.push(plan(&fixture, body).await["id"].clone());
    }
    for (languages, expected) in [
        ("de", ["published_before_schedule", "scheduled", "scheduled", "scheduled"]),
        ("[default]", ["published_before_schedule", "scheduled", "published_before_schedule", "scheduled"]),
        ("", ["published_before_schedule", "published_before_schedule", "published_before_schedule", "scheduled"]),
    ] {
        fixture.editor().post(&format!("/stories/{story}/publish?lang={languages}"), json!({})).await.expect(200);
        let mut statuses = Vec::new();
        for id in &plans {
            statuses.push(fixture.scheduling(id).await["status"].clone());
        }
        assert_eq!(statuses, expected, "{languages}");
    }
}

#[tokio::test]
async fn a_plan_changes_in_what_is_named_alone() {
    let fixture = SpaceFixture::new().await;
    let story = with_languages(&fixture).await;
    let made = plan(&fixture, json!({ "story_id": story, "publish_at": "2026-03-01T13:00:00Z", "language": "de" })).await;
    let change = async |body: Value| {
        let path = format!("/story_schedulings/{}", made["id"]);
        fixture.editor().put(&path, json!({ "story_scheduling": body })).await
    };
    let changed = change(json!({ "action": "unpublish" })).await.expect(200)["story_scheduling"].clone();
    assert_eq!([&changed["action"], &changed["language"], &changed["publish_at"]], ["unpublish", "de", "2026-03-01T13:00:00.000Z"]);
    let changed =
        change(json!({ "language": null, "publish_at": "2026-03-01T14:00:00Z" })).await.expect(200)["story_scheduling"].clone();
    assert_eq!(
        [&changed["action"], &changed["language"], &changed["publish_at"]],
        [&json!("unpublish"), &json!(null), &json!("2026-03-01T14:00:00.000Z")]
    );
    assert_eq!(change(json!({ "language": "es" })).await.expect(422)["details"][0]["field"], "language");
    assert_eq!(change(json!({ "publish_at": "2026-03-01T12:00:00Z" })).await.expect(422)["details"][0]["field"], "publish_at");
    assert_eq!(fixture.scheduling(&made["id"]).await, changed, "what is refused changes nothing");
}

#[tokio::test]
async fn plans_are_checked() {
    let fixture = SpaceFixture::new().await;
    let story = fixture.draft("a", json!({})).await;
    let path = fixture.path("/story_schedulings");
    for (scheduling, field) in [
        (json!({ "story_id": story }), "publish_at"),
        (json!({ "publish_at": "2026-03-01T13:00:00Z" }), "story_id"),
        (json!({ "story_id": story, "publish_at": "2026-03-01T12:00:00Z" }), "publish_at"),
        (json!({ "story_id": story, "publish_at": "soon" }), "publish_at"),
        (json!({ "story_id": story + 1000, "publish_at": "2026-03-01T13:00:00Z" }), "story_id"),
        (json!({ "story_id": story, "publish_at": "2026-03-01T13:00:00Z", "language": "de" }), "language"),
        (json!({ "story_id": story, "publish_at": "2026-03-01T13:00:00Z", "action": "delete" }), "action"),
        (json!({ "story_id": story, "publish_at": "2026-03-01T13:00:00Z", "status": "deleted" }), "status"),
    ] {
        let refused =
            fixture.post(Caller::Token(&fixture.editor), &path, json!({ "story_scheduling": scheduling })).await.expect(422);
        assert_eq!(refused["details"][0]["field"], field, "{scheduling}");
    }
    let body = json!({ "story_scheduling": { "story_id": story, "publish_at": "2026-03-01T13:00:00Z" } });
    fixture.post(Caller::Token(&fixture.viewer), &path, body).await.expect(403);
    let update = async |plan: Value| fixture.editor().put(&format!("/stories/{story}"), json!({ "story": plan })).await;
    update(json!({ "publish_at": "2026-03-01 11:00" })).await.expect(422);
    update(json!({ "publish_at": "2026-03-01 14:00", "expire_at": "2026-03-01 13:00" })).await.expect(422);
    update(json!({ "publish_at": "2026-03-01 14:00" })).await.expect(200);
    fixture.clock.advance(SignedDuration::from_mins(1));
    update(json!({ "name": "B", "publish_at": "2026-03-01T14:00:00.000Z" })).await.expect(200);
    assert_eq!(update(json!({ "publish_at": null })).await.expect(200)["story"]["publish_at"], json!(null));
}

#[tokio::test]
async fn a_scheduled_publish_of_a_folder_passes_without_any_change() {
    let fixture = SpaceFixture::new().await;
    let folder = json!({ "name": "F", "slug": "f", "is_folder": true, "publish_at": "2026-03-01 14:00" });
    let made = fixture.editor().post("/stories", json!({ "story": folder })).await.expect(201);
    assert_eq!(made["story"]["publish_at"], json!(null));
    let id = made["story"]["id"].as_i64().unwrap();
    let scheduled = fixture.schedule(id, "2026-03-01T12:30:00Z").await;
    let before = (fixture.read(id).await, fixture.audit_count().await, fixture.cv().await);
    fixture.pass(SignedDuration::from_hours(1)).await;
    assert_eq!(fixture.scheduling(&scheduled["id"]).await["status"], "schedule_published");
    assert_eq!((fixture.read(id).await, fixture.audit_count().await, fixture.cv().await), before);
    assert_eq!(fixture.told().await, [""; 0]);
}

#[tokio::test]
async fn a_space_that_does_not_answer_holds_up_no_other_however_much_is_due_in_it() {
    let database = Some(Arc::new(support::database().await));
    let stopped = StoppedTimers::now();
    let fixture = SpaceFixture::with(Setup { deadline: Some(Duration::from_secs(1)), database, ..Setup::default() }).await;
    let story = fixture.draft("a", json!({})).await;
    let first = fixture.schedule(story, "2026-03-01T12:30:00Z").await;
    let other = fixture.another_space().await;
    let path = format!("/api/v1/spaces/{}", other.id);
    let draft = json!({ "story": { "name": "b", "slug": "b", "content": { "component": "page" } } });
    let made = fixture.post(Caller::Token(&other.admin), &format!("{path}/stories"), draft).await.expect(201);
    let id = made["story"]["id"].as_i64().unwrap();
    let plan = json!({ "story_scheduling": { "story_id": id, "publish_at": "2026-03-01T12:45:00Z" } });
    fixture.post(Caller::Token(&other.admin), &format!("{path}/story_schedulings"), plan).await.expect(201);
    drop(stopped);

    // More than the scheduler reads at a time, and all of it earlier.
    let database = &fixture.database.store;
    let copies = "insert into story_schedulings (space_id, story_id, publish_at, status, created_at, updated_at)
                  select space_id, story_id, publish_at, status, created_at, updated_at from story_schedulings, generate_series(1, 150)
                  where id = $1 and space_id = $2";
    database.connection("test").await.unwrap().execute(copies, &[&first["id"].as_i64().unwrap(), &fixture.space]).await.unwrap();
    let mut held = database.connection("test").await.unwrap();
    let tx = held.begin();
    tx.execute(NEVER_IDLE, &[]).await.unwrap();
    tx.rows("select id from spaces where id = $1 for update", &[&fixture.space]).await.unwrap();

    let published = async {
        fixture.clock.advance(HOUR);
        fixture.actors.handles().notifications.wake_all();
        loop {
            fixture.actors.handles().observe_all().await;
            let seen = fixture.get(Caller::Token(&other.admin), &format!("{path}/stories/{id}")).await.expect(200);
            if seen["story"]["published"] == true {
                break;
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(25), published).await.expect("the other space is served while the first one hangs");
    assert_eq!(fixture.seen(story).await["published"], false);
}
