//! Where the OpenID provider sends a person: signing in, choosing the account, consenting, and leaving again.

use crate::oidc::provider::{CALLBACK, PKCE, Provider, authorize_path};
use support::prelude::*;

const ANN: &str = "ann@example.org";

/// Whether it gives the client a code.
fn is_code(page: &Response) -> bool {
    page.status == 303 && page.location().starts_with(&format!("{CALLBACK}?code="))
}

#[tokio::test]
async fn a_person_signs_in_for_a_client_and_goes_back_to_it() {
    let provider = Provider::start().await;
    let ann = Person::at(&provider);
    let request = authorize_path("web", &[("login_hint", ANN), ("state", "s")]);
    let (path, page) = ann.follow(&request).await;
    assert!(path.starts_with("/login?return_to=/interaction/"), "{path}");
    assert!(page.text.contains("to continue to Web") && page.text.contains("Cancel and go back to Web"), "{}", page.text);
    assert_eq!(page.field("email").as_deref(), Some(ANN), "the hint is typed already");
    let policy = page.header("content-security-policy");
    assert!(policy.ends_with("form-action 'self' https://app.example"), "the form may lead to the client: {policy}");
    let return_to = page.field("return_to").unwrap();

    let wrong = ann.fill_in(&path, &[("email", ANN), ("password", "not the harbour"), ("return_to", &return_to)]).await;
    assert!(wrong.status == 401 && wrong.text.contains("to continue to Web"), "{}", wrong.status);
    assert!(wrong.header("content-security-policy").ends_with("https://app.example"));
    let page = ann.fill_in(&path, &[("email", ANN), ("password", PASSWORD), ("return_to", &return_to)]).await;
    assert_eq!(page.redirect(), (303, return_to.as_str()));
    let (_, last) = ann.follow(&return_to).await;
    assert!(is_code(&last) && last.location().contains("state=s"), "{}", last.location());
    assert!(is_code(&ann.follow(&request).await.1), "the next time without a page");
    let over = ann.page(&return_to).await;
    assert!(over.status == 404 && over.text.contains("is finished or took too long"), "{}", over.text);
}

#[tokio::test]
async fn a_hint_that_is_no_address_is_not_shown() {
    let provider = Provider::start().await;
    let request = authorize_path("web", &[("login_hint", "<b>ann@example.org")]);
    let page = Person::at(&provider).follow(&request).await.1;
    assert_eq!(page.field("email").as_deref(), Some(""));
    assert!(!page.text.contains("<b>ann") && !page.text.contains("&lt;b&gt;ann"));
}

#[tokio::test]
async fn a_person_who_does_not_want_to_sign_in_goes_back() {
    let provider = Provider::start().await;
    let ann = Person::at(&provider);
    let (path, page) = ann.follow(&authorize_path("web", &[])).await;
    let interaction = page.field("return_to").unwrap();
    let token = page.field("csrf_token").unwrap();
    let denied = ann.send_form(&interaction, &[("csrf_token", &token), ("action", "deny")]).await;
    let (_, last) = ann.follow(denied.location()).await;
    assert!(last.location().contains("error=access_denied"), "{path}: {}", last.location());
}

#[tokio::test]
async fn a_sign_in_that_a_client_demands_is_not_skipped() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    provider.advance(5);
    for wish in [("prompt", "login"), ("max_age", "1")] {
        let (path, page) = ann.follow(&authorize_path("web", &[wish])).await;
        assert!(path.ends_with("&prompt=login") && page.status == 200, "{path}");
        let return_to = page.field("return_to").unwrap();
        let page = ann.fill_in(&path, &[("email", ANN), ("password", PASSWORD), ("return_to", &return_to)]).await;
        assert!(is_code(&ann.follow(page.location()).await.1), "{wish:?}");
        provider.advance(5);
    }
    let (path, page) = ann.follow(&authorize_path("web", &[("prompt", "create")])).await;
    assert!(path.starts_with("/register?return_to=/interaction/") && page.status == 200, "{path}");
}

