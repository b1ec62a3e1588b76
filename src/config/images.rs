//! The variables of the image service.

use super::{problem::Problem, reader::Reader, variables::content};
use routes::content::ImageSettings;
use std::{num::NonZeroUsize, thread::available_parallelism, time::Duration};

/// How long a request for an image waits for a place.
const WAIT: Duration = Duration::from_secs(10);

pub(super) fn read(reader: &Reader<'_>) -> Result<ImageSettings, Problem> {
    let workers = reader.optional(content::APP_IMAGE_WORKERS);
    Ok(ImageSettings {
        workers: workers.unwrap_or_else(|| available_parallelism().map_or(1, NonZeroUsize::get)),
        time: reader.value(content::APP_IMAGE_TIMEOUT)?,
        wait: WAIT,
        max_pixels: reader.value(content::APP_IMAGE_MAX_MEGAPIXELS)? * 1_000_000,
        store_bytes: reader.value(content::APP_IMAGE_CACHE_MB)?,
        memory_bytes: reader.value(content::APP_IMAGE_MEMORY_MB)?,
    })
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Environment};

    #[test]
    fn the_image_service_has_bounds_by_default() {
        let read = |pairs: &[(&str, &str)]| Config::read(&Environment::of(pairs.iter().copied())).map(|config| config.images);
        let images = read(&[]).unwrap();
        assert_eq!((images.store_bytes, images.memory_bytes, images.max_pixels), (1 << 30, 64 << 20, 50_000_000));
        assert!(images.workers >= 1);
        assert_eq!(read(&[("APP_IMAGE_WORKERS", "3"), ("APP_IMAGE_CACHE_MB", "0")]).unwrap().workers, 3);
        let error = read(&[("APP_IMAGE_TIMEOUT", "0")]).err().unwrap().to_string();
        assert!(error.starts_with("APP_IMAGE_TIMEOUT: "), "{error}");
    }
}
