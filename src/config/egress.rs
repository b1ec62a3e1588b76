//! The variables of outgoing requests.

use super::{
    Problem,
    reader::Reader,
    variables::{content, network},
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
            dns_servers: reader.optional(network::APP_DNS_SERVERS).unwrap_or_default(),
            allowed_private_targets: reader.value(network::APP_ALLOWED_PRIVATE_TARGETS)?,
            vendor_mapi_url: reader.optional(content::APP_VENDOR_MAPI_URL),
            vendor_cdn_url: reader.optional(content::APP_VENDOR_CDN_URL),
        })
    }
}
