//! Which ports are allowed: those of the web, and high ones that are not the well-known port of another
//! protocol.

/// Ports of other protocols, some of whose servers would execute parts of an HTTP request as commands.
pub(super) const DENIED: &[u16] = &[
    1719, 1720, 1723, 2049, 2375, 2376, 2379, 2380, 3306, 3659, 4045, 4190, 5060, 5061, 5432, 6000, 6379, 6566, 6665, 6666, 6667,
    6668, 6669, 6679, 6697, 9200, 9300, 10080, 10250, 11211, 27017,
];

/// Whether a URL may name this port.
pub(super) fn is_allowed(port: u16) -> bool {
    matches!(port, 80 | 443 | 1024..) && !DENIED.contains(&port)
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn the_web_and_high_ports_are_allowed_and_other_servers_are_not() {
        for port in [80, 443, 1024, 3000, 8080, 8443, 65535] {
            assert!(is_allowed(port), "{port}");
        }
        for port in [0, 1, 22, 25, 79, 81, 442, 444, 1023, 2375, 3306, 5432, 6379, 9200, 11211, 27017] {
            assert!(!is_allowed(port), "{port}");
        }
    }
}
