//! The limit of a token.

use super::{desk, publish, read};
use jiff::SignedDuration;

#[tokio::test]
async fn a_token_over_its_limit_is_told_when_to_come_back_and_others_are_not() {
    let desk = desk(&[("APP_RATE_LIMIT_DELIVERY_TOKEN", "3/min")]).await;
    publish(&desk, "s", "").await;
    for _ in 0..3 {
        assert_eq!(read(desk.app(), &desk.public, "stories/s").await.status(), 200);
    }
    for path in ["stories/s", "stories", "stories/nope"] {
        let refused = read(desk.app(), &desk.public, path).await;
        assert_eq!((refused.status().as_u16(), refused.headers()["retry-after"].to_str().unwrap()), (429, "20"), "{path}");
        assert!(refused.headers().keys().all(|it| !it.as_str().contains("ratelimit")));
        let body: serde_json::Value = serde_json::from_str(&refused.text().await.unwrap()).unwrap();
        assert!(body["error"].is_string() && body.as_object().unwrap().len() == 1);
    }
    assert_eq!(read(desk.app(), &desk.preview, "stories/s").await.status(), 200);
    desk.app().clock.advance(SignedDuration::from_secs(20));
    assert_eq!(read(desk.app(), &desk.public, "stories/s").await.status(), 200);
}

#[tokio::test]
async fn nobody_is_limited_unless_it_is_configured() {
    let desk = desk(&[]).await;
    publish(&desk, "s", "").await;
    for _ in 0..500 {
        assert_eq!(read(desk.app(), &desk.public, "stories/s").await.status(), 200);
    }
}
