//! Signatures of other parties: of clients, and of the keys that DPoP proofs bring along.
//!
//! The library checks the signature alone, because its whole check knows no `alg` by the name `Ed25519` (RFC
//! 9864), which this server publishes. The claims of these tokens have rules of their own in any case:
//! [`domain::identity::oidc::client_assertion`] and [`domain::identity::oidc::dpop`].

use domain::identity::oidc::{
    PublicJwk,
    jwk::{JwsAlgorithm, KeyMaterial},
};
use jsonwebtoken::{
    Algorithm, DecodingKey, crypto,
    errors::Result,
    jwk::{Jwk, ThumbprintHash},
};

/// Whether a signature in base64url is that of a message by the private key that belongs to this public one,
/// by this algorithm. `false` as well for a key that is none, and for an algorithm that the key is not for.
pub(super) fn verifies(key: &PublicJwk, algorithm: JwsAlgorithm, message: &str, signature: &str) -> bool {
    let by_library = match algorithm {
        JwsAlgorithm::Rs256 => Algorithm::RS256,
        JwsAlgorithm::Ps256 => Algorithm::PS256,
        JwsAlgorithm::Es256 => Algorithm::ES256,
        JwsAlgorithm::EdDsa => Algorithm::EdDSA,
    };
    let verify = |key| crypto::verify(signature, message.as_bytes(), &key, by_library);
    key.verifies(algorithm) && decoding_key(key).and_then(verify).unwrap_or(false)
}

/// The SHA-256 thumbprint of a key in base64url (RFC 7638); `None` for a key that is none.
pub fn thumbprint(key: &PublicJwk) -> Option<String> {
    let jwk = decoding_key(key).and_then(|key| Jwk::from_decoding_key(&key, None));
    jwk.and_then(|jwk| jwk.thumbprint(ThumbprintHash::SHA256)).ok()
}

fn decoding_key(key: &PublicJwk) -> Result<DecodingKey> {
    match &key.material {
        KeyMaterial::Rsa { n, e } => DecodingKey::from_rsa_components(n, e),
        KeyMaterial::P256 { x, y } => DecodingKey::from_ec_components(x, y),
        KeyMaterial::Ed25519 { x } => DecodingKey::from_ed_components(x),
    }
}

#[cfg(test)]
mod tests {
    use super::{thumbprint, verifies};
    use aws_lc_rs::{
        rand::SystemRandom,
        rsa::{KeySize, PublicKeyComponents},
        signature::{
            ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RSA_PSS_SHA256, RsaKeyPair,
        },
    };
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};
    use domain::identity::oidc::{
        PublicJwk,
        jwk::{JwsAlgorithm, KeyMaterial},
    };
    use strum::VariantArray;

    fn public(material: KeyMaterial) -> PublicJwk {
        PublicJwk { kid: None, alg: None, material }
    }

    /// A key of each kind with its signature of a message by each of its algorithms.
    fn signed(message: &str) -> Vec<(PublicJwk, JwsAlgorithm, String)> {
        let (random, message) = (SystemRandom::new(), message.as_bytes());
        let rsa = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let parts = PublicKeyComponents::<Vec<u8>>::from(rsa.public_key());
        let rsa_key = public(KeyMaterial::Rsa { n: BASE64.encode(parts.n), e: BASE64.encode(parts.e) });
        let rsa_signature = |padding| {
            let mut signature = vec![0; rsa.public_modulus_len()];
            rsa.sign(padding, &random, message, &mut signature).unwrap();
            BASE64.encode(signature)
        };
        let elliptic = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let point = elliptic.public_key().as_ref();
        let elliptic_key = public(KeyMaterial::P256 { x: BASE64.encode(&point[1..33]), y: BASE64.encode(&point[33..]) });
        let edwards = Ed25519KeyPair::generate().unwrap();
        let edwards_key = public(KeyMaterial::Ed25519 { x: BASE64.encode(edwards.public_key()) });
        vec![
            (rsa_key.clone(), JwsAlgorithm::Rs256, rsa_signature(&RSA_PKCS1_SHA256)),
            (rsa_key, JwsAlgorithm::Ps256, rsa_signature(&RSA_PSS_SHA256)),
            (elliptic_key, JwsAlgorithm::Es256, BASE64.encode(elliptic.sign(&random, message).unwrap())),
            (edwards_key, JwsAlgorithm::EdDsa, BASE64.encode(edwards.sign(message))),
        ]
    }

    #[test]
    fn a_signature_verifies_with_its_key_its_algorithm_and_its_message_alone() {
        let all = signed("message");
        for (index, (key, algorithm, signature)) in all.iter().enumerate() {
            assert!(verifies(key, *algorithm, "message", signature), "{algorithm:?}");
            assert!(!verifies(key, *algorithm, "Message", signature));
            assert!(!verifies(key, *algorithm, "message", signature.split_at(4).1));
            assert!(!verifies(key, *algorithm, "message", ""));
            assert!(!verifies(key, *algorithm, "message", &format!("{signature}=")));
            for (other, (other_key, other_algorithm, other_signature)) in all.iter().enumerate() {
                if index != other {
                    assert!(!verifies(key, *algorithm, "message", other_signature), "{algorithm:?} {other_algorithm:?}");
                    let is_own = key == other_key;
                    assert!(is_own || !verifies(other_key, *algorithm, "message", signature), "{algorithm:?} {other_algorithm:?}");
                }
            }
        }
    }

    /// The example of RFC 8037, appendix A.3.
    #[test]
    fn a_thumbprint_is_that_of_the_standard() {
        let key = public(KeyMaterial::Ed25519 { x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo".to_owned() });
        assert_eq!(thumbprint(&key).unwrap(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
    }

    #[test]
    fn a_key_that_is_none_verifies_nothing() {
        let zeros = "A".repeat(43);
        let materials = [
            KeyMaterial::Rsa { n: "A".repeat(342), e: "AQAB".to_owned() },
            KeyMaterial::P256 { x: zeros.clone(), y: zeros.clone() },
            KeyMaterial::Ed25519 { x: zeros },
            KeyMaterial::Ed25519 { x: "not base64url!".to_owned() },
        ];
        for key in materials.map(public) {
            for &algorithm in JwsAlgorithm::VARIANTS {
                for length in [0, 64, 256] {
                    assert!(!verifies(&key, algorithm, "message", &BASE64.encode(vec![0; length])), "{key:?} {algorithm:?}");
                }
            }
        }
    }
}
