//! kill -9 during an import: the next process continues it, with the same result as without the kill.

use super::{folder::Folder, places::add, vendor::wanted};
use domain::{
    content::import::{Import, Status},
    shared::{ImportId, SpaceId},
};
use storage::content::imports::jobs;
use support::{
    database,
    import::{assert_same, dump, finished, sample_space, waiting::current},
    prelude::*,
};
use vendor_stand_in::{Fault, Options, StandIn, What};

/// The requests of each phase in order. Components and groups come in one response; the last requests are
/// those for stories.
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

/// Folders come again after each of these, when those of the pages before have their paths already; of the
/// stories those of one page are written.
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

/// Imports a space and kills the server each time that one of these answers is held back: path and each which
/// one of its requests.
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
    let person = running.person("ann@example.org").await;

    let hold = |(path, each): (&str, u64)| stand_in.control.set_faults(vec![Fault::of(path, What::Silence).each(each)]);
    hold(holds[0]);
    let (space, clean) = (person.space().await, person.space().await);
    let import = started(&database, &space, folder).await;
    for (number, held) in holds.iter().enumerate() {
        until_held(&stand_in, number as u64).await;
        running.signal(nix::sys::signal::Signal::SIGKILL);
        running.end().await;
        match holds.get(number + 1) {
            Some(next) => hold(*next),
            None => stand_in.control.set_faults(Vec::new()),
        }
        assert!(!current(&database.store, &import).await.status.is_over(), "killed at {held:?}");
        // Expires the lease of the killed process.
        run_out(&database).await;
        running = Server::start(data.path(), &variables).await;
    }
    let done = finished(&database, &import).await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);

    let whole = finished(&database, &started(&database, &clean.at(&running), folder).await).await;
    assert_eq!((whole.status, &whole.report.failures), (Status::Succeeded, &done.report.failures));
    assert_eq!(whole.report.warnings.by_code, done.report.warnings.by_code);
    assert_same(&dump(&database.store, space.id).await, &dump(&database.store, clean.id).await);
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

/// Starts an import of a folder from the stand-in.
pub async fn started(database: &Database, space: &OwnedSpace, folder: &Path) -> Import {
    let id = space.post("/import/vendor", wanted(folder)).await.expect(202)["import"]["id"].as_i64().unwrap();
    jobs::find(&database.connection().await, SpaceId(space.id), ImportId(id)).await.unwrap().unwrap()
}
