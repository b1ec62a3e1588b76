//! The variables of the image service.

use super::{
    reader::{Problem, Reader},
    value::{Bounded, Seconds},
};
use routes::content::ImageSettings;
use std::{num::NonZeroUsize, thread::available_parallelism};

pub(super) fn read(reader: &Reader<'_>) -> Result<ImageSettings, Problem> {
    let megabytes = |name| Ok(u64::from(reader.value::<Bounded<0, 1_048_576>>(name)?.fit()) << 20);
    let workers = reader.optional::<Bounded<1, 1024>>("APP_IMAGE_WORKERS")?.map(|workers| workers.0);
    Ok(ImageSettings {
        workers: workers.unwrap_or_else(|| available_parallelism().map_or(1, NonZeroUsize::get)),
        time: reader.value::<Seconds<1, 20>>("APP_IMAGE_TIMEOUT")?.0,
        max_pixels: u64::from(reader.value::<Bounded<1, 500>>("APP_IMAGE_MAX_MEGAPIXELS")?.fit()) * 1_000_000,
        store_bytes: megabytes("APP_IMAGE_CACHE_MB")?,
        memory_bytes: megabytes("APP_IMAGE_MEMORY_MB")?,
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
