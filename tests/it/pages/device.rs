//! `/device`: typing the code of a device, and deciding about it.

use crate::oidc::{device::Codes, provider::Provider};
use support::prelude::*;

const ANN: &str = "ann@example.org";

/// The codes of a television that asks for these.
async fn television(provider: &Provider, scope: &str) -> Codes {
    let form = [("client_id", "tv"), ("scope", scope)];
    Codes::of(&provider.form("/oidc/device_authorization", &form).await)
}

/// How many devices have been decided about.
async fn decided(provider: &Provider) -> i64 {
    provider.count("select count(*) from oidc_device_codes where decision is not null").await
}

#[tokio::test]
async fn a_person_signs_in_first_and_then_decides_about_the_code_of_the_link() {
    let provider = Provider::start().await;
    let ann = Person::at(&provider);
    let codes = television(&provider, "openid profile email offline_access").await;
    let link = format!("/device?user_code={}", codes.user);
    let (path, page) = ann.follow(&link).await;
    assert_eq!(path, format!("/login?return_to=/device%3Fuser_code%3D{}&notice=sign-in", codes.user));
    let return_to = page.field("return_to").unwrap();
    assert_eq!(return_to, link);
    let page = ann.fill_in(&path, &[("email", ANN), ("password", PASSWORD), ("return_to", &return_to)]).await;
    assert_eq!(page.redirect(), (303, link.as_str()));

    let filled = ann.page(&link).await;
    assert_eq!((filled.status, filled.field("user_code").as_deref()), (200, Some(codes.user.as_str())));
    assert!(
        filled.text.contains("shows this code") && !filled.text.contains("Television"),
        "a GET looks nothing up: {}",
        filled.text
    );
    let page = ann.fill_in(&link, &[("user_code", &codes.user)]).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains(&format!("href=\"/device?user_code={}&amp;lang=de\"", codes.user)), "{}", page.text);
    let words = [
        "Television wants access to your account",
        "your name and your language",
        "access while you are not using it",
        ANN,
        &codes.user,
    ];
    for words in words {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    assert_eq!(decided(&provider).await, 0, "a GET decides nothing");
    let buttons: Vec<&str> =
        page.text.split("<button").skip(1).filter(|rest| rest.contains("Allow") || rest.contains("Deny")).collect();
    let class = |button: &&str| button.split("class=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert_eq!(buttons.iter().map(class).collect::<Vec<_>>(), ["button quiet", "button quiet"], "both look alike");
    for query in ["action=allow", "done=allowed", "csrf_token=x&action=allow"] {
        assert!(ann.page(&format!("{link}&{query}")).await.status < 400);
        assert_eq!(decided(&provider).await, 0, "{query}");
    }

    let allowed = ann.fill_in(&link, &[("user_code", &codes.user), ("action", "allow")]).await;
    assert_eq!(allowed.redirect(), (303, "/device?done=allowed"));
    assert!(ann.page(allowed.location()).await.text.contains("The device is connected"));
    assert_eq!(decided(&provider).await, 1);
    assert!(ann.page("/account/apps").await.text.contains("Television"));
    assert!(ann.page("/account/activity").await.text.contains("Access granted to an application"));
    let over = ann.fill_in(&link, &[("user_code", &codes.user)]).await;
    assert!(over.status == 400 && over.text.contains("wrong or too old"), "{}", over.text);
}

#[tokio::test]
async fn a_code_is_taken_however_it_is_typed() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    let codes = television(&provider, "openid").await;
    let page = ann.page("/device").await;
    assert_eq!((page.status, page.field("user_code").as_deref()), (200, Some("")));
    let spaced: String = codes.user.chars().flat_map(|letter| [letter, ' ']).collect();
    for typed in
        [codes.user.clone(), codes.user.to_lowercase(), codes.user.replace('-', ""), spaced, codes.user.replace('-', "\u{2013}")]
    {
        let page = ann.fill_in("/device", &[("user_code", &typed)]).await;
        assert!(
            page.status == 200 && page.text.contains("Television") && page.text.contains(&codes.user),
            "{typed}: {}",
            page.text
        );
    }
    assert_eq!(decided(&provider).await, 0, "to type it is not to allow it");
    for wrong in ["", "BCDF", "BCDF-GHJK", "<b>BCDF</b>"] {
        let page = ann.fill_in("/device", &[("user_code", wrong)]).await;
        assert_eq!(page.status, 400, "{wrong}");
        assert!(page.message().contains("This code is wrong or too old"), "{wrong}: {}", page.text);
        assert!(!page.text.contains("<b>BCDF"));
    }
    let page = ann.fill_in("/device", &[("user_code", &codes.user), ("action", "else")]).await;
    assert_eq!(page.status, 400);
    assert_eq!(
        ann.send_form("/device", &[("user_code", &codes.user), ("action", "allow")]).await.status,
        403,
        "without the token of the page"
    );
    assert_eq!(decided(&provider).await, 0);
}

