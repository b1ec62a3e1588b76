use super::{Claims, SessionTokens};
use crate::keys::Keys;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use domain::shared::{SessionId, UserId};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use uuid::Uuid;

const ISSUER: &str = "https://id.example.org";
const NOW: i64 = 1_795_249_200;

fn keys(byte: u8) -> Keys {
    Keys::new(vec![byte; 32].into())
}

fn tokens() -> SessionTokens {
    SessionTokens::new(&keys(7), ISSUER)
}

fn claims() -> Claims {
    Claims { sub: UserId(Uuid::from_u128(1)), sid: SessionId(Uuid::from_u128(2)), tv: 3, auth_time: NOW, iat: NOW, exp: NOW + 60 }
}

/// Signs any header and payload with the key of the server.
fn forged(header: &str, payload: &str) -> String {
    signed(&keys(7).derive("session-cookie/1"), header, payload)
}

fn signed(key: &[u8], header: &str, payload: &str) -> String {
    let body = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(payload));
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(body.as_bytes());
    format!("{body}.{}", URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes()))
}

const HEADER: &str = r#"{"alg":"HS256","typ":"session+jwt"}"#;

fn payload(changed: &[(&str, &str)]) -> String {
    let id = |n| Uuid::from_u128(n).to_string();
    let mut members = vec![
        ("iss", format!("\"{ISSUER}\"")),
        ("aud", "\"session\"".to_owned()),
        ("sub", format!("\"{}\"", id(1))),
        ("sid", format!("\"{}\"", id(2))),
        ("tv", "3".to_owned()),
        ("auth_time", NOW.to_string()),
        ("iat", NOW.to_string()),
        ("exp", (NOW + 60).to_string()),
    ];
    for (name, value) in changed {
        members.retain(|(member, _)| member != name);
        if !value.is_empty() {
            members.push((name, (*value).to_owned()));
        }
    }
    let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", members.join(","))
}

#[test]
fn a_token_of_ours_is_read_back_until_it_expires() {
    let token = tokens().sign(claims()).unwrap();
    assert_eq!(tokens().verify(&token, NOW + 59), Some(claims()));
    assert_eq!(tokens().verify(&token, NOW + 60), None);
    assert_eq!(tokens().verify(&forged(HEADER, &payload(&[])), NOW), Some(claims()));
}

#[test]
fn a_token_of_another_key_or_issuer_is_refused() {
    // Keys that everybody knows are among them: the empty key, and a public key.
    let public_key =
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n";
    for key in [b"", public_key.as_bytes(), br#"{"keys":[]}"#] {
        assert_eq!(tokens().verify(&signed(key, HEADER, &payload(&[])), NOW), None);
    }

    let token = SessionTokens::new(&keys(8), ISSUER).sign(claims()).unwrap();
    assert_eq!(tokens().verify(&token, NOW), None);
    let token = SessionTokens::new(&keys(7), "https://evil.example.org").sign(claims()).unwrap();
    assert_eq!(tokens().verify(&token, NOW), None);
}

#[test]
fn no_other_header_passes() {
    for header in [
        r#"{"alg":"none","typ":"session+jwt"}"#,
        r#"{"alg":"HS384","typ":"session+jwt"}"#,
        r#"{"alg":"RS256","typ":"session+jwt"}"#,
        r#"{"alg":"HS256","typ":"JWT"}"#,
        r#"{"alg":"HS256"}"#,
        r#"{"typ":"session+jwt"}"#,
        "[]",
        "",
    ] {
        assert_eq!(tokens().verify(&forged(header, &payload(&[])), NOW), None, "{header}");
    }
}

#[test]
fn claims_that_are_missing_or_of_another_kind_are_refused() {
    for (name, value) in [
        ("exp", ""),
        ("exp", "\"1996458800\""),
        ("exp", "1e20"),
        ("exp", "-1"),
        ("exp", "null"),
        ("iat", ""),
        ("iat", "\"x\""),
        ("iss", ""),
        ("iss", "\"https://evil.example.org\""),
        ("aud", ""),
        ("aud", "\"web-app\""),
        ("aud", "[\"session\"]"),
        ("sub", ""),
        ("sub", "7"),
        ("sid", ""),
        ("sid", "\"x\""),
        ("tv", "3.5"),
        ("tv", "99999999999"),
    ] {
        assert_eq!(tokens().verify(&forged(HEADER, &payload(&[(name, value)])), NOW), None, "{name} {value}");
    }
}

#[test]
fn a_damaged_token_is_refused() {
    let token = tokens().sign(claims()).unwrap();
    let (body, signature) = token.rsplit_once('.').unwrap();
    let broken = ["", ".", "..", "...", body, signature].map(str::to_owned);
    let broken = broken.into_iter().chain([format!("{body}."), format!("{token}="), format!("{token} "), "a".repeat(9000)]);
    for broken in broken {
        assert_eq!(tokens().verify(&broken, NOW), None, "{broken}");
    }
    for at in 0..token.len() {
        let mut bytes = token.clone().into_bytes();
        bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        // The last character of a segment carries unused bits, which some decoders ignore; ours must not.
        assert_eq!(tokens().verify(&changed, NOW), None, "changed at {at}");
    }
}
