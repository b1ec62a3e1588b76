//! Errors in the words of OAuth: `error` and `error_description` (RFC 6749, section 5.2), in the body and in
//! `WWW-Authenticate` (RFC 6750, section 3).

use domain::shared::{Challenge, Fault, Kind, Language};
use http::HeaderValue;
use pages::fault_text::message;
use serde_json::{Value, json};

/// The body of an error.
pub(super) fn body(fault: &Fault) -> Value {
    json!({ "error": code(fault), "error_description": description(&message(Language::English, fault)) })
}

/// The value of `WWW-Authenticate`. A request without any credential is told no error (RFC 6750, section
/// 3.1).
pub(super) fn challenge(scheme: Challenge, fault: &Fault) -> HeaderValue {
    let plain = HeaderValue::from_static(scheme.header());
    let parameter = |name: &str, value: &str| format!("{name}=\"{}\"", description(value));
    let mut parameters: Vec<String> = fault.realm.iter().map(|realm| parameter("realm", realm)).collect();
    if fault.code.is_of_oauth() {
        parameters.push(parameter("error", code(fault)));
        if scheme == Challenge::Bearer {
            parameters.push(parameter("error_description", &message(Language::English, fault)));
        }
    }
    if parameters.is_empty() {
        return plain;
    }
    HeaderValue::from_str(&format!("{} {}", scheme.scheme(), parameters.join(", "))).unwrap_or(plain)
}

/// The code of OAuth for a fault: its own, or the one of its kind.
pub(crate) fn code(fault: &Fault) -> &'static str {
    match fault.kind() {
        _ if fault.code.is_of_oauth() => fault.code.name(),
        Kind::Unauthorized if fault.challenge == Some(Challenge::Bearer) => "invalid_token",
        Kind::Unauthorized => "invalid_client",
        Kind::Forbidden => "access_denied",
        Kind::Internal => "server_error",
        Kind::Unavailable | Kind::TooMany => "temporarily_unavailable",
        _ => "invalid_request",
    }
}

/// A sentence in the characters that a description may have: printable ASCII without `"` and `\`.
pub(crate) fn description(sentence: &str) -> String {
    let allowed = |c: char| match c {
        '"' => '\'',
        '\\' => '/',
        ' '..='~' => c,
        _ => '?',
    };
    sentence.chars().map(allowed).collect()
}

#[cfg(test)]
mod tests {
    use super::{Challenge, Fault, body, challenge};
    use domain::shared::{Code, FieldCode};
    use std::time::Duration;

    #[test]
    fn a_code_of_oauth_is_kept_and_any_other_fault_has_the_one_of_its_kind() {
        for (fault, code) in [
            (Fault::new(Code::InvalidGrant, "x"), "invalid_grant"),
            (Fault::new(Code::InvalidToken, "x"), "invalid_token"),
            (Fault::new(Code::BadEncoding, "x"), "invalid_request"),
            (Fault::not_found(), "invalid_request"),
            (Fault::invalid("a", FieldCode::Invalid, "c"), "invalid_request"),
            (Fault::unauthorized(), "invalid_client"),
            (Fault::forbidden("x"), "access_denied"),
            (Fault::too_many(Duration::from_secs(1)), "temporarily_unavailable"),
            (Fault::unavailable("x"), "temporarily_unavailable"),
            (Fault::internal("secret"), "server_error"),
        ] {
            assert_eq!(body(&fault)["error"], code, "{fault}");
            assert!(!body(&fault).to_string().contains("secret"));
        }
    }

    #[test]
    fn a_description_has_only_the_characters_that_it_may_have() {
        let fault = Fault::new(Code::InvalidScope, "The scope \"ä\\b\"\r\nx: y is not known\u{7f}");
        assert_eq!(body(&fault)["error_description"], "The scope '?/b'??x: y is not known?");
    }

    #[test]
    fn a_challenge_tells_the_error_unless_there_was_no_credential() {
        let refused = Fault::new(Code::InvalidToken, "The token has \"expired\"");
        let header = |fault: &Fault, scheme| challenge(scheme, fault).to_str().unwrap().to_owned();
        assert_eq!(
            header(&refused, Challenge::Bearer),
            "Bearer error=\"invalid_token\", error_description=\"The token has 'expired'\""
        );
        assert_eq!(header(&Fault::unauthorized(), Challenge::Bearer), "Bearer");
        assert_eq!(
            header(&Fault::unauthorized().in_realm("https://id.example"), Challenge::Bearer),
            "Bearer realm=\"https://id.example\""
        );
        let client = Fault::new(Code::InvalidClient, "No such client").in_realm("https://id.example");
        assert_eq!(header(&client, Challenge::Basic), "Basic realm=\"https://id.example\", error=\"invalid_client\"");
        assert_eq!(header(&Fault::unauthorized(), Challenge::Basic), "Basic realm=\"clients\"");
    }
}
