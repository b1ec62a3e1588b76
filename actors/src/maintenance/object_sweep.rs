//! The sweep of objects: files of assets that no row names and that are too old to get one.

use super::batch::{Batch, SweepContext};
use domain::content::asset::ObjectKey;
use futures_util::future::join_all;
use storage::{Result, blobs::Blobs, content, shared::sending};

/// How many objects are checked at a time for a row that names them.
const CHECKED: usize = 1_000;
/// How many objects a batch removes, all at a time: an object store that hangs may take half a minute for
/// each.
const REMOVED: usize = 10;

/// How far a sweep of objects has come.
#[derive(Debug, Default)]
pub(super) struct ObjectSweep {
    /// Where the next page of the listing begins; `None` at the beginning, and after the last page.
    next: Option<String>,
    /// The objects of the last page that are still to be removed.
    left: Vec<ObjectKey>,
}

impl ObjectSweep {
    /// Removes some of the objects of a page, and none while sending is paused. No row is made for such an
    /// object any more (see [`ObjectKey::is_fresh`]), so nothing is lost between the query and the removal.
    pub(super) async fn remove_batch(&mut self, context: &SweepContext<'_>) -> Result<Batch> {
        let Some(blobs) = context.blobs else { return Ok(Batch { removed: 0, has_more: false }) };
        // A restored copy may have been given the bucket of the original by mistake, and knows nothing of its
        // newer files.
        if sending::is_paused(context.connection).await? {
            return Ok(Batch { removed: 0, has_more: false });
        }
        if self.left.is_empty() {
            let page = blobs.list(self.next.as_deref()).await?;
            let overdue: Vec<ObjectKey> = page.keys.into_iter().filter(|key| key.is_overdue(context.now)).collect();
            for chunk in overdue.chunks(CHECKED) {
                self.left.extend(content::assets::without_row(context.connection, chunk).await?);
            }
            self.next = page.next;
        }
        let batch = self.left.drain(..REMOVED.min(self.left.len()));
        let outcomes = join_all(batch.map(|key| async move { (key, blobs.remove(key).await) })).await;
        let mut removed = 0;
        for (key, outcome) in outcomes {
            // An object that cannot be removed is found again by the next sweep, and holds up no other.
            match outcome {
                Ok(()) => removed += 1,
                Err(error) => tracing::warn!(%error, object = %key, "an object without a row could not be removed"),
            }
        }
        Ok(Batch { removed, has_more: !self.left.is_empty() || self.next.is_some() })
    }
}

/// Removes objects whose rows were just removed. One that cannot be removed now has no row, so the sweep of
/// objects finds it.
pub(super) async fn remove_released(blobs: &Blobs, released: &[ObjectKey]) {
    for batch in released.chunks(REMOVED) {
        for (key, outcome) in batch.iter().zip(join_all(batch.iter().map(|key| blobs.remove(*key))).await) {
            if let Err(error) = outcome {
                tracing::warn!(%error, object = %key, "a result of the image service could not be removed");
            }
        }
    }
}
