//! Public keys of others, as JSON Web Keys (RFC 7517): those that clients authenticate with, and those of
//! DPoP proofs.

use serde_json::{Map, Value};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// The fewest and the most characters of an RSA modulus in base64url: 2048 and 8192 bits.
const RSA_MODULUS: std::ops::RangeInclusive<usize> = 342..=1366;
/// How many characters 256 bits have in base64url.
const BITS_256: usize = 43;
/// The longest `kid`, in bytes.
const MAX_KID: usize = 200;

/// An algorithm that a signature of another party may have (RFC 7518, section 3.1, and RFC 8037, section
/// 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "UPPERCASE")]
pub enum JwsAlgorithm {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    Rs256,
    /// RSASSA-PSS with SHA-256.
    Ps256,
    /// ECDSA on P-256 with SHA-256.
    Es256,
    /// Ed25519.
    #[strum(to_string = "EdDSA", serialize = "Ed25519")]
    EdDsa,
}

impl JwsAlgorithm {
    /// Every value of `alg` that is understood. Ed25519 has two: the one of RFC 8037, and the newer one of
    /// RFC 9864.
    pub const NAMES: [&str; 5] = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"];
}

/// What a key is made of, each part in base64url as it was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyMaterial {
    Rsa {
        n: String,
        e: String,
    },
    /// A point on P-256.
    P256 {
        /// The first coordinate.
        x: String,
        y: String,
    },
    /// An Ed25519 key.
    Ed25519 {
        x: String,
    },
}

/// A public key that verifies signatures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicJwk {
    /// `kid`: its name among the keys of its owner.
    pub kid: Option<String>,
    /// `alg`: the only algorithm that it may be used with, if it says one.
    pub alg: Option<JwsAlgorithm>,
    pub material: KeyMaterial,
}

impl PublicJwk {
    /// Reads a JSON Web Key. The error completes a sentence that begins with the key.
    pub fn parse(jwk: &Map<String, Value>) -> Result<Self, &'static str> {
        if ["d", "p", "q", "dp", "dq", "qi", "oth", "k"].iter().any(|private| jwk.contains_key(*private)) {
            return Err("has a private part: only the public key belongs here");
        }
        let text = |name: &str| jwk.get(name).and_then(Value::as_str);
        if jwk.get("use").is_some_and(|purpose| purpose != "sig") {
            return Err("is not for signatures (\"use\" is not \"sig\")");
        }
        let coordinate = |name| text(name).filter(|part| part.len() == BITS_256 && is_base64url(part)).map(str::to_owned);
        let material = match (text("kty"), text("crv")) {
            (Some("RSA"), _) => {
                let n = text("n").filter(|n| RSA_MODULUS.contains(&n.len()) && is_base64url(n));
                let e = text("e").filter(|e| (1..=8).contains(&e.len()) && is_base64url(e));
                n.zip(e).map(|(n, e)| KeyMaterial::Rsa { n: n.to_owned(), e: e.to_owned() })
            }
            (Some("EC"), Some("P-256")) => coordinate("x").zip(coordinate("y")).map(|(x, y)| KeyMaterial::P256 { x, y }),
            (Some("OKP"), Some("Ed25519")) => coordinate("x").map(|x| KeyMaterial::Ed25519 { x }),
            _ => return Err("is neither RSA nor on P-256 nor on Ed25519"),
        };
        let material = material.ok_or("lacks a part, or a part has the wrong length (RSA keys need 2048 to 8192 bits)")?;
        let kid = match jwk.get("kid") {
            None => None,
            Some(Value::String(kid)) if kid.len() <= MAX_KID => Some(kid.clone()),
            Some(_) => return Err("has a kid that is no string of at most 200 bytes"),
        };
        let alg = match jwk.get("alg") {
            None => None,
            Some(alg) => {
                Some(alg.as_str().and_then(|alg| alg.parse().ok()).ok_or("has an alg other than RS256, PS256, ES256 and EdDSA")?)
            }
        };
        let key = Self { kid, alg: None, material };
        if alg.is_some_and(|alg| !key.verifies(alg)) {
            return Err("has an alg that does not fit its kty");
        }
        Ok(Self { alg, ..key })
    }

    /// Whether signatures of this algorithm may be checked with it.
    pub fn verifies(&self, algorithm: JwsAlgorithm) -> bool {
        let fits = match self.material {
            KeyMaterial::Rsa { .. } => matches!(algorithm, JwsAlgorithm::Rs256 | JwsAlgorithm::Ps256),
            KeyMaterial::P256 { .. } => algorithm == JwsAlgorithm::Es256,
            KeyMaterial::Ed25519 { .. } => algorithm == JwsAlgorithm::EdDsa,
        };
        fits && self.alg.is_none_or(|alg| alg == algorithm)
    }
}

