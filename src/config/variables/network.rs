//! The rows of connections: proxies, clients, and the addresses that the server connects to itself.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row,
};

pub(super) const NETWORK: &[Variable] = &[
    row(
        "APP_TRUSTED_PROXIES",
        "addresses and networks, with commas",
        Text(""),
        "The proxies whose `X-Forwarded-For` is trusted. Otherwise the client address is that of the connection.",
        "10.0.0.0/8,192.0.2.1",
    ),
    row(
        "APP_MAX_CONNECTIONS",
        "1 to 1000000",
        Text("4096"),
        "How many connections of clients may be open. Beyond that a new one takes the place of one of an address that has more, an idle one first, or waits to be accepted.",
        "10000",
    ),
    row(
        "APP_MAX_CONNECTIONS_PER_ADDRESS",
        "1 to 1000000",
        Text("256"),
        "How many connections one client address (or IPv6 network of 64 bits) may have open; further ones are closed. Those of `APP_TRUSTED_PROXIES` are not counted.",
        "1000",
    ),
    row(
        "APP_DNS_SERVERS",
        "addresses with commas, each with a port or for port 53",
        Depends("those of the system"),
        "The DNS servers for outgoing requests.",
        "10.0.0.2,10.0.0.3:5353",
    ),
    row(
        "APP_ALLOWED_PRIVATE_TARGETS",
        "addresses and networks, each with an optional port, separated by commas",
        Text(""),
        "Private addresses that webhooks and imports may connect to, for example a receiver on this machine during development. Reserved names (`localhost`) stay blocked: use the address. The well-known port of another protocol has to be named. A network does not include the metadata services of clouds in it (169.254.169.254 and others): their addresses have to be named one by one.",
        "127.0.0.1:3000,10.20.0.0/16,[fd00::/8]:8080",
    ),
];
