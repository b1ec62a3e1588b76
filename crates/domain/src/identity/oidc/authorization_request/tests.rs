use super::{AuthorizationRequest, PromptValue, read, target};
use crate::{
    identity::oidc::{Clients, ResponseMode},
    shared::Parameters,
};
use proptest::prelude::*;

fn clients() -> Clients {
    Clients::parse(
        r#"[{"clientId":"web","redirectUris":["https://a.example/cb"],"requirePkce":false,"scopes":["openid","email","offline_access"],
             "grantTypes":["authorization_code","refresh_token"]}]"#,
    )
    .unwrap()
}

fn parameters(pairs: &[(&str, &str)]) -> Parameters {
    Parameters::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
}

fn with(more: &[(&str, &str)]) -> Result<AuthorizationRequest, &'static str> {
    let usual =
        [("client_id", "web"), ("redirect_uri", "https://a.example/cb"), ("response_type", "code"), ("scope", "openid email")];
    let given = |name: &str| more.iter().any(|(given, _)| *given == name);
    let pairs: Vec<_> = usual.iter().filter(|(name, _)| !given(name)).chain(more).copied().collect();
    let parameters = parameters(&pairs);
    let (client, target) = target(&parameters, &clients()).map_err(|fault| fault.code.name())?;
    read(&parameters, &client, target, &["https://api.example".to_owned()]).map_err(|refused| refused.fault.code.name())
}

#[test]
fn a_request_keeps_what_the_client_asked_for_and_may_ask_for() {
    let request = with(&[
        ("scope", "openid profile email email offline_access"),
        ("state", "s"),
        ("prompt", "login consent login"),
        ("max_age", "99999999999999"),
        ("ui_locales", "de en"),
        ("response_mode", "form_post"),
        ("resource", "https://api.example"),
    ])
    .unwrap();
    assert_eq!(request.scope.to_string(), "openid email offline_access");
    assert_eq!((request.target.state.as_deref(), request.target.mode), (Some("s"), ResponseMode::FormPost));
    assert_eq!(request.prompts, [PromptValue::Login, PromptValue::Consent]);
    assert_eq!((request.max_age, request.ui_locales.len(), request.resources.len()), (Some(u32::MAX), 2, 1));
}

#[test]
fn it_is_the_same_after_it_was_stored() {
    let request =
        with(&[("state", "s"), ("claims", r#"{"userinfo":{"name":null}}"#), ("prompt", "login"), ("max_age", "5")]).unwrap();
    let stored = serde_json::to_value(&request).unwrap();
    assert_eq!(serde_json::from_value::<AuthorizationRequest>(stored).unwrap(), request);
}

#[test]
fn without_openid_its_parameters_mean_nothing() {
    let request = with(&[("scope", "email"), ("nonce", "n"), ("max_age", "never"), ("claims", "{")]).unwrap();
    assert_eq!((&request.nonce, request.max_age, request.is_openid()), (&None, None, false));
}

proptest! {
    /// Nothing that is sent makes it panic, and what it accepts, the client may have.
    #[test]
    fn no_parameters_go_beyond_the_client(pairs in prop::collection::vec(("prompt|scope|max_age|claims|resource|code_challenge|state|nonce|x", "[ -~]{0,40}"), 0..6)) {
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if let Ok(request) = with(&pairs) {
            prop_assert!(request.scope.names().iter().all(|name| ["openid", "email", "offline_access"].contains(&name.as_str())));
            prop_assert!(!request.prompts_for(PromptValue::None) || request.prompts.len() == 1);
        }
    }
}

/// A request to a client that has to use PKCE and is not the operator's own.
fn with_strict(more: &[(&str, &str)]) -> Result<AuthorizationRequest, &'static str> {
    let clients = Clients::parse(
        r#"[{"clientId":"strict","redirectUris":["https://a.example/cb"],"requirePkce":true,"scopes":["openid","email","offline_access"],
             "consent":"explicit","grantTypes":["authorization_code","refresh_token"]}]"#,
    )
    .unwrap();
    let usual = [("client_id", "strict"), ("redirect_uri", "https://a.example/cb"), ("response_type", "code")];
    let pairs: Vec<_> = usual.iter().chain(more).copied().collect();
    let parameters = parameters(&pairs);
    let (client, target) = target(&parameters, &clients).map_err(|fault| fault.code.name())?;
    read(&parameters, &client, target, &[]).map_err(|refused| refused.fault.code.name())
}