fn is_base64url(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::{JwsAlgorithm, PublicJwk};
    use serde_json::{Value, json};
    use strum::VariantArray;

    fn parse(jwk: Value) -> Result<PublicJwk, &'static str> {
        PublicJwk::parse(jwk.as_object().unwrap())
    }

    fn rsa() -> Value {
        json!({ "kty": "RSA", "n": "n".repeat(342), "e": "AQAB", "kid": "one" })
    }

    #[test]
    fn a_key_verifies_the_algorithms_of_its_kind_and_only_its_own_if_it_names_one() {
        let algorithms = |jwk: Value| {
            let key = parse(jwk).unwrap();
            JwsAlgorithm::VARIANTS.iter().copied().filter(|alg| key.verifies(*alg)).map(<&str>::from).collect::<Vec<_>>()
        };
        let part = "x".repeat(43);
        assert_eq!(algorithms(rsa()), ["RS256", "PS256"]);
        assert_eq!(algorithms(json!({ "kty": "EC", "crv": "P-256", "x": part, "y": part })), ["ES256"]);
        assert_eq!(algorithms(json!({ "kty": "OKP", "crv": "Ed25519", "x": part, "use": "sig" })), ["EdDSA"]);
        let mut named = rsa();
        named["alg"] = json!("PS256");
        assert_eq!(algorithms(named), ["PS256"]);
    }

    #[test]
    fn every_name_that_is_published_is_understood() {
        assert!(JwsAlgorithm::NAMES.into_iter().all(|name| name.parse::<JwsAlgorithm>().is_ok()));
        assert!(JwsAlgorithm::VARIANTS.iter().copied().all(|algorithm| JwsAlgorithm::NAMES.contains(&algorithm.into_str())));
        assert_eq!("Ed25519".parse(), Ok(JwsAlgorithm::EdDsa));
        assert!(["none", "HS256", "ed25519", ""].into_iter().all(|name| name.parse::<JwsAlgorithm>().is_err()));
    }

    #[test]
    fn what_is_no_public_key_for_signatures_is_refused() {
        let part = "x".repeat(43);
        let mut changed = Vec::new();
        for (name, value) in [
            ("d", json!("AQAB")),
            ("n", json!("n".repeat(341))),
            ("n", json!("n".repeat(1367))),
            ("n", json!("+".repeat(342))),
            ("e", json!("")),
            ("e", json!(65537)),
            ("use", json!("enc")),
            ("alg", json!("HS256")),
            ("alg", json!("none")),
            ("alg", json!("ES256")),
            ("kid", json!(1)),
            ("kty", json!("rsa")),
        ] {
            let mut jwk = rsa();
            jwk[name] = value;
            changed.push(jwk);
        }
        changed.extend([
            json!({}),
            json!({ "kty": "oct", "k": "AAAA" }),
            json!({ "kty": "EC", "crv": "P-256", "x": part }),
            json!({ "kty": "EC", "crv": "P-384", "x": part, "y": part }),
            json!({ "kty": "OKP", "crv": "X25519", "x": part }),
            json!({ "kty": "OKP", "crv": "Ed25519", "x": "short" }),
        ]);
        for jwk in changed {
            assert!(parse(jwk.clone()).is_err(), "{jwk}");
        }
    }
}
