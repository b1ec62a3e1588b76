//! Proofs that the sender of a request holds a key: DPoP (RFC 9449). An access token that is bound to the key
//! is of no use to a thief.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// The value of `typ` in the header of a proof.
pub const PROOF_TYPE: &str = "dpop+jwt";
/// How far the time of a proof may be from ours. It is wide, because the nonce shows that a proof is fresh
/// whatever the clock of its sender says; and it bounds how long used proofs have to be remembered.
pub const PROOF_WINDOW: SignedDuration = SignedDuration::from_mins(5);
/// The longest `jti`, in bytes.
const MAX_JTI: usize = 512;

/// The claims of a proof (RFC 9449, section 4.2).
#[derive(Debug, Clone, Deserialize)]
pub struct ProofClaims {
    /// Its name, which the sender never gives twice.
    pub jti: String,
    /// The method of the request.
    pub htm: String,
    /// The URI of the request, without query and fragment.
    pub htu: String,
    /// When it was made, in Unix seconds.
    pub iat: i64,
    /// The SHA-256 hash of the access token that it is sent with.
    #[serde(default)]
    pub ath: Option<String>,
    /// The value that this server gave out, to show that the proof was made after that.
    #[serde(default)]
    pub nonce: Option<String>,
}

impl ProofClaims {
    /// Whether the proof is for this request. `ath` is the hash of the access token, if the request has one.
    /// The error is for the client's developer.
    pub fn check(&self, method: &str, uri: &str, ath: Option<&str>, now: Timestamp) -> Result<(), &'static str> {
        if self.jti.is_empty() || self.jti.len() > MAX_JTI {
            return Err("jti of the DPoP proof must have 1 to 512 bytes");
        }
        if self.htm != method {
            return Err("htm of the DPoP proof is not the method of the request");
        }
        let target = self.htu.split(['?', '#']).next().unwrap_or_default();
        if target != uri {
            return Err("htu of the DPoP proof is not the URI of the request");
        }
        let age = now.as_second().saturating_sub(self.iat);
        if age > PROOF_WINDOW.as_secs() || age < -PROOF_WINDOW.as_secs() {
            return Err("iat of the DPoP proof is too far from now");
        }
        if ath.is_some() && self.ath.as_deref() != ath {
            return Err("ath of the DPoP proof is not the hash of the access token");
        }
        Ok(())
    }

    /// Until when its `jti` has to be remembered: from then on it is refused for its age.
    pub fn remembered_until(&self) -> Timestamp {
        let issued_at = Timestamp::from_second(self.iat).unwrap_or(Timestamp::MAX);
        issued_at.checked_add(PROOF_WINDOW + SignedDuration::from_secs(1)).unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::ProofClaims;
    use jiff::Timestamp;
    use serde_json::{Value, json};

    const NOW: i64 = 1_800_000_000;

    fn check(changes: &Value, ath: Option<&str>) -> Result<(), &'static str> {
        let mut claims = json!({ "jti": "1", "htm": "POST", "htu": "https://id.example/oidc/token", "iat": NOW });
        claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let claims: ProofClaims = serde_json::from_value(claims).map_err(|_| "cannot be read")?;
        claims.check("POST", "https://id.example/oidc/token", ath, Timestamp::from_second(NOW).unwrap())
    }

    #[test]
    fn a_proof_is_for_one_request_and_one_token() {
        for right in [
            json!({}),
            json!({ "htu": "https://id.example/oidc/token?a=b#c" }),
            json!({ "iat": NOW - 300 }),
            json!({ "iat": NOW + 300 }),
            json!({ "ath": "unused" }),
        ] {
            assert_eq!(check(&right, None), Ok(()), "{right}");
        }
        assert_eq!(check(&json!({ "ath": "x" }), Some("x")), Ok(()));
        for wrong in [
            json!({ "jti": "" }),
            json!({ "jti": "x".repeat(513) }),
            json!({ "htm": "post" }),
            json!({ "htm": "GET" }),
            json!({ "htu": "https://id.example/oidc/token/" }),
            json!({ "htu": "http://id.example/oidc/token" }),
            json!({ "htu": "https://evil.example/oidc/token" }),
            json!({ "iat": NOW - 301 }),
            json!({ "iat": NOW + 301 }),
            json!({ "iat": i64::MIN }),
            json!({ "iat": i64::MAX }),
            json!({ "iat": null }),
        ] {
            assert!(check(&wrong, None).is_err(), "{wrong}");
        }
        assert!(check(&json!({}), Some("x")).is_err() && check(&json!({ "ath": "y" }), Some("x")).is_err());
    }

    #[test]
    fn a_proof_is_remembered_for_as_long_as_it_could_be_used_again() {
        let claims: ProofClaims =
            serde_json::from_value(json!({"jti": "a", "htm": "POST", "htu": "https://id.example/token", "iat": NOW})).unwrap();
        let until = claims.remembered_until();
        let check = |at| claims.check("POST", "https://id.example/token", None, at).is_ok();
        assert!(check(Timestamp::from_second(NOW).unwrap()) && !check(until));
        assert!(check(until - jiff::SignedDuration::from_secs(1)));
    }

    #[test]
    fn a_name_of_512_bytes_is_not_too_long() {
        let with = |length: usize| {
            let claims: ProofClaims = serde_json::from_value(
                json!({"jti": "a".repeat(length), "htm": "POST", "htu": "https://id.example/token", "iat": NOW}),
            )
            .unwrap();
            claims.check("POST", "https://id.example/token", None, Timestamp::from_second(NOW).unwrap()).is_ok()
        };
        assert_eq!([0, 1, 512, 513].map(with), [false, true, true, false]);
    }
}