#[test]
fn prompts_are_known_words_and_none_goes_alone() {
    for (word, prompt) in [
        ("none", PromptValue::None),
        ("login", PromptValue::Login),
        ("consent", PromptValue::Consent),
        ("select_account", PromptValue::SelectAccount),
        ("create", PromptValue::Create),
    ] {
        assert_eq!(with(&[("prompt", word)]).unwrap().prompts, [prompt], "{word}");
        assert_eq!(with(&[("prompt", &format!("{word} {word}"))]).unwrap().prompts, [prompt], "{word}");
    }
    for wrong in ["none login", "login none", "force"] {
        assert_eq!(with(&[("prompt", wrong)]).unwrap_err(), "invalid_request", "{wrong}");
    }
}

#[test]
fn a_challenge_is_of_the_method_s256_and_has_its_form() {
    let challenge = "aZ0-._~".repeat(7);
    let sent = |challenge: &str, method: &str| {
        let pairs = [("code_challenge", challenge), ("code_challenge_method", method)];
        with(&pairs).map(|request| request.code_challenge)
    };
    assert_eq!(sent(&challenge, "S256"), Ok(Some(challenge.clone())));
    assert_eq!(sent(&"x".repeat(43), "S256"), Ok(Some("x".repeat(43))));
    for (wrong, method) in [
        (challenge.as_str(), "plain"),
        (&challenge, ""),
        (&challenge, "s256"),
        (&"x".repeat(42), "S256"),
        (&"x".repeat(129), "S256"),
        (&format!("{}+", "x".repeat(43)), "S256"),
        (&format!("{}é", "x".repeat(43)), "S256"),
        ("", "S256"),
    ] {
        assert_eq!(sent(wrong, method), Err("invalid_request"), "{wrong} {method}");
    }
    assert_eq!(with(&[]).unwrap().code_challenge, None);
}

#[test]
fn a_client_that_has_to_use_pkce_cannot_leave_it_out() {
    let challenge = "x".repeat(43);
    let pkce = [("code_challenge", challenge.as_str()), ("code_challenge_method", "S256")];
    assert_eq!(with_strict(&[("scope", "openid")]).unwrap_err(), "invalid_request");
    assert_eq!(with_strict(&[&[("scope", "openid")], &pkce[..]].concat()).unwrap().code_challenge, Some(challenge.clone()));
}

#[test]
fn access_without_the_person_is_granted_with_consent_only() {
    let challenge = "x".repeat(43);
    let scope = |prompt: &str| {
        let pairs = [
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", "S256"),
            ("scope", "openid email offline_access"),
            ("prompt", prompt),
        ];
        with_strict(&pairs).unwrap().scope.to_string()
    };
    assert_eq!(scope("consent"), "openid email offline_access");
    assert_eq!(scope("login"), "openid email");
    // The operator's own client needs none.
    assert_eq!(with(&[("scope", "openid offline_access")]).unwrap().scope.to_string(), "openid offline_access");
}

#[test]
fn resources_are_known_ones_and_each_counts_once() {
    let known = "https://api.example";
    assert_eq!(with(&[("resource", known), ("resource", known), ("resource", "")]).unwrap().resources, [known]);
    assert_eq!(with(&[("resource", known), ("resource", "https://other.example")]).unwrap_err(), "invalid_target");
    assert_eq!(with(&[]).unwrap().resources, [""; 0]);
}