#[tokio::test]
async fn consent_is_asked_for_in_words_and_can_be_withdrawn() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    let request = authorize_path("partner", &[("scope", "openid profile email offline_access")]);
    let (path, page) = ann.follow(&request).await;
    assert!(path.starts_with("/interaction/"), "{path}");
    for words in [
        "Partner wants access to your account",
        "your name and your language",
        "your e-mail address",
        ANN,
        "After that you go on to app.example.",
    ] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    let buttons: Vec<&str> = page.text.split("<button").filter(|rest| rest.contains("Allow") || rest.contains("Deny")).collect();
    let class = |button: &&str| button.split("class=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(buttons.iter().map(class).collect::<Vec<_>>(), ["button quiet", "button quiet"], "both look alike");
    assert!(page.header("content-security-policy").ends_with("form-action 'self' https://app.example"));

    let with_prompt = authorize_path("partner", &[("scope", "openid offline_access"), ("prompt", "consent")]);
    assert!(ann.follow(&with_prompt).await.1.text.contains("access while you are not using it"));
    let denied = ann.fill_in(&path, &[("action", "deny")]).await;
    assert!(ann.follow(denied.location()).await.1.location().contains("error=access_denied"));
    let (path, _) = ann.follow(&request).await;
    assert_eq!(ann.fill_in(&path, &[("action", "else")]).await.status, 400);
    let allowed = ann.fill_in(&path, &[("action", "allow")]).await;
    assert!(is_code(&ann.follow(allowed.location()).await.1));
    assert!(is_code(&ann.follow(&request).await.1), "it is not asked again");

    let page = ann.page("/account/apps").await;
    assert!(page.text.contains("Partner") && page.text.contains("your name and your language"), "{}", page.text);
    let withdrawn = ann.fill_in("/account/apps", &[("client_id", "partner")]).await;
    assert_eq!(withdrawn.redirect(), (303, "/account/apps?done=withdrawn"));
    assert!(!ann.page("/account/apps").await.text.contains("Partner"));
    assert!(ann.follow(&request).await.0.starts_with("/interaction/"), "now it is asked again");
    assert!(ann.page("/account/activity").await.text.contains("Access of an application withdrawn"));
    let token = ann.page("/logout").await.field("csrf_token").unwrap();
    assert_eq!(ann.send_form("/account/apps", &[("csrf_token", &token), ("client_id", "none")]).await.status, 303);
}

#[tokio::test]
async fn what_is_withdrawn_ends_with_its_tokens() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    let tokens = provider.tokens("web", "openid offline_access").await;
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 200);
    assert!(ann.page("/account/sessions").await.text.contains("signed in to Web"));
    ann.fill_in("/account/apps", &[("client_id", "web")]).await;
    assert_eq!(provider.userinfo(&tokens["access_token"]).await.status, 401);
    assert_eq!(provider.refresh("web", &tokens["refresh_token"]).await.refusal().1, "invalid_grant");
}

#[tokio::test]
async fn the_account_is_chosen_or_changed() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    provider.advance(5);
    let (path, page) = ann.follow(&authorize_path("web", &[("prompt", "select_account")])).await;
    assert!(page.text.contains("Continue as ann@example.org"), "{}", page.text);
    let continued = ann.fill_in(&path, &[("action", "continue")]).await;
    assert!(is_code(&ann.follow(continued.location()).await.1));

    let bob = json!({ "email": "bob@example.org", "password": "the quietest of bays", "firstName": "Bob" });
    assert_eq!(provider.post("/api/auth/register", &bob).await.status, 201);
    let (path, _) = ann.follow(&authorize_path("web", &[("login_hint", "bob@example.org")])).await;
    let switched = ann.fill_in(&path, &[("action", "switch")]).await;
    let page = ann.page(switched.location()).await;
    assert_eq!((page.status, page.field("email").as_deref()), (200, Some("bob@example.org")));
    let fields = [("email", "bob@example.org"), ("password", "the quietest of bays"), ("return_to", path.as_str())];
    let page = ann.fill_in(switched.location(), &fields).await;
    assert!(is_code(&ann.follow(page.location()).await.1));
    assert!(ann.page("/account").await.text.contains("bob@example.org"));
}

#[tokio::test]
async fn a_person_without_a_role_is_told_so_and_goes_back() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    let (path, page) = ann.follow(&authorize_path("guarded", &[])).await;
    assert!(page.status == 403 && page.text.contains("You have no access to Guarded"), "{} {}", page.status, page.text);
    assert_eq!(ann.fill_in(&path, &[("action", "continue")]).await.redirect(), (303, path.as_str()));
    let back = ann.fill_in(&path, &[("action", "deny")]).await;
    assert!(ann.follow(back.location()).await.1.location().contains("error=access_denied"));
}

#[tokio::test]
async fn an_interaction_of_another_browser_is_not_shown() {
    let provider = Provider::start().await;
    let uid = provider.interaction("partner", &[]).await;
    let stranger = Person::at(&provider);
    let page = stranger.page(&format!("/interaction/{uid}")).await;
    assert!(page.status == 403 && page.text.contains("another browser"), "{}", page.text);
    let token = stranger.page("/login").await.field("csrf_token").unwrap();
    stranger.send_form(&format!("/interaction/{uid}"), &[("csrf_token", &token), ("action", "deny")]).await.expect(403);
    assert_eq!(stranger.page(&format!("/login?return_to=/interaction/{uid}")).await.status, 200, "and the sign-in is a plain one");
}

