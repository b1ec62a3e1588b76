//! kill -9 many times during one import: the result equals that of an uninterrupted import.

mod boundaries;
mod pages;

use crypto::{keys::Keys, random::SystemEntropy, seal::Seal};
use domain::{
    content::import::{Import, ImportPayload, SourceRef, Status},
    shared::Actor,
};
use services::content::import::source_token::{SEAL, seal_context};
use std::process::Command;
use storage::{
    content::imports::jobs,
    queue::{self, NewJob},
};
use support::{
    import::{
        assert_same, dump,
        held::End,
        waiting::{current, once},
    },
    prelude::*,
    spaces::sample_space,
    world::{ROOT, Running, World, is_full, now},
};
use vendor_stand_in::{Options, StandIn, TOKEN};

/// The time limit for importing twenty thousand stories.
const PATIENCE: Duration = Duration::from_mins(10);

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_is_killed_at_any_moment_ends_as_if_it_had_not_been() {
    let (stories, kills) = if is_full() { (20_000, 50_u64) } else { (1_000, 5) };
    let folder = Source::of(stories);
    let stand_in = StandIn::start(Options { assets: Some("self".to_owned()), ..Options::of([folder.path.clone()]) }).await;
    let (killed, clean) = (World::new().await, World::new().await);
    // The uninterrupted import runs first, because its number of records spaces the kills.
    let import = begin(&clean, folder.space).await;
    let server = serve(&clean, &stand_in).await;
    let whole = over(&clean, &import).await;
    server.stop().await;
    assert_eq!(whole.status, Status::Succeeded, "{:?}", whole.error);

    let end = End::held(&killed.database.target).await;
    let import = begin(&killed, folder.space).await;
    let mut dice = Dice(20_261_121);
    let mut phases = std::collections::BTreeMap::new();
    let mut late = 0;
    for number in 0..kills {
        let before = row(&killed, &import).await;
        // A fast machine may have written everything early. Eight crashes without progress would then fail
        // the import.
        late += u64::from(before.done >= whole.done);
        if late > LATE {
            break;
        }
        let server = serve(&killed, &stand_in).await;
        // Sometimes while the import is opened again, sometimes after further records; at any moment of a
        // page.
        if dice.below(3) == 0 {
            // A sleep, because nothing is notified before the first page.
            tokio::time::sleep(Duration::from_millis(dice.below(1_000))).await;
        } else {
            let left = u64::try_from(whole.done - before.done).unwrap_or(0);
            let share = (2 * left / (kills - number + 2)).max(1);
            let until = (before.done + 1 + i64::try_from(dice.below(share)).unwrap()).min(whole.done);
            once(&killed.database.store, &import, PATIENCE, |value| value.done >= until).await;
            // A sleep, so that the kill hits a random moment of the next page.
            tokio::time::sleep(Duration::from_millis(dice.below(150))).await;
        }
        server.kill().await;
        let now = row(&killed, &import).await;
        assert!(!now.status.is_over(), "it ended before kill {number}: {:?}", now.error);
        *phases.entry(now.phase.name()).or_insert(0) += 1;
        expire_leases(&killed).await;
    }
    end.let_go().await;
    let server = serve(&killed, &stand_in).await;
    let done = over(&killed, &import).await;
    server.stop().await;
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);

    assert_same(&dump(&killed.database.store, killed.space.0).await, &dump(&clean.database.store, clean.space.0).await);
    assert_eq!(done.report.checksums, whole.report.checksums);
    println!("{} kills during an import of {stories} stories, by phase: {phases:?}", phases.values().sum::<u64>());
}

/// How many kills may follow when everything is written and only the end is missing.
const LATE: u64 = 4;

/// Reproducible pseudo-random numbers: `SplitMix64` (Steele, Lea, Flood 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % limit
    }
}

/// Inserts the import and its job as the endpoint does.
async fn begin(world: &World, source_space: i64) -> Import {
    let seal = Seal::new(Keys::new(ROOT.as_bytes().to_vec().into()).derive(SEAL));
    let sealed = seal.seal(&seal_context(world.space), TOKEN.as_bytes(), &SystemEntropy).unwrap();
    let source = SourceRef::Vendor { region: "eu".to_owned(), space_id: source_space };
    let (by, at) = (Actor::system("chaos"), now());
    let mut session = world.database.connection().await;
    let tx = session.begin();
    let new = jobs::NewImport { source: &source, dry_run: false, webhooks: false, sealed_token: Some(&sealed), by: &by, at };
    let import = jobs::insert(&tx, world.space, &new).await.unwrap();
    let payload = ImportPayload { space: world.space, import: import.id };
    queue::add(&tx, &NewJob { queue: jobs::IMPORT, key: world.space.to_string(), payload, at }).await.unwrap();
    tx.commit().await.unwrap();
    import
}

