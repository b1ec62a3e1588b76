//! What a token that the provider signs is for.

/// The `typ` in the header of a token. A token of one type is never accepted as another (RFC 8725, section 3.11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenType {
    /// An ID token (OpenID Connect Core 1.0, section 2).
    Id,
    /// An access token (RFC 9068, section 2.1).
    Access,
    /// A logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4).
    Logout,
    /// The signed answer to an introspection (RFC 9701, section 5).
    Introspection,
}

impl TokenType {
    /// The value of `typ`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Id => "JWT",
            Self::Access => "at+jwt",
            Self::Logout => "logout+jwt",
            Self::Introspection => "token-introspection+jwt",
        }
    }
}
