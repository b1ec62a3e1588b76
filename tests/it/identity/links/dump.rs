//! A stolen database holds no link that works.

use super::{forgot_password, invitation, last_token, mailing_app, verified};
use crate::identity::second_factor::dump;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use support::prelude::*;

#[tokio::test]
async fn a_dump_of_the_database_holds_no_link() {
    let app = mailing_app().await;
    let ann = verified(&app, "ann@example.org").await;
    ann.login("ann@example.org", PASSWORD).await;
    assert_eq!(Person::at(&app).register("bob@example.org").await.status, 201);
    let verification = last_token(&app, "bob@example.org").await;
    assert_eq!(ann.post("/api/me/email", &json!({ "newEmail": "new@example.org", "password": PASSWORD })).await.status, 202);
    let change = last_token(&app, "new@example.org").await;
    assert_eq!(forgot_password(&ann, "ann@example.org").await.status, 200);
    let reset = last_token(&app, "ann@example.org").await;
    let invite = invitation(&app, "bob@example.org").await;

    let dump = dump(&app).await.to_lowercase();
    assert!(["verification", "passwordreset", "addresschange", "invite"].iter().all(|value| dump.contains(value)), "{dump}");
    for token in [verification, change, reset, invite] {
        let raw = hex::encode(URL_SAFE_NO_PAD.decode(&token).unwrap());
        assert!(!dump.contains(&token.to_lowercase()) && !dump.contains(&raw), "{token}");
    }
}
