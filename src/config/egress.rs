//! The variables of outgoing requests.

use super::{
    Problem,
    reader::Reader,
    value::{Origin, Resolvers},
};
use egress::guard::Exception;
use std::net::SocketAddr;

/// The settings of outgoing requests.
pub struct EgressSettings {
    /// `APP_DNS_SERVERS`; when empty, those of the system.
    pub dns_servers: Vec<SocketAddr>,
    /// `APP_ALLOWED_PRIVATE_TARGETS`.
    pub allowed_private_targets: Vec<Exception>,
    /// `APP_VENDOR_MAPI_URL`; when unset, the address of the region.
    pub vendor_mapi_url: Option<String>,
    /// `APP_VENDOR_CDN_URL`; when unset, the address of the region.
    pub vendor_cdn_url: Option<String>,
}

impl EgressSettings {
    pub(super) fn from(reader: &Reader<'_>) -> Result<Self, Problem> {
        Ok(Self {
            dns_servers: reader.optional::<Resolvers>("APP_DNS_SERVERS")?.map(|value| value.0).unwrap_or_default(),
            allowed_private_targets: reader.value("APP_ALLOWED_PRIVATE_TARGETS")?,
            vendor_mapi_url: reader.optional::<Origin>("APP_VENDOR_MAPI_URL")?.map(|value| value.0),
            vendor_cdn_url: reader.optional::<Origin>("APP_VENDOR_CDN_URL")?.map(|value| value.0),
        })
    }
}
