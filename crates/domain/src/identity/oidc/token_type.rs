//! What a token that the provider signs is for.

use strum::IntoStaticStr;

/// The `typ` in the header of a token. A token of one type is never accepted as another (RFC 8725, section
/// 3.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(const_into_str)]
pub enum TokenType {
    /// An ID token (OpenID Connect Core 1.0, section 2).
    #[strum(serialize = "JWT")]
    Id,
    /// An access token (RFC 9068, section 2.1).
    #[strum(serialize = "at+jwt")]
    Access,
    /// A logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4).
    #[strum(serialize = "logout+jwt")]
    Logout,
    /// The signed answer to an introspection (RFC 9701, section 5).
    #[strum(serialize = "token-introspection+jwt")]
    Introspection,
}
