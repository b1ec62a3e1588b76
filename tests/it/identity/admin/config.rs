//! `GET /api/admin/config`.

use super::administrator;
use crate::identity::FREE;
use support::prelude::*;

#[tokio::test]
async fn the_catalogue_shows_every_variable_and_no_secret() {
    let secret = "correct-horse-battery-staple";
    let variables = [FREE, &[("APP_METRICS_TOKEN", secret), ("APP_NAME", "Reading room")]].concat();
    let app = TestApp::with_variables(&variables).await;
    let admin = administrator(&app).await;
    let body = admin.get("/api/admin/config").await.body;
    assert!(!body.to_string().contains(secret));
    let find = |name: &str| body["variables"].as_array().unwrap().iter().find(|variable| variable["name"] == name).unwrap().clone();
    let token = find("APP_METRICS_TOKEN");
    assert_eq!(
        token,
        json!({
            "name": "APP_METRICS_TOKEN", "group": "server", "form": token["form"], "value": "********", "default": null, "isSet": true, "secret": true, "required": false,
            "description": token["description"], "requiresRestart": true,
        })
    );
    assert_eq!((&find("APP_NAME")["value"], &find("APP_SMTP_HOST")["isSet"]), (&json!("Reading room"), &json!(false)));
    assert_eq!(body["variables"].as_array().unwrap().len(), lectern::config::variables::all().count());
}
