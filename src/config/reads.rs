//! The variables of the Delivery API.

use super::{
    reader::{Problem, Reader},
    value::{Bounded, Seconds, Switch},
};
use domain::shared::Rate;
use routes::content::delivery::ReadSettings;
use std::{num::NonZeroUsize, thread::available_parallelism};

/// `connections` is the size of the pool.
pub(super) fn read(reader: &Reader<'_>, connections: usize) -> Result<ReadSettings, Problem> {
    let megabytes = reader.value::<Bounded<0, 1_048_576>>("APP_DELIVERY_CACHE_MB")?.fit();
    let list_keys_bytes = u64::from(reader.value::<Bounded<0, 65_536>>("APP_DELIVERY_LIST_KEYS_MB")?.fit()) << 20;
    let is_limited = reader.value::<Switch>("APP_RATE_LIMITS")?.0;
    let by_token = reader.optional::<Rate>("APP_RATE_LIMIT_DELIVERY_TOKEN")?.filter(|_| is_limited);
    let unknown_by_ip = Some(reader.value::<Rate>("APP_RATE_LIMIT_DELIVERY_UNKNOWN_IP")?).filter(|_| is_limited);
    let at_once = reader.optional::<Bounded<1, 1000>>("APP_DELIVERY_AT_ONCE")?.and_then(|o| NonZeroUsize::new(o.0));
    let render_timeout = reader.value::<Seconds<1, 30>>("APP_DELIVERY_STATEMENT_TIMEOUT")?.0;
    let max_response = reader.value::<Bounded<1, 1024>>("APP_RESPONSE_MAX_MB")?.0 << 20;
    let (cache_bytes, at_once) = (u64::from(megabytes) << 20, at_once.unwrap_or_else(by_cores));
    Ok(ReadSettings { cache_bytes, list_keys_bytes, at_once, connections, render_timeout, max_response, by_token, unknown_by_ip })
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
