//! Signatures of webhook deliveries: `X-Webhook-Signature`, and that of Standard Webhooks
//! (standardwebhooks.com, specification 1.0).

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretSlice};
use sha2::Sha256;

/// The prefix of a secret of Standard Webhooks; its key follows in base64.
const STANDARD_PREFIX: &[u8] = b"whsec_";

/// Signs deliveries to one receiver. The secret is hashed once, here: that is half of the work, and a
/// receiver gets many deliveries.
#[derive(Clone)]
pub struct Signer {
    plain: Hmac<Sha256>,
    standard: Hmac<Sha256>,
}

impl Signer {
    /// A signer with the secret of a receiver.
    pub fn new(secret: &SecretSlice<u8>) -> Self {
        let secret = secret.expose_secret();
        let decoded = secret.strip_prefix(STANDARD_PREFIX).and_then(|s| STANDARD.decode(s).ok());
        Self { plain: keyed(secret), standard: keyed(decoded.as_deref().unwrap_or(secret)) }
    }

    /// The value of `X-Webhook-Signature`: HMAC-SHA256 of the body in lower-case hexadecimal. The key is the
    /// secret as it was given.
    pub fn hex(&self, body: &[u8]) -> String {
        let mut mac = self.plain.clone();
        mac.update(body);
        hex::encode(mac.finalize().into_bytes())
    }

    /// The value of `webhook-signature`, over the id, the time of the attempt (Unix seconds) and the body.
    /// The key of a secret that begins with `whsec_` is the base64 behind it.
    pub fn standard(&self, id: &str, at: i64, body: &[u8]) -> String {
        let mut mac = self.standard.clone();
        mac.update(format!("{id}.{at}.").as_bytes());
        mac.update(body);
        format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
    }
}

fn keyed(key: &[u8]) -> Hmac<Sha256> {
    // HMAC takes a key of any length, so the fallback is never used.
    Hmac::new_from_slice(key).unwrap_or_else(|_| Hmac::new(&hmac::digest::Key::<Hmac<Sha256>>::default()))
}

#[cfg(test)]
mod tests {
    use super::Signer;

    fn signer(secret: &str) -> Signer {
        Signer::new(&secret.as_bytes().to_vec().into())
    }

    /// RFC 4231, test case 2.
    #[test]
    fn our_signature_is_the_hmac_of_the_body_in_hexadecimal() {
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
        assert_eq!(signer("Jefe").hex(b"what do ya want for nothing?"), expected);
    }

    /// The example of the Standard Webhooks specification.
    #[test]
    fn the_standard_signature_is_that_of_the_specification() {
        let signer = signer("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let text = signer.standard("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(text, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }
}
