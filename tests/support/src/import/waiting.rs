//! Waits until an import has a certain state, without polling: each chunk sends a notification like every
//! command of a space.

use domain::content::import::Import;
use std::time::Duration;
use storage::{
    Store,
    content::{commit_log, imports::jobs},
    listen::Listener,
};

/// Reads the import.
pub async fn current(store: &Store, import: &Import) -> Import {
    let session = store.connection("test").await.unwrap();
    jobs::find(&session, import.space, import.id).await.unwrap().unwrap()
}

/// Waits until a condition holds for the import. Panics if it does not hold in time.
pub async fn once(store: &Store, import: &Import, within: Duration, holds: impl Fn(&Import) -> bool) -> Import {
    let waiting = async {
        let mut news = Listener::connect(store, &[commit_log::CHANNEL]).await.unwrap();
        loop {
            let now = current(store, import).await;
            if holds(&now) {
                return now;
            }
            news.next().await.unwrap();
        }
    };
    tokio::time::timeout(within, waiting).await.expect("the import gets on")
}
