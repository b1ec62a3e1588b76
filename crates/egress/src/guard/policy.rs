//! The rules that depend on the configuration: the operator's exceptions, and the address of this server.

use super::{Exception, GuardRefusal, address, port, target::Host};
use std::net::IpAddr;
use url::Url;

/// The rules of this server.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    exceptions: Vec<Exception>,
    own: Option<(Host, u16)>,
}

impl Policy {
    /// The rules with these exceptions, for a server with this URL.
    pub fn new(exceptions: Vec<Exception>, base_url: &str) -> Self {
        let own = Url::parse(base_url).ok().and_then(|url| Some((Host::of(&url)?, url.port_or_known_default()?)));
        Self { exceptions, own }
    }

    /// Whether an address and port may be connected to. An IPv4-mapped IPv6 address never may, not even under
    /// an exception: it has no legitimate use here.
    pub(super) fn allows(&self, address: IpAddr, port: u16) -> bool {
        (address::is_public(address) && port::is_allowed(port))
            || self.exceptions.iter().any(|exception| exception.covers(address, port))
    }

    /// Whether a host and port may stand in a URL.
    pub(super) fn admit(&self, host: &Host, port: u16) -> Result<(), GuardRefusal> {
        if self.own.as_ref().is_some_and(|(own, its_port)| own == host && same_server(*its_port, port)) {
            return Err(GuardRefusal::Own);
        }
        let is_allowed = match host {
            Host::Address(address) => self.allows(*address, port),
            // The addresses are not known yet; an exception for this port may turn out to cover them.
            Host::Name(_) => port::is_allowed(port) || self.exceptions.iter().any(|exception| exception.names(port)),
        };
        match host {
            _ if is_allowed => Ok(()),
            Host::Address(address) if !address::is_public(*address) => Err(GuardRefusal::Address),
            _ => Err(GuardRefusal::Port),
        }
    }
}

/// Whether two ports belong to the same server: 80 and 443 do.
fn same_server(one: u16, other: u16) -> bool {
    const WEB: [u16; 2] = [80, 443];
    one == other || (WEB.contains(&one) && WEB.contains(&other))
}
