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
    let (client, target) = target(&parameters, &clients()).map_err(|fault| fault.code)?;
    read(&parameters, &client, target, &["https://api.example".to_owned()]).map_err(|refused| refused.fault.code)
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
