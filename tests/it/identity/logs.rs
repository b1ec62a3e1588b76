//! The log holds no secret.

use super::FREE;
use support::prelude::*;

#[tokio::test]
async fn a_talkative_log_holds_no_secret_and_no_address() {
    let data = data_directory();
    let variables = [FREE, &[("APP_LOG_LEVEL", "debug")]].concat();
    let server = Server::start(data.path(), &variables).await;
    let ann = Person::at_origin(format!("http://{}", server.address));
    assert_eq!(ann.register("ann.log@example.org").await.status, 201);
    assert_eq!(ann.login("ann.log@example.org", "not the harbour").await.status, 401);
    let response = ann.login("ann.log@example.org", PASSWORD).await;
    assert_eq!(ann.get("/api/me").await.status, 200);
    let csrf = response.body["csrfToken"].as_str().unwrap();

    let log = server.stop_and_tell().await;
    assert!(log.contains("invalidCredentials"), "it does log what was refused: {log}");
    for secret in ["harbour", "$argon2", "ann.log", &response.cookie("session").unwrap(), csrf] {
        assert_eq!(log.lines().find(|line| line.contains(secret)), None, "{secret}");
    }
}
