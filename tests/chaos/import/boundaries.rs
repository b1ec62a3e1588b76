//! kill -9 at each boundary between two pages of an import, in every phase.

use super::{Source, begin, expire_leases, over, pages::Pages, row, serve};
use domain::content::import::{Import, Phase, Status};
use support::{
    import::{assert_same, dump},
    world::{World, is_full},
};
use vendor_stand_in::{Options, StandIn};

/// More pages than any import here has.
const ALL: i64 = 1_000;

#[tokio::test(flavor = "multi_thread")]
async fn an_import_that_is_killed_between_any_two_pages_ends_as_if_it_had_not_been() {
    // Several pages of stories, and several of assets, whose URLs all stories need.
    let source = Source::with_assets(130, 130);
    let stand_in = StandIn::start(Options { assets: Some("self".to_owned()), ..Options::of([source.path.clone()]) }).await;
    let clean = World::new().await;
    let import = begin(&clean, source.space).await;
    let server = serve(&clean, &stand_in).await;
    let whole = over(&clean, &import).await;
    server.stop().await;
    assert_eq!(whole.status, Status::Succeeded, "{:?}", whole.error);

    // Otherwise at every second page: each start takes two seconds, because the new process learns the
    // source's limit anew.
    let (killed, done, phases) = killed_at(&source, &stand_in, 0, if is_full() { 1 } else { 2 }).await;
    assert_as_clean((&killed, &done), (&clean, &whole)).await;
    let count = |wanted: Phase| phases.iter().filter(|phase| **phase == wanted).count();
    for phase in Phase::ALL {
        let pages = if matches!(phase, Phase::Assets | Phase::Stories) { 3 } else { 1 };
        let at_least = if is_full() { pages } else { pages / 2 };
        assert!(count(phase) >= at_least, "{phase:?} in {phases:?}");
    }
    // An import that is killed once remembers what the one that is killed always never knew.
    if is_full() {
        for pages in 0.. {
            let (killed, done, once) = killed_at(&source, &stand_in, pages, ALL).await;
            assert_as_clean((&killed, &done), (&clean, &whole)).await;
            // One that is killed once has fewer pages than one that begins phases anew: each of its own is
            // one to be killed at.
            if once.is_empty() {
                assert!(pages >= i64::try_from(Phase::ALL.len()).unwrap(), "{pages} pages of {phases:?}");
                break;
            }
            assert_eq!(once.len(), 1, "after {pages} pages of {phases:?}");
        }
    }
    println!("{} kills between pages: {phases:?}", phases.len());
}

/// Kills an import while it writes its first page after `pages` others, and again after each `between` pages
/// from then on. Returns it with the phases in which it was killed.
async fn killed_at(source: &Source, stand_in: &StandIn, pages: i64, between: i64) -> (World, Import, Vec<Phase>) {
    let world = World::new().await;
    let held = Pages::held(&world.database.target, pages).await;
    let import = begin(&world, source.space).await;
    let mut phases = Vec::new();
    loop {
        let server = serve(&world, stand_in).await;
        let done = tokio::select! {
            () = held.reached() => None,
            done = over(&world, &import) => Some(done),
        };
        if let Some(done) = done {
            server.stop().await;
            return (world, done, phases);
        }
        server.kill().await;
        expire_leases(&world).await;
        phases.push(row(&world, &import).await.phase);
        held.let_through(between).await;
    }
}

async fn assert_as_clean((killed, done): (&World, &Import), (clean, whole): (&World, &Import)) {
    assert_eq!(done.status, Status::Succeeded, "{:?}", done.error);
    assert_same(&dump(&killed.database.store, killed.space.0).await, &dump(&clean.database.store, clean.space.0).await);
    assert_eq!(done.report, whole.report);
}