#[tokio::test]
async fn a_person_who_signs_out_goes_back_to_the_client_that_asked_for_it() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    let query = "client_id=web&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye&state=s";
    let (path, page) = ann.follow(&format!("/oidc/session/end?{query}")).await;
    assert!(path.starts_with("/logout?") && page.text.contains("Sign out?"), "{path}");
    assert!(page.header("content-security-policy").ends_with("form-action 'self' https://app.example"));
    let fields = ["client_id", "post_logout_redirect_uri", "state"].map(|name| (name, page.field(name).unwrap()));
    let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let page = ann.fill_in(&path, &fields).await;
    assert_eq!(page.redirect(), (303, "https://app.example/bye?state=s"));
    assert!(!ann.is_signed_in().await);
    let page = ann.page(&format!("/logout?{query}")).await;
    assert!(page.text.contains("Back to Web") && page.text.contains("https://app.example/bye?state=s"), "{}", page.text);
    let page = ann.page("/logout?client_id=web&post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F").await;
    assert!(page.status == 400 && !page.text.contains("evil.example/\""), "{}", page.text);
}

/// RFC 8252, section 8.6: any program on the device can take the place of the app.
#[tokio::test]
async fn before_an_app_on_a_device_people_are_asked_each_time_and_what_a_browser_remembers_serves_silent_requests_alone() {
    const APP: &str = "http://127.0.0.1:51004/cb";
    let provider = Provider::start().await;
    let ann = &provider.person;
    let request = |more: &[(&str, &str)]| {
        let usual = [("redirect_uri", APP), ("code_challenge", PKCE.1), ("code_challenge_method", "S256")];
        authorize_path("desktop", &[&usual, more].concat())
    };
    let silent = async |person: &Person| {
        let location = person.page(&request(&[("prompt", "none")])).await.location().to_owned();
        let query = location.strip_prefix(&format!("{APP}?")).unwrap_or_else(|| panic!("{location}")).to_owned();
        query.split('&').find_map(|pair| pair.strip_prefix("error=")).unwrap_or("code").to_owned()
    };
    let allow = async |person: &Person, more: &[(&str, &str)]| {
        let (path, page) = person.follow(&request(&[])).await;
        assert!(path.starts_with("/interaction/") && page.text.contains("desktop is an app on this device"), "{}", page.text);
        let allowed = person.fill_in(&path, &[&[("action", "allow")], more].concat()).await;
        let back = person.follow(allowed.location()).await.1;
        assert!(back.location().starts_with(&format!("{APP}?code=")), "{}", back.location());
    };
    for _ in 0..2 {
        allow(ann, &[]).await;
    }
    assert_eq!(silent(ann).await, "interaction_required", "nothing was remembered");
    allow(ann, &[("remember", "on")]).await;
    assert_eq!(silent(ann).await, "code");
    allow(ann, &[]).await;
    let more = request(&[("prompt", "none"), ("scope", "openid email")]);
    assert!(ann.page(&more).await.location().contains("error=interaction_required"), "more than was remembered");

    let elsewhere = Person::at(&provider);
    elsewhere.sign_in(ANN, PASSWORD).await;
    assert_eq!(silent(&elsewhere).await, "interaction_required", "another browser");
    let withdrawn = ann.fill_in("/account/apps", &[("client_id", "desktop")]).await;
    assert_eq!(withdrawn.status, 303, "{}", withdrawn.text);
    assert_eq!(silent(ann).await, "interaction_required", "withdrawn");

    allow(ann, &[("remember", "on")]).await;
    for (days, expected) in [(80, "code"), (9, "code"), (2, "interaction_required")] {
        provider.advance(days * 24 * 3600);
        provider.sign_in().await;
        assert_eq!(silent(ann).await, expected, "{days} days later");
    }
}