#[tokio::test]
async fn a_person_denies_or_takes_another_account() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    let codes = television(&provider, "openid").await;
    let link = format!("/device?user_code={}", codes.user);
    let switched = ann.fill_in(&link, &[("user_code", &codes.user), ("action", "switch")]).await;
    assert_eq!(switched.redirect(), (303, format!("/login?return_to=/device%3Fuser_code%3D{}&prompt=login", codes.user).as_str()));
    let bob = json!({ "email": "bob@example.org", "password": "the quietest of bays", "firstName": "Bob" });
    assert_eq!(provider.post("/api/auth/register", &bob).await.status, 201);
    let fields = [("email", "bob@example.org"), ("password", "the quietest of bays"), ("return_to", link.as_str())];
    let location = switched.location().to_owned();
    assert_eq!(ann.fill_in(&location, &fields).await.redirect(), (303, link.as_str()));
    assert!(ann.fill_in(&link, &[("user_code", &codes.user)]).await.text.contains("bob@example.org"));

    let denied = ann.fill_in(&link, &[("user_code", &codes.user), ("action", "deny")]).await;
    assert_eq!(denied.redirect(), (303, "/device?done=denied"));
    assert!(ann.page(denied.location()).await.text.contains("The device was not connected"));
    assert!(ann.page("/account/activity").await.text.contains("Access denied to an application"));
    assert!(!ann.page("/account/apps").await.text.contains("Television"));
}

#[tokio::test]
async fn a_person_without_the_role_can_deny() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    let request = browser().post(provider.url("/oidc/device_authorization"));
    let request = request.basic_auth("newsdesk", Some(crate::oidc::provider::SECRET)).form(&[("scope", "openid")]);
    let codes = Codes::of(&request.answer().await);
    let link = format!("/device?user_code={}", codes.user);
    for fields in [&[("user_code", codes.user.as_str())][..], &[("user_code", &codes.user), ("action", "allow")]] {
        let page = ann.fill_in(&link, fields).await;
        assert!(page.status == 403 && page.text.contains("a role that Newsdesk asks for"), "{}", page.text);
        assert!(!page.text.contains("value=\"allow\""));
    }
    let denied = ann.fill_in(&link, &[("user_code", &codes.user), ("action", "deny")]).await;
    assert_eq!(denied.redirect(), (303, "/device?done=denied"));
}

/// RFC 8628, section 5.1: who tries codes must not find one; the processes count together.
#[tokio::test]
async fn codes_cannot_be_guessed() {
    let limited = [("APP_RATE_LIMITS", "on"), ("APP_LOCKOUT_CODE_FAILURES", "4")];
    let one = Provider::with(&limited).await;
    let two = Provider::on(&limited, Some(&one)).await;
    let codes = television(&one, "openid").await;
    let here = &one.person;
    two.sign_in().await;
    let there = &two.person;
    let guess = |number: usize| format!("BBBB-BBB{}", ["B", "C", "D", "F", "G", "H"][number]);
    let type_in = async |person: &Person, code: &str| person.fill_in("/device", &[("user_code", code)]).await;
    for number in 0..6 {
        assert_eq!(here.page(&format!("/device?user_code={}", guess(number))).await.status, 200, "a link looks nothing up");
    }
    for number in 0..4 {
        let person = if number % 2 == 0 { &here } else { &there };
        assert_eq!(type_in(person, "BCDF").await.status, 400, "what is no code is no guess");
        assert_eq!(type_in(person, &codes.user).await.status, 200, "a right one forgets no wrong ones");
        assert_eq!(type_in(person, &guess(number)).await.status, 400, "{number}");
    }
    for person in [&here, &there] {
        let page: Response = type_in(person, &guess(4)).await;
        assert!(page.status == 429 && page.header("retry-after") == "60", "{}", page.status);
        assert_eq!(type_in(person, &codes.user).await.status, 429, "not even the right one");
        person.fill_in("/device", &[("user_code", &codes.user), ("action", "allow")]).await.expect(429);
    }
    one.advance(60);
    two.advance(60);
    assert_eq!(type_in(here, &codes.user).await.status, 200);
}

#[tokio::test]
async fn the_page_speaks_german() {
    let provider = Provider::start().await;
    let ann = &provider.person;
    ann.page("/device?lang=de").await;
    assert!(ann.page("/device").await.text.contains("Geben Sie den Code ein, den Ihr Gerät anzeigt."));
    assert!(ann.page("/device?user_code=BCDF-GHJK").await.text.contains("wenn ein Gerät vor Ihnen diesen Code anzeigt"));
    let page = ann.fill_in("/device", &[("user_code", "BCDF-GHJK")]).await;
    assert!(page.text.contains("Dieser Code ist falsch oder zu alt"), "{}", page.text);
    let codes = television(&provider, "openid").await;
    let page = ann.fill_in("/device", &[("user_code", &codes.user)]).await;
    assert!(page.text.contains("Television möchte auf Ihr Konto zugreifen"), "{}", page.text);
    assert!(ann.page("/device?done=allowed").await.text.contains("Das Gerät ist verbunden"));
}
