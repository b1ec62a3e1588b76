//! Scheduled publishes of stories that are not valid.

use super::{draft, page, space, strict_space};
use support::prelude::*;

const HOUR: SignedDuration = SignedDuration::from_hours(1);

#[tokio::test]
async fn a_due_schedule_leaves_an_invalid_story_as_it_is_and_says_so() {
    let fixture = strict_space().await;
    let story = draft(&fixture, "a", json!({ "title": "" })).await;
    let made = fixture.schedule(story, "2026-03-01T13:00:00Z").await;
    fixture.pass(HOUR).await;
    assert_eq!((fixture.seen(story).await["published"].clone(), fixture.told().await), (json!(false), vec![]));
    assert_eq!(fixture.scheduling(&made["id"]).await["status"], "invalid_story");
    let log = fixture.admin().get("/audit_log?types=story_scheduling.invalid_story").await.expect(200);
    assert_eq!((log["audit_log"].as_array().unwrap().len(), &log["audit_log"][0]["actor"]["label"]), (1, &json!("scheduler")));
    // It is over: correcting the story publishes nothing by itself, and the next plan does.
    fixture.update(story, json!({ "content": page(json!({ "title": "A" })) })).await;
    fixture.schedule(story, "2026-03-01T14:00:00Z").await;
    fixture.pass(HOUR).await;
    assert_eq!(fixture.told().await, [format!("story.published {story}")]);
}

/// The story's own time is not tried again: it goes away, and stands among the schedulings as refused.
#[tokio::test]
async fn a_time_of_the_story_itself_is_recorded_too() {
    let fixture = strict_space().await;
    let plan =
        json!({ "publish_at": "2026-03-01 13:00", "expire_at": "2026-03-01 15:00", "content": page(json!({ "title": "" })) });
    let story = fixture.draft("a", plan).await;
    fixture.pass(HOUR).await;
    let seen = fixture.seen(story).await;
    assert_eq!(
        (&seen["published"], &seen["publish_at"], &seen["expire_at"]),
        (&json!(false), &json!(null), &json!("2026-03-01T15:00:00.000Z"))
    );
    let list = fixture.viewer().get(&format!("/story_schedulings?by_story_id={story}")).await.expect(200);
    let only = &list["story_schedulings"][0];
    assert_eq!((&only["status"], &only["publish_at"]), (&json!("invalid_story"), &json!("2026-03-01T13:00:00.000Z")));
    assert_eq!((list["story_schedulings"].as_array().unwrap().len(), fixture.told().await), (1, vec![]));
    fixture.pass(HOUR).await;
    let log = fixture.admin().get("/audit_log?types=story_scheduling.invalid_story").await.expect(200);
    assert_eq!(log["audit_log"].as_array().unwrap().len(), 1, "it is not tried again");
}

#[tokio::test]
async fn a_space_that_does_not_ask_publishes_at_the_time() {
    let fixture = space().await;
    let story = fixture.draft("a", json!({ "publish_at": "2026-03-01 13:00", "content": page(json!({ "title": "" })) })).await;
    fixture.pass(HOUR).await;
    assert_eq!(fixture.told().await, [format!("story.published {story}")]);
}
