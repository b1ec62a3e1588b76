//! Addresses whose domain is not ASCII, as people read them.

use super::app;
use crate::oidc::provider::{Provider, authorize_path};
use support::prelude::*;

const SHOWN: &str = "ann@exämple.org";
const STORED: &str = "ann@xn--exmple-cua.org";

/// The page without what browsers do not show, the fields that password managers store a password with, and
/// without what programs are told, as JSON.
fn visible(html: &str) -> String {
    let without = |html: &str, begin: &str, end: &str| {
        let parts = html.split(begin).enumerate();
        parts
            .map(|(number, part)| if number == 0 { part } else { part.split_once(end).map_or("", |(_, rest)| rest) })
            .collect::<String>()
    };
    without(&without(html, "<input type=\"hidden\"", ">"), "<pre", "</pre>")
}

#[tokio::test]
async fn pages_show_a_domain_in_its_script() {
    let app = app().await;
    // The first account administers, so that it opens every page.
    let ann = Person::signed_in(&app, SHOWN).await;
    let csrf = ann.page("/account").await.field("csrf_token").unwrap();
    let space = ann.browser.post(app.url("/api/v1/spaces")).header("x-csrf-token", csrf).json(&json!({ "name": "Space" }));
    assert_eq!(space.send().await.unwrap().status(), 201);
    let id = super::console::id_of(&app, STORED).await;
    let of_person = ["", "/suspend", "/sign-out", "/reset-factors", "/delete", "/edit", "/roles", "/unverify-address"];
    let pages =
        ["/account", "/account/email", "/account/security/password", "/account/activity", "/account/data", "/account/delete"];
    let console = ["/admin", "/admin/users", "/admin/audit", "/admin/spaces", "/admin/blocks", "/admin/mail"];
    let mut showing = 0;
    for path in
        pages.iter().chain(&console).map(|path| (*path).to_owned()).chain(of_person.map(|act| format!("/admin/users/{id}{act}")))
    {
        let page = ann.page(&path).await;
        let html = visible(&page.text);
        assert!(page.status < 500 && !html.contains("xn--"), "{path}: {html}");
        showing += usize::from(html.contains("exämple.org"));
    }
    assert!(showing >= 6, "profile, address, people, person, audit, spaces: {showing}");
    let found = ann.page("/admin/users?search=ann@ex%C3%A4mple.org").await;
    assert!(found.text.contains(SHOWN), "{}", found.text);
    let entries = ann.page("/admin/audit?person=ann@ex%C3%A4mple.org").await;
    assert!(entries.text.contains(SHOWN), "{}", entries.text);
}

/// The `a` is Cyrillic: such a name reads like another one.
#[tokio::test]
async fn a_domain_that_mixes_scripts_is_shown_as_it_is_stored() {
    let app = app().await;
    let ann = Person::signed_in(&app, "ann@exаmple.org").await;
    let page = ann.page("/account").await;
    assert!(page.text.contains("ann@xn--exmple-4nf.org") && !page.text.contains("exаmple"), "{}", page.text);
}

#[tokio::test]
async fn a_form_says_what_is_wrong_before_the_at_sign_and_takes_the_rest() {
    let app = app().await;
    let ann = Person::at(&app);
    for (language, told) in
        [("en", "Before the @, use only letters from a to z"), ("de", "Vor dem @ sind nur Buchstaben von a bis z")]
    {
        ann.page(&format!("/register?lang={language}")).await;
        let page = ann.sign_up("änn@exämple.org").await;
        assert!(page.status == 400 && page.text.contains(told), "{}", page.text);
        assert_eq!(page.field("email").as_deref(), Some("änn@exämple.org"), "what was typed stays");
    }
    assert_eq!(ann.sign_up(SHOWN).await.status, 303);
    assert_eq!(ann.sign_in(STORED, PASSWORD).await.redirect(), (303, "/account"));
}

#[tokio::test]
async fn a_client_hints_at_an_account_in_any_way() {
    let provider = Provider::start().await;
    provider.sql(&format!("update users set email = '{STORED}' where email = 'ann@example.org'")).await;
    for hint in [SHOWN, "Ann@EXÄMPLE.org", STORED] {
        let stranger = Person::at(&provider);
        let page = stranger.follow(&authorize_path("web", &[("login_hint", hint)])).await.1;
        assert_eq!(page.field("email").as_deref(), Some(SHOWN), "{hint}");
        // The person who is signed in is the one who is meant.
        assert_eq!(provider.code("web", &[("login_hint", hint)]).await.len(), 43, "{hint}");
    }
}
