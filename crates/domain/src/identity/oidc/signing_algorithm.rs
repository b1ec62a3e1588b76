//! The algorithms that tokens are signed with.

use std::{fmt, str::FromStr};

/// A signature algorithm of JOSE (RFC 7518, section 3.1, and RFC 8037, section 3.1). A client chooses one; RS256 is what every client understands
/// (OpenID Connect Core 1.0, section 15.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum SigningAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256; the keys have 2048 bits.
    #[default]
    Rs256,
    /// ECDSA with P-256 and SHA-256.
    Es256,
    /// Ed25519.
    EdDsa,
}

impl SigningAlgorithm {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rs256, Self::Es256, Self::EdDsa];

    /// The name in the header of a token, in metadata and in the database.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rs256 => "RS256",
            Self::Es256 => "ES256",
            Self::EdDsa => "EdDSA",
        }
    }

    /// The algorithm of a name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }
}

impl fmt::Display for SigningAlgorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for SigningAlgorithm {
    type Err = String;

    /// The error is a piece of a sentence for the operator.
    fn from_str(name: &str) -> Result<Self, String> {
        Self::of(name).ok_or_else(|| format!("must be one of {}", Self::ALL.map(Self::name).join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::SigningAlgorithm;

    #[test]
    fn names_are_those_of_jose_in_their_one_spelling() {
        for algorithm in SigningAlgorithm::ALL {
            assert_eq!(algorithm.name().parse(), Ok(algorithm));
        }
        for name in ["", "none", "rs256", "EDDSA", "HS256", "RS256 "] {
            assert_eq!(name.parse::<SigningAlgorithm>().unwrap_err(), "must be one of RS256, ES256, EdDSA", "{name}");
        }
    }
}
