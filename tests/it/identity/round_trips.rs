//! How often a sign-in waits for the database.

use super::{LIMITED, totp::enrol};
use support::prelude::*;

const ANN: &str = "ann@example.org";

/// Both requests of a sign-in with a second factor, limits and lockout included.
#[tokio::test]
async fn a_sign_in_with_a_second_factor_waits_ten_times() {
    let app = TestApp::with_variables(LIMITED).await;
    let ann = Person::signed_in(&app, ANN).await;
    let (authenticator, _) = enrol(&app, &ann).await;
    ann.post("/api/auth/logout", &json!({})).await;
    // The first sign-in prepares the statements.
    for (name, person) in [("a first sign-in", Person::at(&app)), ("a new browser", Person::at(&app)), ("a known browser", ann)] {
        app.clock.advance(SignedDuration::from_secs(60));
        let before = app.database.store.round_trips();
        let challenge = person.login(ANN, PASSWORD).await;
        let after_password = app.database.store.round_trips();
        let body = json!({ "code": authenticator.code(app.clock.now()), "loginToken": challenge.body["loginToken"] });
        let response = person.post("/api/auth/verify-totp", &body).await;
        assert_eq!(response.status, 200, "{name}: {}", response.body);
        let after_code = app.database.store.round_trips();
        assert_eq!((after_password - before, after_code - after_password), (5, 5), "{name}");
    }
}
