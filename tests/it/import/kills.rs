//! kill -9 during an import: the next process continues it, with the same result as without the kill.

use super::{folder::Folder, places::add, vendor::wanted};
use domain::{
    content::import::Status,
    shared::{ImportId, SpaceId},
};
use reqwest::{Client, Method};
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use std::{path::Path, time::Duration};
use storage::content::imports::jobs;
use support::{
    Database, browser, database,
    import::{assert_same, dump, finished, sample_space},
    scratch,
    server::Server,
};
use vendor_stand_in::{Fault, Options, StandIn, What};

/// The requests of each phase in order. Components and groups come in one response; the last requests are those for stories.
const HELD: [(&str, u64); 9] = [
    ("/asset_folders", 1),
    ("/assets?", 1),
    ("/f/", 2),
    ("/components", 1),
    ("/presets", 1),
    ("/datasources?", 1),
    ("/datasource_entries", 1),
    ("/stories?", 1),
    ("/stories/", 3),
];

#[tokio::test]
async fn an_import_that_is_killed_in_every_phase_ends_as_if_it_had_not_been() {
    is_as_if_not_killed(&sample_space(), &HELD).await;
}

/// Folders come again after each of these, when those of the pages before have their paths already; of the stories those of one page are written.
#[tokio::test]
async fn an_import_of_records_of_one_path_that_is_killed_gives_them_the_same_paths() {
    let folder = Folder::new();
    for id in 300..330 {
        let (slug, is_folder) = (if id % 3 == 0 { "blog" } else { "news" }, id % 2 == 0);
        let parent = [0, 300, 302, 304][usize::try_from(id % 4).unwrap()];
        let path = if parent == 0 { slug.to_owned() } else { format!("blog/{slug}") };
        add(&folder, id, json!({ "slug": slug, "full_slug": path, "parent_id": parent, "is_folder": is_folder, "content": {} }));
    }
    is_as_if_not_killed(folder.path(), &[("/stories/312", 1), ("/stories/328", 1), ("/stories/303", 1), ("/stories/327", 1)]).await;
}

/// Imports a space and kills the server each time that one of these answers is held back: path and each which one of its requests.
async fn is_as_if_not_killed(folder: &Path, holds: &[(&str, u64)]) {
    let stand_in = StandIn::start(Options { assets: Some("self".to_owned()), ..Options::of([folder.to_owned()]) }).await;
    let (database, data) = (database().await, scratch());
    let (origin, target) = (stand_in.origin(), stand_in.address.to_string());
    let variables = [
        ("APP_DATABASE_URL", database.target.url.expose_secret()),
        ("APP_VENDOR_MAPI_URL", &origin),
        ("APP_VENDOR_CDN_URL", &origin),
        ("APP_ALLOWED_PRIVATE_TARGETS", &target),
        ("APP_RATE_LIMITS", "off"),
    ];
    let mut running = Server::start(data.path(), &variables).await;
    let person = Person::signed_in(&running).await;

    let hold = |(path, each): (&str, u64)| stand_in.control.set_faults(vec![Fault::of(path, What::Silence).each(each)]);
    hold(holds[0]);
    let (space, token) = person.space(&running).await;
    let (clean, clean_token) = person.space(&running).await;
    let id = person.import(&running, space, &token, folder).await;
    for (number, held) in holds.iter().enumerate() {
        until_held(&stand_in, number as u64).await;
        running.signal(nix::sys::signal::Signal::SIGKILL);
        running.end().await;
        match holds.get(number + 1) {
            Some(next) => hold(*next),
            None => stand_in.control.set_faults(Vec::new()),
        }
        let session = database.connection().await;
        let row = jobs::find(&session, SpaceId(space), id).await.unwrap().unwrap();
        assert!(!row.status.is_over(), "killed at {held:?}");
        // Expires the lease of the killed process.
        run_out(&database).await;
        running = Server::start(data.path(), &variables).await;
    }
    let session = database.connection().await;
    let row = jobs::find(&session, SpaceId(space), id).await.unwrap().unwrap();
    drop(session);
    let done = finished(&database, &row).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);

    let id = person.import(&running, clean, &clean_token, folder).await;
    let session = database.connection().await;
    let row = jobs::find(&session, SpaceId(clean), id).await.unwrap().unwrap();
    drop(session);
    let whole = finished(&database, &row).await;
    assert_eq!((whole.status, &whole.report.failures), (Status::Succeeded, &done.report.failures));
    assert_eq!(whole.report.warnings.by_code, done.report.warnings.by_code);
    assert_same(&dump(&database.store, space).await, &dump(&database.store, clean).await);
}

/// Waits until the source holds back another response than the `before` ones.
async fn until_held(stand_in: &StandIn, before: u64) {
    let held = stand_in.control.faulted(before + 1);
    tokio::time::timeout(Duration::from_mins(1), held)
        .await
        .unwrap_or_else(|_| panic!("{before} answers were held back, and no other was asked for"));
}

async fn run_out(database: &Database) {
    database.rows("update jobs set lease_until = now() - interval '1 second' where lease_until is not null", &[]).await;
}

/// A signed-in browser.
pub struct Person(Client);

impl Person {
    pub async fn signed_in(server: &Server) -> Self {
        let person = Self(browser());
        let account = json!({ "email": "ann@example.org", "password": "quiet lamp seven rivers", "firstName": "Ann" });
        person.post(server, "/api/auth/register", account.clone()).await;
        person.post(server, "/api/auth/login", account).await;
        person
    }

    async fn post(&self, server: &Server, path: &str, body: Value) -> Value {
        let url = |path: &str| format!("http://{}{path}", server.address);
        let csrf: Value = self.0.get(url("/api/csrf-token")).send().await.unwrap().json().await.unwrap();
        let request = self.0.request(Method::POST, url(path)).header("x-csrf-token", csrf["csrfToken"].as_str().unwrap());
        let answer = request.json(&body).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.text().await.unwrap());
        answer.json().await.unwrap()
    }

    /// Creates a space and a token with all rights in it.
    pub async fn space(&self, server: &Server) -> (i64, String) {
        let space = self.post(server, "/api/v1/spaces", json!({ "name": "Here" })).await["space"]["id"].as_i64().unwrap();
        let made = self.post(server, &format!("/api/v1/spaces/{space}/tokens"), json!({ "name": "t", "role": "admin" })).await;
        (space, made["plaintext"].as_str().unwrap().to_owned())
    }

    /// Starts an import of a folder from the stand-in.
    pub async fn import(&self, server: &Server, space: i64, token: &str, folder: &Path) -> ImportId {
        let url = format!("http://{}/api/v1/spaces/{space}/import/vendor", server.address);
        let made = self.0.post(url).header("authorization", token).json(&wanted(folder)).send().await.unwrap();
        assert_eq!(made.status(), 202);
        ImportId(made.json::<Value>().await.unwrap()["import"]["id"].as_i64().unwrap())
    }
}
