//! Keeping results of the image service, within a bound in bytes that holds for all processes together.

use domain::content::asset::ObjectKey;
use storage::{
    Result, Store, Tx, TxOperation,
    content::image_results::{self, ImageResult},
};

/// Keeps a result whose object is durable. Results that were not used for longest make room for it.
pub struct KeepImageResult {
    /// The object that it was made of.
    pub original: ObjectKey,
    /// The transformation in its canonical form, with the format.
    pub transformation: String,
    pub result: ImageResult,
    /// The most bytes that all results may have.
    pub bound: u64,
}

/// Keeps it. Returns the objects that are to be removed from the store: also its own, when another process was first.
pub async fn keep_image_result(store: &Store, keep: &KeepImageResult) -> Result<Released> {
    store.transact(keep).await
}

/// Objects that no row names any more, to be removed from the store.
pub type Released = Vec<ObjectKey>;

impl TxOperation for KeepImageResult {
    type Output = Released;

    const NAME: &'static str = "image_result.keep";

    async fn run(&self, tx: &Tx<'_>) -> Result<Released> {
        let Self { original, transformation, result, bound } = self;
        if !image_results::insert(tx, *original, transformation, result).await? {
            // Another process was first.
            return Ok(vec![result.key]);
        }
        let mut excess = image_results::usage(tx).await?.saturating_sub(*bound);
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
    }
}
