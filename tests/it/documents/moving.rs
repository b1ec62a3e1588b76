//! docs/moving.md, with the stand-in of Storyblok as the source.

use super::Desk;
use support::{prelude::*, spaces::sample_space};
use vendor_stand_in::{Fault, Options, StandIn, TOKEN, What};

/// The id of the sample space.
const SOURCE: &str = "70001";

#[tokio::test]
async fn a_space_moves_here_and_is_kept_as_a_folder() {
    let stand_in = StandIn::start(Options { assets: Some("self".to_owned()), ..Options::of([sample_space()]) }).await;
    let (origin, target) = (stand_in.origin(), stand_in.address.to_string());
    let variables = [
        ("APP_VENDOR_MAPI_URL", origin.as_str()),
        ("APP_VENDOR_CDN_URL", origin.as_str()),
        ("APP_ALLOWED_PRIVATE_TARGETS", target.as_str()),
    ];
    let mut desk = Desk::of("docs/moving.md", &variables).await;
    // With the password of the document.
    let ann = json!({ "email": "ann@example.org", "password": "correct horse battery", "firstName": "Ann" });
    Person::at_origin(desk.server.url("")).post("/api/auth/register", &ann).await.expect(201);
    let shell = &mut desk.shell;
    shell.run(&format!("export STORYBLOK_SPACE={SOURCE} STORYBLOK_REGION=eu STORYBLOK_TOKEN={TOKEN}")).await;

    let made = shell.next("/tokens").await;
    assert!(made.starts_with("\"ann@example.org\"\n") && made.contains("\"public\": \"sbpub_"), "{made}");
    let tried = shell.next("dry_run=1").await;
    assert!(tried.contains("\"status\": \"succeeded\"") && tried.contains("\"dry_run\": true"), "{tried}");
    assert_eq!(shell.run("manage stories | jq '.stories | length'").await.trim(), "0");
    let imported = shell.next("manage import/vendor ").await;
    assert!(imported.trim_end().ends_with("\"succeeded\""), "{imported}");
    assert_ne!(shell.run("manage stories | jq '.stories | length'").await.trim(), "0");

    // A token that is refused ends an import.
    stand_in.control.fault(Fault::of("/stories", What::Status { code: 401, retry_after: None }));
    let failed = shell
        .run("import=$(manage import/vendor -d \"$source\" | jq .import.id); manage imports/$import/events -N; manage imports/$import | jq .import.status")
        .await;
    assert!(failed.trim_end().ends_with("\"failed\""), "{failed}");
    stand_in.control.set_faults(Vec::new());
    let resumed = shell.next("/resume").await;
    assert!(resumed.contains("succeeded"), "{resumed}");

    let kept = shell.next("lectern export").await;
    assert!(kept.contains("\ndry run succeeded\n") && kept.contains("\nsucceeded\n") && kept.contains("sbpub_"), "{kept}");
    desk.end().await;
}
