//! Looking at the mail server without sending: what an operator wants to know when mails do not arrive.

use super::{Failure, Security};

/// The server as it is configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerDescription {
    /// The host name or IP address.
    pub host: String,
    pub port: u16,
    /// How the connection is protected.
    pub security: Security,
    /// Whether the server's certificate has to be valid.
    pub verify_certificate: bool,
    /// Whether this server authenticates.
    pub has_credentials: bool,
}

/// What a probe has found.
#[derive(Debug, Clone, Default)]
pub struct Probe {
    /// What was seen of TLS, whatever came after it.
    pub tls: TlsFacts,
    /// Why no mail could be sent now. `None` when the server greets, encrypts and authenticates as it is
    /// configured.
    pub failure: Option<Failure>,
}

/// TLS as it was measured in the handshake.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TlsFacts {
    /// The version, such as `TLSv1.3`; `None` when the connection is not encrypted.
    pub protocol: Option<&'static str>,
    /// Whether the certificate is valid for the host; `None` when none was shown.
    pub certificate: Option<Result<(), String>>,
}
