use super::{AuthorizationStep, Prompt, Reason, SessionFacts, next_step};
use crate::{
    identity::oidc::{
        AuthorizationRequest, ClaimsRequest, Client, Clients, ResponseMode, ResponseTarget, Scope,
        authorization_request::PromptValue,
        interaction::{Confirmation, InteractionProgress},
    },
    shared::UserId,
};
use jiff::Timestamp;
use uuid::Uuid;

const ANN: UserId = UserId(Uuid::from_u128(1));
const BOB: UserId = UserId(Uuid::from_u128(2));

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn client(rest: &str) -> Client {
    let json = format!(r#"[{{"clientId":"web","redirectUris":["https://a.example/cb"],"roles":["editor"]{rest}}}]"#);
    Client::clone(Clients::parse(&json).unwrap().find("web").unwrap())
}

fn request() -> AuthorizationRequest {
    AuthorizationRequest {
        client_id: "web".to_owned(),
        target: ResponseTarget { redirect_uri: "https://a.example/cb".to_owned(), mode: ResponseMode::Query, state: None },
        scope: Scope::of(["openid", "email"]),
        nonce: None,
        code_challenge: None,
        dpop_jkt: None,
        prompts: Vec::new(),
        max_age: None,
        login_hint: None,
        ui_locales: Vec::new(),
        acr_values: Vec::new(),
        claims: ClaimsRequest::default(),
        resources: Vec::new(),
        hinted_user: None,
    }
}

/// Ann, who signed in at second 100 with a password.
fn ann() -> SessionFacts {
    SessionFacts {
        user: ANN,
        email: "ann@example.org".to_owned(),
        auth_at: at(100),
        methods: vec!["pwd".to_owned()],
        has_totp: false,
        has_passkey: false,
        roles: Vec::new(),
        consented: Scope::default(),
        remembered: Scope::default(),
    }
}

/// What comes next at second 160, as a word.
fn step(
    request: &AuthorizationRequest,
    client: &Client,
    session: Option<&SessionFacts>,
    progress: Option<&InteractionProgress>,
) -> String {
    match next_step(request, client, session, progress, at(160)) {
        AuthorizationStep::Issue => "issue".to_owned(),
        AuthorizationStep::Ask(prompt, reason) => format!("{prompt:?} {reason:?}"),
        AuthorizationStep::Refuse(fault) => fault.code.name().to_owned(),
    }
}

fn asks(prompt: Prompt, reason: Reason) -> String {
    format!("{prompt:?} {reason:?}")
}

#[test]
fn who_is_not_signed_in_signs_in_or_registers() {
    let (plain, silent) = (request(), AuthorizationRequest { prompts: vec![PromptValue::None], ..request() });
    let create = AuthorizationRequest { prompts: vec![PromptValue::Create], ..request() };
    assert_eq!(step(&plain, &client(""), None, None), asks(Prompt::Login, Reason::NoSession));
    assert_eq!(step(&create, &client(""), None, None), asks(Prompt::Create, Reason::NoSession));
    assert_eq!(step(&silent, &client(""), None, None), "login_required");
    assert_eq!(step(&plain, &client(""), Some(&ann()), None), "issue");
}

#[test]
fn a_sign_in_that_is_too_old_or_of_another_person_is_not_enough() {
    for (wish, expected) in [
        (AuthorizationRequest { max_age: Some(59), ..request() }, asks(Prompt::Login, Reason::MaxAge)),
        (AuthorizationRequest { max_age: Some(60), ..request() }, "issue".to_owned()),
        (AuthorizationRequest { prompts: vec![PromptValue::Login], ..request() }, asks(Prompt::Login, Reason::Prompt)),
        (AuthorizationRequest { hinted_user: Some(BOB), ..request() }, asks(Prompt::Login, Reason::OtherUser)),
        (AuthorizationRequest { hinted_user: Some(ANN), ..request() }, "issue".to_owned()),
    ] {
        assert_eq!(step(&wish, &client(""), Some(&ann()), None), expected);
    }
}

#[test]
fn a_sign_in_since_the_interaction_began_is_the_one_that_was_asked_for() {
    let wishes =
        AuthorizationRequest { prompts: vec![PromptValue::Login, PromptValue::SelectAccount], max_age: Some(0), ..request() };
    assert_eq!(step(&wishes, &client(""), Some(&ann()), Some(&InteractionProgress::new(at(100)))), "issue");
    assert_eq!(
        step(&wishes, &client(""), Some(&ann()), Some(&InteractionProgress::new(at(101)))),
        asks(Prompt::Login, Reason::Prompt)
    );
    let other = AuthorizationRequest { hinted_user: Some(BOB), ..request() };
    let progress = InteractionProgress::new(at(100));
    assert_eq!(step(&other, &client(""), Some(&ann()), Some(&progress)), asks(Prompt::Login, Reason::OtherUser), "still another");
}

#[test]
fn a_stronger_sign_in_is_asked_for_where_the_person_can_give_it() {
    let wish = AuthorizationRequest { acr_values: vec!["urn:identity:acr:2fa".to_owned()], ..request() };
    let able = SessionFacts { has_totp: true, ..ann() };
    assert_eq!(step(&wish, &client(""), Some(&ann()), None), "issue", "a wish that cannot be met");
    assert_eq!(step(&wish, &client(""), Some(&able), None), asks(Prompt::Login, Reason::Acr));
    assert_eq!(step(&wish, &client(""), Some(&able), Some(&InteractionProgress::new(at(100)))), "issue", "asked once");
    let claims = ClaimsRequest::parse(r#"{"id_token":{"acr":{"essential":true,"values":["phr"]}}}"#).unwrap();
    let demand = AuthorizationRequest { claims, ..request() };
    assert_eq!(step(&demand, &client(""), Some(&able), None), "unmet_authentication_requirements");
    let with_key = SessionFacts { has_passkey: true, ..ann() };
    assert_eq!(step(&demand, &client(""), Some(&with_key), None), asks(Prompt::Login, Reason::Acr));
    let late = InteractionProgress::new(at(100));
    assert_eq!(step(&demand, &client(""), Some(&with_key), Some(&late)), "unmet_authentication_requirements", "not used");
    let keyed = SessionFacts { methods: vec!["hwk".to_owned(), "mfa".to_owned()], ..with_key };
    assert_eq!(step(&demand, &client(""), Some(&keyed), None), "issue");
}

#[test]
fn consent_is_asked_for_what_is_new_and_holds_for_one_account() {
    let (partner, wish) = (client(r#","consent":"explicit""#), request());
    let known = SessionFacts { consented: Scope::of(["openid", "email", "profile"]), ..ann() };
    assert_eq!(step(&wish, &partner, Some(&ann()), None), asks(Prompt::Consent, Reason::ScopesMissing));
    assert_eq!(step(&wish, &partner, Some(&known), None), "issue");
    let forced = AuthorizationRequest { prompts: vec![PromptValue::Consent], ..request() };
    assert_eq!(step(&forced, &partner, Some(&known), None), asks(Prompt::Consent, Reason::Prompt));
    for (user, expected) in [(ANN, "issue".to_owned()), (BOB, asks(Prompt::Consent, Reason::Prompt))] {
        let confirmed = Some(Confirmation { granted: Some(Scope::of(["openid"])), ..Confirmation::of(user) });
        let progress = InteractionProgress { confirmed, ..InteractionProgress::new(at(150)) };
        assert_eq!(step(&forced, &partner, Some(&known), Some(&progress)), expected);
    }
}

/// RFC 8252, section 8.6.
#[test]
fn before_an_app_on_a_device_people_are_asked_each_time_unless_the_request_is_silent_and_remembered() {
    let app = client(r#","kind":"public","native":true"#);
    let on_the_device = |prompts: Vec<PromptValue>| AuthorizationRequest {
        target: ResponseTarget { redirect_uri: "http://127.0.0.1:51004/cb".to_owned(), ..request().target },
        prompts,
        ..request()
    };
    let scopes = |names: &[&str]| Scope::of(names.iter().copied());
    let consented = SessionFacts { consented: scopes(&["openid", "email"]), ..ann() };
    let remembered = SessionFacts { remembered: scopes(&["openid", "email"]), ..consented.clone() };
    let in_part = SessionFacts { remembered: scopes(&["openid"]), ..consented.clone() };
    let (asked, silent) = (on_the_device(Vec::new()), on_the_device(vec![PromptValue::None]));
    for person in [&ann(), &consented, &remembered] {
        assert_eq!(step(&asked, &app, Some(person), None), asks(Prompt::Consent, Reason::NativeApp));
    }
    assert_eq!(step(&silent, &app, Some(&remembered), None), "issue");
    for person in [&ann(), &consented, &in_part] {
        assert_eq!(step(&silent, &app, Some(person), None), "interaction_required");
    }
    assert_eq!(step(&silent, &app, None, None), "login_required");
    let confirmed = Some(Confirmation { granted: Some(scopes(&["openid", "email"])), ..Confirmation::of(ANN) });
    assert_eq!(
        step(&asked, &app, Some(&ann()), Some(&InteractionProgress { confirmed, ..InteractionProgress::new(at(150)) })),
        "issue"
    );
    assert_eq!(step(&request(), &app, Some(&ann()), None), "issue", "an https URI belongs to its domain");
}

#[test]
fn roles_stand_before_consent_and_a_refusal_before_everything() {
    let gated = client(r#","loginRoles":["editor"],"consent":"explicit""#);
    assert_eq!(step(&request(), &gated, Some(&ann()), None), asks(Prompt::LoginRole, Reason::RoleMissing));
    let editor = SessionFacts { roles: vec!["editor".to_owned()], ..ann() };
    assert_eq!(step(&request(), &gated, Some(&editor), None), asks(Prompt::Consent, Reason::ScopesMissing));
    let refused = InteractionProgress { is_refused: true, ..InteractionProgress::new(at(150)) };
    assert_eq!(step(&request(), &gated, None, Some(&refused)), "access_denied");
}
