//! The algorithms that tokens are signed with.

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

/// A signature algorithm of JOSE (RFC 7518, section 3.1, and RFC 8037, section 3.1). A client chooses one;
/// RS256 is what every client understands (OpenID Connect Core 1.0, section 15.1). Its name is in the header
/// of a token, in metadata and in the database.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Default,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[strum(const_into_str, serialize_all = "UPPERCASE", parse_err_ty = String, parse_err_fn = unknown)]
pub enum SigningAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256; the keys have 2048 bits.
    #[default]
    Rs256,
    /// ECDSA with P-256 and SHA-256.
    Es256,
    /// Ed25519.
    #[strum(serialize = "EdDSA")]
    EdDsa,
}

/// What is said of a name that no algorithm has.
fn unknown(_name: &str) -> String {
    format!("must be one of {}", <SigningAlgorithm as VariantNames>::VARIANTS.join(", "))
}

#[cfg(test)]
mod tests {
    use super::SigningAlgorithm;
    use strum::VariantArray;

    #[test]
    fn names_are_those_of_jose_in_their_one_spelling() {
        for &algorithm in SigningAlgorithm::VARIANTS {
            assert_eq!(algorithm.into_str().parse(), Ok(algorithm));
        }
        for name in ["", "none", "rs256", "EDDSA", "HS256", "RS256 "] {
            assert_eq!(name.parse::<SigningAlgorithm>().unwrap_err(), "must be one of RS256, ES256, EdDSA", "{name}");
        }
    }
}
