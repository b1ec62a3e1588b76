//! Authenticator apps: codes of six digits that change every 30 seconds (RFC 6238 with SHA-1, which is what
//! all apps can do).

use domain::shared::{Entropy, Fault};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use secrecy::{ExposeSecret, SecretSlice, SecretString};
use totp_rs::{Builder, Totp};

/// The length of a secret that RFC 4226 recommends, in bytes.
const SECRET: usize = 20;
/// How long a code is shown, in seconds.
const STEP: u64 = 30;
/// How many steps an app's clock may be wrong, in either direction.
const SKEW: u16 = 1;
/// What needs no escape in a label or a query (RFC 3986, section 2.3).
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A new secret.
pub fn new_secret(entropy: &dyn Entropy) -> SecretSlice<u8> {
    let mut secret = vec![0; SECRET];
    entropy.fill(&mut secret);
    secret.into()
}

/// What an app shows that holds a secret.
pub struct Authenticator(Totp);

impl Authenticator {
    /// Makes the generator of a secret; an error when the secret is too short.
    pub fn new(secret: &SecretSlice<u8>) -> Result<Self, Fault> {
        let builder = Builder::new().with_secret(secret.expose_secret().to_vec()).with_skew(SKEW).with_step_duration(STEP);
        builder.build().map(Self).map_err(|error| Fault::internal(format!("authenticator secret: {error}")))
    }

    /// The secret as people type it: base32 (RFC 4648) without padding.
    pub fn secret(&self) -> SecretString {
        self.0.secret().to_base32().into()
    }

    /// What the app reads from a QR code: the secret, and what to show beside its codes. It says what apps
    /// take for granted as well, because one or another does not.
    pub fn uri(&self, issuer: &str, account: &str) -> SecretString {
        let (issuer, account) = (utf8_percent_encode(issuer, ESCAPED), utf8_percent_encode(account, ESCAPED));
        let secret = self.0.secret().to_base32();
        format!("otpauth://totp/{issuer}:{account}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period={STEP}").into()
    }

    /// The step that a code belongs to, if it is one of now (Unix seconds), of the step before or of the step
    /// after. Who accepts it has to remember the step: a code is good once (RFC 6238, section 5.2).
    pub fn step_of(&self, code: &str, now: i64) -> Option<i64> {
        let now = u64::try_from(now).ok()?;
        self.0.check(code, now).and_then(|step| i64::try_from(step).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::{Authenticator, new_secret};
    use crate::random::SystemEntropy;
    use secrecy::{ExposeSecret, SecretSlice};

    fn of_the_rfc() -> Authenticator {
        Authenticator::new(&SecretSlice::from(b"12345678901234567890".to_vec())).unwrap()
    }

    #[test]
    fn the_vectors_of_rfc_6238() {
        for (time, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(of_the_rfc().step_of(code, time), Some(time / 30), "{time}");
        }
    }

    #[test]
    fn a_code_holds_in_its_step_and_in_the_ones_beside_it() {
        let step = |now| of_the_rfc().step_of("081804", now);
        let its_own = 1_111_111_109 / 30;
        for second in [0, 29, -1, -30, 30, 59] {
            assert_eq!(step(its_own * 30 + second), Some(its_own), "{second}");
        }
        for second in [-31, 60, 3600] {
            assert_eq!(step(its_own * 30 + second), None, "{second}");
        }
        assert_eq!(step(-1), None);
    }

    #[test]
    fn only_six_ascii_digits_are_a_code() {
        for code in ["", "81804", "0081804", "+81804", "08180a", " 081804", "0818-4", "٠٨١٨٠٤", "０８１８０４"] {
            assert_eq!(of_the_rfc().step_of(code, 1_111_111_109), None, "{code}");
        }
    }

    #[test]
    fn an_app_gets_the_secret_and_what_to_call_it() {
        let app = of_the_rfc();
        assert_eq!(app.secret().expose_secret(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert_eq!(
            app.uri("Häuser & Co", "ann+x@example.org").expose_secret(),
            "otpauth://totp/H%C3%A4user%20%26%20Co:ann%2Bx%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=H%C3%A4user%20%26%20Co&algorithm=SHA1&digits=6&period=30"
        );
    }

    #[test]
    fn secrets_have_160_bits_and_short_ones_are_none() {
        let (one, other) = (new_secret(&SystemEntropy), new_secret(&SystemEntropy));
        assert_eq!(one.expose_secret().len(), 20);
        assert_ne!(one.expose_secret(), other.expose_secret());
        assert!(Authenticator::new(&SecretSlice::from(vec![1; 15])).is_err());
    }
}
