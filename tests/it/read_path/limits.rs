//! The limit of a token.

use super::{fixture, publish, read};
use support::prelude::*;

#[tokio::test]
async fn a_token_over_its_limit_is_told_when_to_come_back_and_others_are_not() {
    let fixture = fixture(&[("APP_RATE_LIMIT_DELIVERY_TOKEN", "3/min")]).await;
    publish(&fixture, "s", "").await;
    for _ in 0..3 {
        assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 200);
    }
    for path in ["stories/s", "stories", "stories/nope"] {
        let refused = read(&fixture.app, &fixture.public, path).await;
        assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "20"), "{path}");
        assert!(refused.headers().keys().all(|header| !header.as_str().contains("ratelimit")));
        let body: serde_json::Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
        assert!(body["error"].is_string() && body.as_object().unwrap().len() == 1);
    }
    assert_eq!(read(&fixture.app, &fixture.preview, "stories/s").await.status(), 200);
    fixture.clock.advance(SignedDuration::from_secs(20));
    assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 200);
}

#[tokio::test]
async fn there_is_no_limit_unless_it_is_configured() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    for _ in 0..500 {
        assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 200);
    }
}

/// A token that looks like one, and opens nothing.
fn guess(number: u32) -> String {
    format!("sbpub_{number:040x}")
}

#[tokio::test]
async fn what_cannot_be_a_token_never_reaches_the_database() {
    let fixture = fixture(&[]).await;
    publish(&fixture, "s", "").await;
    fixture.actors.handles().notifications.until(true).await;
    let store = &fixture.database.store;
    let before = store.round_trips();
    let (short, long, upper) = (&fixture.public[..45], format!("{}0", fixture.public), guess(0xabc).to_uppercase());
    for token in ["x", "sbpub_", short, &long, &upper, &guess(1).replace("sbpub", "sbmcp")] {
        assert_eq!(read(&fixture.app, token, "stories/s").await.status(), 401, "{token}");
    }
    assert_eq!(store.round_trips(), before);
}

#[tokio::test]
async fn an_address_that_guesses_tokens_is_limited_and_valid_tokens_at_it_are_not() {
    let fixture = fixture(&[("APP_RATE_LIMITS", "on"), ("APP_RATE_LIMIT_DELIVERY_UNKNOWN_IP", "3/min")]).await;
    publish(&fixture, "s", "").await;
    fixture.actors.handles().notifications.until(true).await;
    assert_eq!(read(&fixture.app, &fixture.public, "stories/s").await.status(), 200);
    for number in 0..3 {
        assert_eq!(read(&fixture.app, &guess(number), "stories/s").await.status(), 401);
    }
    let store = &fixture.database.store;
    let before = store.round_trips();
    for (number, path) in (3..).zip(["stories/s", "stories", "assets/me?filename=x"]) {
        let refused = read(&fixture.app, &guess(number), path).await;
        assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "20"), "{path}");
    }
    assert_eq!(store.round_trips(), before);
    publish(&fixture, "t", "").await;
    assert_eq!(
        read(&fixture.app, &fixture.public, "stories/t").await.status(),
        200,
        "a token that is known, after news of its space"
    );
    fixture.clock.advance(SignedDuration::from_secs(20));
    assert_eq!(read(&fixture.app, &guess(9), "stories/s").await.status(), 401);
}
