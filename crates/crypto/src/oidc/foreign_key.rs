//! Signatures of other parties: of clients, and of the keys that DPoP proofs bring along.

use crate::digest;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PSS_2048_8192_SHA256, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::identity::oidc::{
    PublicJwk,
    jwk::{JwsAlgorithm, KeyMaterial},
};

/// Whether a message was signed with the private key that belongs to this public one, by this algorithm. `false` as well for a key that is none, and for
/// an algorithm that the key is not for.
pub fn verifies(key: &PublicJwk, algorithm: JwsAlgorithm, message: &[u8], signature: &[u8]) -> bool {
    key.verifies(algorithm) && check(&key.material, algorithm, message, signature).is_some()
}

/// The SHA-256 thumbprint of a key in base64url (RFC 7638).
pub fn thumbprint(key: &PublicJwk) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(digest::sha256(key.thumbprint_input().as_bytes()))
}

fn check(material: &KeyMaterial, algorithm: JwsAlgorithm, message: &[u8], signature: &[u8]) -> Option<()> {
    let decode = |part: &str| BASE64_URL_SAFE_NO_PAD.decode(part).ok();
    let checked = match material {
        KeyMaterial::Rsa { n, e } => {
            let components = RsaPublicKeyComponents { n: decode(n)?, e: decode(e)? };
            let parameters = if algorithm == JwsAlgorithm::Ps256 { &RSA_PSS_2048_8192_SHA256 } else { &RSA_PKCS1_2048_8192_SHA256 };
            components.verify(parameters, message, signature)
        }
        KeyMaterial::P256 { x, y } => {
            // An uncompressed point: 4, and both coordinates (SEC 1, section 2.3.3).
            let (x, y) = (decode(x)?, decode(y)?);
            let point = [&[4], x.as_slice(), &y].concat();
            UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature)
        }
        KeyMaterial::Ed25519 { x } => UnparsedPublicKey::new(&ED25519, decode(x)?).verify(message, signature),
    };
    checked.ok()
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

    fn public(material: KeyMaterial) -> PublicJwk {
        PublicJwk { kid: None, alg: None, material }
    }

    /// A key of each kind with its signature of a message by each of its algorithms.
    fn signed(message: &[u8]) -> Vec<(PublicJwk, JwsAlgorithm, Vec<u8>)> {
        let random = SystemRandom::new();
        let rsa = RsaKeyPair::generate(KeySize::Rsa2048).unwrap();
        let parts = PublicKeyComponents::<Vec<u8>>::from(rsa.public_key());
        let rsa_key = public(KeyMaterial::Rsa { n: BASE64.encode(parts.n), e: BASE64.encode(parts.e) });
        let rsa_signature = |padding| {
            let mut signature = vec![0; rsa.public_modulus_len()];
            rsa.sign(padding, &random, message, &mut signature).unwrap();
            signature
        };
        let elliptic = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).unwrap();
        let point = elliptic.public_key().as_ref();
        let elliptic_key = public(KeyMaterial::P256 { x: BASE64.encode(&point[1..33]), y: BASE64.encode(&point[33..]) });
        let edwards = Ed25519KeyPair::generate().unwrap();
        let edwards_key = public(KeyMaterial::Ed25519 { x: BASE64.encode(edwards.public_key()) });
        vec![
            (rsa_key.clone(), JwsAlgorithm::Rs256, rsa_signature(&RSA_PKCS1_SHA256)),
            (rsa_key, JwsAlgorithm::Ps256, rsa_signature(&RSA_PSS_SHA256)),
            (elliptic_key, JwsAlgorithm::Es256, elliptic.sign(&random, message).unwrap().as_ref().to_vec()),
            (edwards_key, JwsAlgorithm::EdDsa, edwards.sign(message).as_ref().to_vec()),
        ]
    }

    #[test]
    fn a_signature_verifies_with_its_key_its_algorithm_and_its_message_alone() {
        let all = signed(b"message");
        for (index, (key, algorithm, signature)) in all.iter().enumerate() {
            assert!(verifies(key, *algorithm, b"message", signature), "{algorithm:?}");
            assert!(!verifies(key, *algorithm, b"Message", signature));
            assert!(!verifies(key, *algorithm, b"message", &signature[1..]));
            assert!(!verifies(key, *algorithm, b"message", b""));
            for (other, (other_key, other_algorithm, other_signature)) in all.iter().enumerate() {
                if index != other {
                    assert!(!verifies(key, *algorithm, b"message", other_signature), "{algorithm:?} {other_algorithm:?}");
                    let is_own = key == other_key;
                    assert!(is_own || !verifies(other_key, *algorithm, b"message", signature), "{algorithm:?} {other_algorithm:?}");
                }
            }
        }
    }

    /// The example of RFC 8037, appendix A.3.
    #[test]
    fn a_thumbprint_is_that_of_the_standard() {
        let key = public(KeyMaterial::Ed25519 { x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo".to_owned() });
        assert_eq!(thumbprint(&key), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
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
            for algorithm in JwsAlgorithm::ALL {
                for length in [0, 64, 256] {
                    assert!(!verifies(&key, algorithm, b"message", &vec![0; length]), "{key:?} {algorithm:?}");
                }
            }
        }
    }
}