#[tokio::test]
async fn a_login_page_of_the_operators_own_asks_before_an_app_too() {
    let provider = Provider::start().await;
    let challenge = [("code_challenge", PKCE.1), ("code_challenge_method", "S256")];
    let at = |more: &[(&'static str, &'static str)]| [&[("redirect_uri", "http://127.0.0.1/cb")], &challenge[..], more].concat();
    let uid = provider.interaction("desktop", &at(&[])).await;
    let path = format!("/api/oidc/interaction/{uid}");
    let view = provider.get(&path).await.body;
    assert_eq!(
        (&view["prompt"], &view["reasons"], &view["missingScopes"], &view["canRemember"]),
        (&json!("consent"), &json!(["native_app"]), &json!(["openid"]), &json!(true))
    );
    assert_eq!(provider.post(&format!("{path}/finish"), &json!({ "action": "continue" })).await.status, 200);
    let again = provider.get(&format!("/oidc/authorize/{uid}")).await;
    assert_eq!(again.location(), format!("/interaction/{uid}"), "to go on is not to consent");
    let consent = json!({ "action": "consent", "remember": true });
    assert_eq!(provider.post(&format!("{path}/finish"), &consent).await.status, 200);
    assert!(provider.get(&format!("/oidc/authorize/{uid}")).await.location().starts_with("http://127.0.0.1/cb?code="));
    assert!(provider.authorize("desktop", &at(&[("prompt", "none")])).await.location().contains("code="));
    let web = provider.interaction("partner", &[]).await;
    assert_eq!(provider.get(&format!("/api/oidc/interaction/{web}")).await.body["canRemember"], false);
}

/// One response with a policy cuts a popup off from the page that opened it, for good.
#[tokio::test]
async fn no_response_on_the_way_from_a_client_and_back_cuts_a_popup_off() {
    let provider = Provider::start().await;
    let stranger = Person::at(&provider);
    for path in ["/register", "/verify-email", "/forgot-password", "/logout", "/device", "/account"] {
        assert_eq!(stranger.page(path).await.header("cross-origin-opener-policy"), "same-origin", "{path} without a client");
    }
    let kept = |page: &Response, what: &str| assert_eq!(page.header("cross-origin-opener-policy"), "", "{what}");
    let get = async |path: &str| {
        let page = stranger.page(path).await;
        kept(&page, path);
        page
    };
    let start = get(&authorize_path("partner", &[])).await;
    let interaction = start.location().to_owned();
    let login = get(&interaction).await.location().to_owned();
    let page = get(&login).await;
    get(&format!("{login}&lang=de")).await;
    get(&format!("{login}&lang=en")).await;
    let return_to = page.field("return_to").unwrap();
    let token = page.field("csrf_token").unwrap();
    for path in ["/register", "/verify-email", "/forgot-password"] {
        get(path).await;
        kept(&stranger.send_form(path, &[("csrf_token", token.as_str())]).await, path);
    }
    kept(&stranger.send_form("/login", &[]).await, "a form without a token");
    for (password, status) in [("not the harbour", 401), (PASSWORD, 303)] {
        let fields = [("email", ANN), ("password", password), ("return_to", return_to.as_str())];
        let page = stranger.fill_in(&login, &fields).await;
        assert_eq!(page.status, status);
        kept(&page, "/login");
    }
    get("/login/2fa").await;
    kept(&stranger.fill_in(&interaction, &[("action", "allow")]).await, "consent");
    let back = get(&interaction.replace("/interaction/", "/oidc/authorize/")).await;
    assert!(is_code(&back), "{}", back.location());
    get(&interaction).await;
    for path in ["/account", "/device", "/account/apps"] {
        assert_eq!(stranger.page(path).await.header("cross-origin-opener-policy"), "same-origin", "{path}");
    }

    for query in ["", "?client_id=web&post_logout_redirect_uri=https%3A%2F%2Fapp.example%2Fbye"] {
        let question = get(&format!("/oidc/session/end{query}")).await.location().to_owned();
        let page = get(&question).await;
        let fields: Vec<(&str, String)> = ["from", "client_id", "post_logout_redirect_uri"]
            .into_iter()
            .filter_map(|name| page.field(name).map(|value| (name, value)))
            .collect();
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let done = stranger.fill_in(&question, &fields).await;
        kept(&done, &question);
        if done.location().starts_with('/') {
            get(done.location()).await;
        }
        stranger.sign_in(ANN, PASSWORD).await;
    }
    let own = stranger.page("/logout").await;
    assert_eq!((own.header("cross-origin-opener-policy"), own.field("from")), ("same-origin", None));
    kept(&stranger.page("/oidc/authorize?client_id=unknown").await, "a client that is told nothing");
}

/// Whether a page is in a language.
fn is_in(page: &Response, language: &str) -> bool {
    page.text.contains(&format!("<html lang=\"{language}\""))
}

