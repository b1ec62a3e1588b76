//! Keeping results of the image service, within a bound in bytes that holds for all processes together.

use domain::content::asset::ObjectKey;
use storage::{
    Result, Store,
    content::image_results::{self, ImageResult},
    transact,
};

/// Objects that no row names any more, to be removed from the store.
pub type Released = Vec<ObjectKey>;

/// Keeps a result whose object is durable; it was made of an object by a transformation in its canonical
/// form, with the format. Results that were not used for longest make room for it: all together may have
/// `max` bytes.
pub async fn keep(store: &Store, original: ObjectKey, transformation: &str, result: &ImageResult, max: u64) -> Result<Released> {
    transact!(store, "image_result.keep", async |tx| {
        if !image_results::insert(tx, original, transformation, result).await? {
            // Another process was first.
            return Ok(vec![result.key]);
        }
        let mut excess = image_results::usage(tx).await?.saturating_sub(max);
        let mut released = Vec::new();
        while excess > 0 {
            let (objects, freed) = image_results::evict(tx, excess).await?;
            if objects.is_empty() {
                // Others are removing all that is left.
                break;
            }
            released.extend(objects);
            excess = excess.saturating_sub(freed);
        }
        Ok(released)
    })
    .await
}
