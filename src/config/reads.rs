//! The variables of the Delivery API.

use super::{
    in_memory,
    problem::Problem,
    reader::Reader,
    variables::{content, limits},
};
use routes::content::delivery::ReadSettings;
use std::{num::NonZeroUsize, thread::available_parallelism};

/// `connections` is the size of the pool.
pub(super) fn read(reader: &Reader<'_>, connections: usize) -> Result<ReadSettings, Problem> {
    let is_limited = reader.value(limits::APP_RATE_LIMITS)?;
    let unknown_by_ip = Some(reader.value(limits::APP_RATE_LIMIT_DELIVERY_UNKNOWN_IP)?);
    Ok(ReadSettings {
        cache_bytes: reader.value(content::APP_DELIVERY_CACHE_MB)?,
        list_keys_bytes: reader.value(content::APP_DELIVERY_LIST_KEYS_MB)?,
        at_once: reader.optional(content::APP_DELIVERY_AT_ONCE).and_then(NonZeroUsize::new).unwrap_or_else(by_cores),
        connections,
        render_timeout: reader.value(content::APP_DELIVERY_STATEMENT_TIMEOUT)?,
        max_response: in_memory(reader.value(limits::APP_RESPONSE_MAX_MB)?),
        by_token: reader.optional(limits::APP_RATE_LIMIT_DELIVERY_TOKEN).filter(|_| is_limited),
        unknown_by_ip: unknown_by_ip.filter(|_| is_limited),
    })
}

/// Enough that each core has work while some wait for the database.
fn by_cores() -> NonZeroUsize {
    const PER_CORE: NonZeroUsize = NonZeroUsize::MIN.saturating_add(3);
    available_parallelism().map_or(PER_CORE, |cores| cores.saturating_mul(PER_CORE))
}

#[cfg(test)]
mod tests {
    use crate::config::{Config, Environment};

    fn read(pairs: &[(&str, &str)]) -> Result<super::ReadSettings, String> {
        Config::read(&Environment::of(pairs.iter().copied())).map(|value| value.reads).map_err(|error| error.to_string())
    }

    #[test]
    fn reads_are_unlimited_by_default_except_with_unknown_tokens() {
        assert!(read(&[]).unwrap().by_token.is_none());
        assert!(read(&[]).unwrap().unknown_by_ip.is_some());
        assert!(read(&[("APP_RATE_LIMITS", "off")]).unwrap().unknown_by_ip.is_none());
        let wrong = [("APP_RATE_LIMIT_DELIVERY_UNKNOWN_IP", "often")];
        assert!(read(&wrong).unwrap_err().starts_with("APP_RATE_LIMIT_DELIVERY_UNKNOWN_IP: "));
        let rate = ("APP_RATE_LIMIT_DELIVERY_TOKEN", "1000/s");
        assert!(read(&[rate]).unwrap().by_token.is_some());
        assert!(read(&[rate, ("APP_RATE_LIMITS", "off")]).unwrap().by_token.is_none());
    }

    #[test]
    fn the_number_of_concurrent_renderings_depends_on_the_cores_unless_configured() {
        assert_eq!(read(&[]).unwrap().at_once.get() % 4, 0);
        assert_eq!(read(&[("APP_DELIVERY_AT_ONCE", "7")]).unwrap().at_once.get(), 7);
        assert_eq!(read(&[("APP_DB_POOL_SIZE", "9")]).unwrap().connections, 9);
        assert!(read(&[("APP_DELIVERY_AT_ONCE", "0")]).unwrap_err().starts_with("APP_DELIVERY_AT_ONCE: "));
    }

    #[test]
    fn the_cache_is_configured_in_megabytes_and_can_be_off() {
        assert_eq!(read(&[]).unwrap().cache_bytes, 64 << 20);
        assert_eq!(read(&[("APP_DELIVERY_CACHE_MB", "0")]).unwrap().cache_bytes, 0);
        assert!(read(&[("APP_DELIVERY_CACHE_MB", "-1")]).unwrap_err().starts_with("APP_DELIVERY_CACHE_MB: "));
    }
}
