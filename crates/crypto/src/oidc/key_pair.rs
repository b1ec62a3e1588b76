//! Key pairs, parsed once and used for many signatures.
//!
//! The library `jsonwebtoken`, which checks tokens, does not sign them: it is given a key as bytes and parses
//! it for each signature, which takes about as long as the signature. A `CryptoProvider` of ours would be
//! given the same bytes, so the parsed keys would have to stand in a variable of the whole process, where
//! private keys outlive the ring that has opened them, and which has to be set before any other part of the
//! process uses the library.

use super::PublicKey;
use aws_lc_rs::{
    encoding::AsDer,
    rand::SystemRandom,
    rsa::KeySize,
    signature::{
        ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
        RsaPublicKeyComponents,
    },
};
use domain::{identity::oidc::SigningAlgorithm, shared::Fault};
use jsonwebtoken::{Algorithm, DecodingKey};
use secrecy::SecretSlice;

/// A private key with its public one. Signatures take a constant time for any message.
pub struct KeyPair {
    pair: Pair,
    public: PublicKey,
}

enum Pair {
    Rsa(RsaKeyPair),
    Ec(EcdsaKeyPair),
    Ed(Ed25519KeyPair),
}

impl KeyPair {
    /// Generates a key pair. For RS256 that takes a core for a good part of a second: see
    /// [`super::SigningPool::generate`].
    pub fn generate(algorithm: SigningAlgorithm) -> Result<Self, Fault> {
        let failed = |_| Fault::internal("a signing key could not be generated");
        let pair = match algorithm {
            SigningAlgorithm::Rs256 => Pair::Rsa(RsaKeyPair::generate(KeySize::Rsa2048).map_err(failed)?),
            SigningAlgorithm::Es256 => Pair::Ec(EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).map_err(failed)?),
            SigningAlgorithm::EdDsa => Pair::Ed(Ed25519KeyPair::generate().map_err(failed)?),
        };
        Self::of(pair)
    }

    /// Parses what [`KeyPair::to_pkcs8`] wrote.
    pub fn from_pkcs8(algorithm: SigningAlgorithm, pkcs8: &[u8]) -> Result<Self, Fault> {
        let wrong = |_| Fault::internal("a stored signing key cannot be parsed");
        let pair = match algorithm {
            SigningAlgorithm::Rs256 => Pair::Rsa(RsaKeyPair::from_pkcs8(pkcs8).map_err(wrong)?),
            SigningAlgorithm::Es256 => Pair::Ec(EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, pkcs8).map_err(wrong)?),
            SigningAlgorithm::EdDsa => Pair::Ed(Ed25519KeyPair::from_pkcs8(pkcs8).map_err(wrong)?),
        };
        Self::of(pair)
    }

    /// The private key as PKCS#8 of version 1 (RFC 5208). For Ed25519 the library would write version 2,
    /// which much other software cannot read.
    pub fn to_pkcs8(&self) -> Result<SecretSlice<u8>, Fault> {
        let bytes = match &self.pair {
            Pair::Rsa(pair) => pair.as_der().map(|der| der.as_ref().to_vec()),
            Pair::Ec(pair) => pair.to_pkcs8v1().map(|der| der.as_ref().to_vec()),
            Pair::Ed(pair) => pair.to_pkcs8v1().map(|der| der.as_ref().to_vec()),
        };
        bytes.map(SecretSlice::from).map_err(|_| Fault::internal("a signing key cannot be serialised"))
    }

    /// The public key.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Whether a signature takes microseconds. One of RSA takes a millisecond.
    pub(super) fn is_quick(&self) -> bool {
        !matches!(self.pair, Pair::Rsa(_))
    }

    /// Signs a message. ECDSA signatures have the fixed form of RFC 7518, section 3.4.
    pub(super) fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Fault> {
        let random = SystemRandom::new();
        let signature = match &self.pair {
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public_modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature).map(|()| signature)
            }
            Pair::Ec(pair) => pair.sign(&random, message).map(|signature| signature.as_ref().to_vec()),
            Pair::Ed(pair) => pair.try_sign(message).map(|signature| signature.as_ref().to_vec()),
        };
        signature.map_err(|_| Fault::internal("a token could not be signed"))
    }

    fn of(pair: Pair) -> Result<Self, Fault> {
        let (algorithm, key) = match &pair {
            Pair::Rsa(pair) => {
                let RsaPublicKeyComponents { n, e } = RsaPublicKeyComponents::<Vec<u8>>::from(pair.public_key());
                (Algorithm::RS256, DecodingKey::from_rsa_raw_components(&n, &e))
            }
            Pair::Ec(pair) => (Algorithm::ES256, DecodingKey::from_ec_der(pair.public_key().as_ref())),
            Pair::Ed(pair) => (Algorithm::EdDSA, DecodingKey::from_ed_der(pair.public_key().as_ref())),
        };
        Ok(Self { public: PublicKey::new(algorithm, key)?, pair })
    }
}

impl std::fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeyPair({})", self.public.kid())
    }
}

#[cfg(test)]
mod tests;
