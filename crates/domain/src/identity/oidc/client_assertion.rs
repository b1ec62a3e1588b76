//! Assertions that clients authenticate with: `private_key_jwt` (RFC 7523, section 3, and OpenID Connect Core
//! 1.0, section 9).

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// The value of `client_assertion_type`.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/// How far in the future an assertion may expire. It bounds how long used ones have to be remembered.
const MAX_LIFETIME: SignedDuration = SignedDuration::from_mins(5);
/// How far the clocks of client and server may be apart.
pub const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(15);
/// The longest `jti`, in bytes.
const MAX_JTI: usize = 512;

/// The claim `aud`: one value, or a list of them (RFC 7519, section 4.1.3).
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Audience {
    One(String),
    Many(Vec<String>),
}

impl Audience {
    /// The only value. An assertion for several servers could be used at this one by any of the others, so
    /// `None` for a longer list.
    fn only(&self) -> Option<&str> {
        match self {
            Self::One(audience) => Some(audience),
            Self::Many(audiences) => match audiences.as_slice() {
                [audience] => Some(audience),
                _ => None,
            },
        }
    }
}

/// The claims of an assertion.
#[derive(Debug, Clone, Deserialize)]
pub struct AssertionClaims {
    pub iss: String,
    pub sub: String,
    pub aud: Audience,
    /// When it expires, in Unix seconds.
    pub exp: i64,
    /// When it becomes valid, in Unix seconds.
    #[serde(default)]
    pub nbf: Option<i64>,
    /// When it was made, in Unix seconds.
    #[serde(default)]
    pub iat: Option<i64>,
    /// Its name, which the client never gives twice.
    pub jti: String,
}

impl AssertionClaims {
    /// Whether the claims authenticate a client at a server that answers to these audiences. The error is for
    /// the client's developer.
    pub fn check(&self, client_id: &str, audiences: &[String], now: Timestamp) -> Result<(), &'static str> {
        let (earliest, latest) = (after(now, -CLOCK_TOLERANCE), after(now, CLOCK_TOLERANCE));
        if self.iss != client_id || self.sub != client_id {
            return Err("iss and sub of the client assertion must be the client_id");
        }
        if !self.aud.only().is_some_and(|audience| audiences.iter().any(|own| own == audience)) {
            return Err("aud of the client assertion must be the issuer, and nothing else");
        }
        if self.exp <= earliest.as_second() {
            return Err("The client assertion has expired");
        }
        if self.exp > after(latest, MAX_LIFETIME).as_second() {
            return Err("exp of the client assertion is more than 5 minutes ahead");
        }
        if [self.nbf, self.iat].into_iter().flatten().any(|since| since > latest.as_second()) {
            return Err("The client assertion is not valid yet");
        }
        if self.jti.is_empty() || self.jti.len() > MAX_JTI {
            return Err("jti of the client assertion must have 1 to 512 bytes");
        }
        Ok(())
    }

    /// Until when its `jti` has to be remembered: from then on it is refused for its age.
    pub fn remembered_until(&self) -> Timestamp {
        Timestamp::from_second(self.exp).map_or(Timestamp::MAX, |exp| after(exp, CLOCK_TOLERANCE))
    }
}

fn after(time: Timestamp, duration: SignedDuration) -> Timestamp {
    time.saturating_add(duration).unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::AssertionClaims;
    use jiff::Timestamp;
    use serde_json::{Value, json};

    const NOW: i64 = 1_800_000_000;

    fn check(changes: Value) -> Result<(), &'static str> {
        let mut claims = json!({ "iss": "job", "sub": "job", "aud": "https://id.example", "exp": NOW + 60, "jti": "1" });
        claims.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        let claims: AssertionClaims = serde_json::from_value(claims).map_err(|_| "cannot be read")?;
        let audiences = ["https://id.example".to_owned(), "https://id.example/oidc/token".to_owned()];
        claims.check("job", &audiences, Timestamp::from_second(NOW).unwrap())
    }

    #[test]
    fn an_assertion_names_the_client_and_this_server_and_is_young() {
        for right in [
            json!({}),
            json!({ "aud": ["https://id.example"] }),
            json!({ "aud": "https://id.example/oidc/token" }),
            json!({ "exp": NOW + 315, "iat": NOW + 15, "nbf": NOW }),
            json!({ "exp": NOW - 14 }),
            json!({ "more": { "than": "that" } }),
        ] {
            assert_eq!(check(right.clone()), Ok(()), "{right}");
        }
        for wrong in [
            json!({ "iss": "other" }),
            json!({ "sub": "other" }),
            json!({ "sub": null }),
            json!({ "aud": "https://id.example/" }),
            json!({ "aud": "https://elsewhere.example" }),
            json!({ "aud": [] }),
            json!({ "aud": ["https://id.example", "https://elsewhere.example"] }),
            json!({ "exp": NOW - 15 }),
            json!({ "exp": NOW + 316 }),
            json!({ "exp": i64::MAX }),
            json!({ "exp": i64::MIN }),
            json!({ "exp": "soon" }),
            json!({ "nbf": NOW + 16 }),
            json!({ "iat": NOW + 16 }),
            json!({ "jti": "" }),
            json!({ "jti": null }),
            json!({ "jti": "x".repeat(513) }),
        ] {
            assert!(check(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
