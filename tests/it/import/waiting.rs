//! Waiting until an import has come so far. No clock is asked: each of its pages is announced as any write of a space is.

use domain::content::import::Import;
use std::time::Duration;
use storage::{
    Store,
    connect::Target,
    content::{commit_log, imports::jobs},
    listen::Listener,
};

/// The import as it is now.
pub async fn current(store: &Store, import: &Import) -> Import {
    let session = store.connection("test").await.unwrap();
    jobs::find(&session, import.space, import.id).await.unwrap().unwrap()
}

/// The import once this holds of it. Panics when it does not come to that in time.
pub async fn once(store: &Store, target: &Target, import: &Import, within: Duration, holds: impl Fn(&Import) -> bool) -> Import {
    let waiting = async {
        let mut news = Listener::connect(target, &[commit_log::CHANNEL]).await.unwrap();
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
