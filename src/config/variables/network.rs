//! Connections: where the server listens, its proxies and clients, and what it connects to itself.

use super::{Optional, Setting, settings};
use crate::config::syntax::{Address, Networks, Number, Origin, PrivateTargets, Resolvers};

settings! {
    APP_LISTEN: Setting<Address> = "127.0.0.1:8080",
        "Where the server listens. Port 0 takes a free one.",
        "0.0.0.0:80";
    APP_BASE_URL: Optional<Origin> = "`http://` and `APP_LISTEN`; `localhost` for 127.0.0.1 and every address, because passkeys need a name",
        "The public URL of the server: the issuer of sessions, and the origin that requests with cookies may come from. They may also come from the origin that they are sent to (their `Host`).",
        "https://cms.example.com";
    APP_TRUSTED_PROXIES: Setting<Networks> = "",
        "The proxies whose `X-Forwarded-For` is trusted. Otherwise the client address is that of the connection.",
        "10.0.0.0/8,192.0.2.1";
    APP_MAX_CONNECTIONS: Setting<Number<usize, 1, 1_000_000>> = "4096",
        "How many connections of clients may be open. Beyond that a new one takes the place of one of an address that has more, an idle one first, or waits to be accepted.",
        "10000";
    APP_MAX_CONNECTIONS_PER_ADDRESS: Setting<Number<usize, 1, 1_000_000>> = "256",
        "How many connections one client address (or IPv6 network of 64 bits) may have open; further ones are closed. Those of `APP_TRUSTED_PROXIES` are not counted.",
        "1000";
    APP_DNS_SERVERS: Optional<Resolvers> = "those of the system",
        "The DNS servers for outgoing requests.",
        "10.0.0.2,10.0.0.3:5353";
    APP_ALLOWED_PRIVATE_TARGETS: Setting<PrivateTargets> = "",
        "Private addresses that webhooks and imports may connect to, for example a receiver on this machine during development. Reserved names (`localhost`) stay blocked: use the address. The well-known port of another protocol has to be named. A network does not include the metadata services of clouds in it (169.254.169.254 and others): their addresses have to be named one by one.",
        "127.0.0.1:3000,10.20.0.0/16,[fd00::/8]:8080";
}