#[tokio::test]
async fn the_pages_on_the_way_to_a_client_are_in_the_language_that_it_wishes_for() {
    let provider = Provider::start().await;
    let ann = Person::at(&provider);
    let request = authorize_path("partner", &[("scope", "openid profile"), ("ui_locales", "fr de-AT en")]);
    let (path, page) = ann.follow(&request).await;
    assert!(is_in(&page, "de") && page.text.contains("um bei Partner fortzufahren"), "{}", page.text);
    let return_to = page.field("return_to").unwrap();
    assert!(is_in(&ann.page(&format!("/register?return_to={return_to}")).await, "de"));
    assert!(is_in(&ann.page("/login").await, "en"), "a page outside of the interaction is in that of the browser");
    let wrong = ann.fill_in(&path, &[("email", ANN), ("password", "not the harbour"), ("return_to", &return_to)]).await;
    assert!(is_in(&wrong, "de") && wrong.message().contains("Die E-Mail-Adresse oder das Passwort ist falsch."), "{}", wrong.text);
    let page = ann.fill_in(&path, &[("email", ANN), ("password", PASSWORD), ("return_to", &return_to)]).await;
    let (consent, page) = ann.follow(page.location()).await;
    assert!(is_in(&page, "de") && page.text.contains("Partner möchte auf Ihr Konto zugreifen"), "{}", page.text);

    assert_eq!(ann.page(&format!("{consent}?lang=en")).await.redirect(), (303, consent.as_str()));
    assert!(is_in(&ann.page(&consent).await, "en"), "what a person chooses is what counts");
    assert!(is_in(&ann.follow(&request).await.1, "en"));

    let stranger = Person::at(&provider);
    for wish in ["fr", "", "x-y de_"] {
        let (_, page) = stranger.follow(&authorize_path("partner", &[("ui_locales", wish)])).await;
        assert!(is_in(&page, "en"), "{wish}");
    }
    let english = Provider::with(&[("APP_SUPPORTED_LOCALES", "en")]).await;
    assert!(is_in(&Person::at(&english).follow(&request).await.1, "en"), "the operator has turned German off");
}

#[tokio::test]
async fn the_logo_of_a_client_is_shown_where_a_person_decides_about_it_and_nowhere_else() {
    let mut clients = crate::oidc::provider::clients();
    for client in clients.as_array_mut().unwrap() {
        client["logoUri"] = json!("https://logos.example:8443/a/logo.svg?x=1");
    }
    let clients = clients.to_string();
    let provider = Provider::with(&[("APP_OIDC_CLIENTS_JSON", &clients)]).await;
    let (ann, stranger) = (&provider.person, Person::at(&provider));
    provider.advance(5);
    let begun =
        browser().post(provider.url("/oidc/device_authorization")).header("content-type", "application/x-www-form-urlencoded");
    let begun: serde_json::Value = begun.body("client_id=tv&scope=openid").send().await.unwrap().json().await.unwrap();
    let code = begun["user_code"].as_str().unwrap();
    let (path, login) = stranger.follow(&authorize_path("web", &[])).await;
    let return_to = login.field("return_to").unwrap();
    let fields = [("email", ANN), ("password", "not the harbour"), ("return_to", return_to.as_str())];
    for (name, page, is_shown) in [
        ("login", login, true),
        ("login again", stranger.fill_in(&path, &fields).await, true),
        ("consent", ann.follow(&authorize_path("partner", &[])).await.1, true),
        ("device", ann.fill_in("/device", &[("user_code", code)]).await, true),
        ("code of a device", ann.page("/device").await, false),
        ("a link with the code", ann.page(&format!("/device?user_code={code}")).await, false),
        ("no device", ann.fill_in("/device", &[("user_code", "BCDF-GHJK")]).await, false),
        ("accounts", ann.follow(&authorize_path("web", &[("prompt", "select_account")])).await.1, false),
        ("no role", ann.follow(&authorize_path("guarded", &[])).await.1, false),
        ("registration", stranger.page(&format!("/register?return_to={return_to}")).await, false),
        ("login without a client", stranger.page("/login").await, false),
        ("account", ann.page("/account").await, false),
    ] {
        let image = "<img class=\"logo\" src=\"https://logos.example:8443/a/logo.svg?x=1\" data-logo";
        assert_eq!(page.text.contains(image), is_shown, "{name}: {}", page.text);
        let policy = page.header("content-security-policy");
        let images = if is_shown { "; img-src 'self' data: https://logos.example:8443; " } else { "; img-src 'self' data:; " };
        assert!(policy.contains(images), "{name}: {policy}");
        assert_eq!(policy.matches("logos.example").count(), usize::from(is_shown), "{name}: {policy}");
    }
}