async fn serve(world: &World, stand_in: &StandIn) -> Running {
    let origin = stand_in.origin();
    world
        .serve_with(&[("APP_VENDOR_MAPI_URL", &origin), ("APP_VENDOR_CDN_URL", &origin), ("APP_BASE_URL", "http://localhost:1")])
        .await
}

/// Expires the lease of a killed process.
async fn expire_leases(world: &World) {
    world.database.sql("update jobs set lease_until = now() where lease_until is not null").await;
}

async fn row(world: &World, import: &Import) -> Import {
    current(&world.database.store, import).await
}

async fn over(world: &World, import: &Import) -> Import {
    once(&world.database.store, import, PATIENCE, |value| value.status.is_over()).await
}

/// A folder with a given number of stories, deleted on drop.
struct Source {
    path: PathBuf,
    space: i64,
}

impl Source {
    /// Made from the example spaces beside the repository if they exist, otherwise from copies of the sample
    /// space's stories.
    fn of(stories: usize) -> Self {
        let path = temporary("source");
        let maker = tools::repository("../shared/spaces/make_large.py");
        if maker.exists() {
            let mut command = Command::new("python3");
            command.arg(maker).args(["--from", "studies-abroad", "--from", "starter-articles", "--copy-assets"]);
            let done = command.arg("--out").arg(&path).args(["--stories", &stories.to_string()]).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        } else {
            multiplied(&path, stories);
        }
        Self::at(path)
    }

    /// Copies of the sample space's stories and of one of its assets. Each story shows one of the assets.
    fn with_assets(stories: usize, assets: usize) -> Self {
        let path = temporary("assets");
        multiplied(&path, stories);
        multiply_assets(&path, assets);
        Self::at(path)
    }

    fn at(path: PathBuf) -> Self {
        let space: Value = serde_json::from_str(&fs::read_to_string(path.join("space.json")).unwrap()).unwrap();
        Self { space: space.get("space").unwrap_or(&space)["id"].as_i64().unwrap(), path }
    }
}

impl Drop for Source {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("lectern-chaos-{name}-{}", std::process::id()))
}

/// Replaces the assets of a folder by copies of the first one, and has each story show one of them.
fn multiply_assets(path: &Path, assets: usize) {
    let read = |name: &str| -> Value { serde_json::from_str(&fs::read_to_string(path.join(name)).unwrap()).unwrap() };
    let (mut files, mut stories) = (read("assets.json"), read("stories.json"));
    let model = files["assets"][0].clone();
    let url = |number: usize| format!("a.storyblok.com/f/70001/8x6/{number:010}/bench.png");
    let copies = (0..assets).map(|number| {
        let file = path.join(format!("assets/f/70001/8x6/{number:010}"));
        fs::create_dir_all(&file).unwrap();
        fs::copy(sample_space().join("assets/f/70001/8x6/0a1b2c3d4e/bench.png"), file.join("bench.png")).unwrap();
        let mut asset = model.clone();
        (asset["id"], asset["filename"]) = (json!(20_000 + number), json!(format!("https://s3.amazonaws.com/{}", url(number))));
        asset
    });
    files["assets"] = copies.collect();
    let shown = stories["stories"].as_array_mut().unwrap().iter_mut().filter(|story| story["is_folder"] == false);
    for (number, story) in shown.enumerate() {
        story["content"]["picture"] = json!(format!("https://{}", url(number % assets)));
    }
    fs::write(path.join("assets.json"), files.to_string()).unwrap();
    fs::write(path.join("stories.json"), stories.to_string()).unwrap();
}

/// The sample space with each of its stories many times.
fn multiplied(path: &Path, stories: usize) {
    let sample_space = sample_space();
    fs::create_dir_all(path).unwrap();
    for file in fs::read_dir(&sample_space).unwrap().map(|dir| dir.unwrap().path()).filter(|dir| dir.is_file()) {
        fs::copy(&file, path.join(file.file_name().unwrap())).unwrap();
    }
    let file = path.join("stories.json");
    let mut whole: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    let all = whole["stories"].as_array_mut().unwrap();
    let models: Vec<Value> =
        all.iter().filter(|value| value["is_folder"] == false && value["is_startpage"] == false).cloned().collect();
    for (number, model) in models.iter().cycle().take(stories).enumerate() {
        let mut story = model.clone();
        let uuid = Uuid::from_u128(0x4000_8000_0000_0000_0000 + number as u128).to_string();
        let slug = format!("{}-{number}", story["slug"].as_str().unwrap());
        (story["id"], story["uuid"], story["group_id"]) = (json!(10_000 + number), json!(uuid), json!(uuid));
        let (folder, _) = story["full_slug"].as_str().unwrap().rsplit_once('/').unwrap_or_default();
        story["full_slug"] = json!(format!("{folder}/{slug}").trim_start_matches('/'));
        (story["slug"], story["translated_slugs"]) = (json!(slug), json!([]));
        all.push(story);
    }
    fs::write(file, whole.to_string()).unwrap();
}
