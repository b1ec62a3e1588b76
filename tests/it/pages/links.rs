//! Every link of every mail leads to a page that works, in both languages.

use super::{ANN, FREE};
use crate::identity::links::{invitation, link_of_kind};
use domain::identity::{mail::Template, one_time::Kind};
use strum::VariantNames;
use support::{browser_called, prelude::*};

const NEW: &str = "an even quieter port";

/// A server whose mails arrive.
async fn mailing() -> (MailBox, TestApp) {
    let mails = MailBox::start().await;
    let app = TestApp::with_variables(&[FREE, &mails.variables()].concat()).await;
    (mails, app)
}

/// The path and query of a link, after it was checked that it leads to this server.
fn path_of(app: &TestApp, link: &str) -> String {
    link.strip_prefix(&app.url("")).unwrap_or_else(|| panic!("{link} leads away")).to_owned()
}

/// The links in the text of a mail.
fn links(text: &str) -> Vec<String> {
    text.split_whitespace().filter(|word| word.starts_with("http") && word.matches('/').count() > 2).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_link_of_a_registration_leads_to_a_sign_in_that_knows_where_to_go() {
    let (mails, app) = mailing().await;
    for (language, asked, told) in [
        ("en", "Confirm that", "Your e-mail address is confirmed."),
        ("de", "Bestätigen Sie, dass", "Ihre E-Mail-Adresse ist bestätigt."),
    ] {
        let email = format!("ann-{language}@example.org");
        let ann = Person::at(&app);
        ann.page(&format!("/register?lang={language}")).await;
        let fields = [("firstName", "Ann"), ("email", &*email), ("password", PASSWORD), ("return_to", "/account/security")];
        let page = ann.fill_in("/register", &fields).await;
        assert_eq!(page.redirect(), (303, "/verify-email?sent=1"));
        assert_eq!(ann.page("/verify-email?sent=1").await.status, 200);
        let mail = mails.next_to(&email).await;
        let (path, page) = ann.follow(&path_of(&app, &mail.link())).await;
        assert_eq!((path.as_str(), page.status, page.field("password")), ("/verify-email/confirm", 200, None));
        assert!(page.text.contains(&email) && page.text.contains(asked), "{}", page.text);
        let confirmed = ann.fill_in("/verify-email/confirm", &[]).await;
        assert_eq!((confirmed.redirect(), confirmed.cookie("verify_link").as_deref()), ((303, "/login?verified=1"), Some("")));
        let page = ann.page("/login?verified=1").await;
        assert!(page.message().contains(told), "{}", page.message());
        assert_eq!(page.field("return_to").as_deref(), Some("/account/security"), "it was kept through the mail");
        let fields = [("email", &*email), ("password", PASSWORD), ("return_to", "/account/security")];
        assert_eq!(ann.fill_in("/login", &fields).await.redirect(), (303, "/account/security"));
    }
    let ann = Person::at(&app);
    let (path, page) = ann.follow("/api/auth/verify-email?token=none").await;
    assert_eq!(path, "/login?verified=0&reason=invalid");
    assert!(page.message().contains("no longer valid") && page.text.contains("href=\"/verify-email\""), "{}", page.message());
    assert_eq!(ann.fill_in("/verify-email", &[("email", ANN)]).await.redirect(), (303, "/verify-email?sent=1"));
    ann.sign_in("ann-en@example.org", PASSWORD).await.expect(303);
}

#[tokio::test]
async fn an_unverified_person_is_offered_another_link() {
    let (mails, app) = mailing().await;
    let ann = Person::at(&app);
    ann.sign_up(ANN).await;
    mails.next_to(ANN).await;
    let page = ann.sign_in(ANN, PASSWORD).await;
    assert_eq!(page.status, 403);
    assert!(
        page.message().contains("Confirm your e-mail address first") && page.text.contains("action=\"/verify-email\""),
        "{}",
        page.text
    );
    ann.fill_in("/verify-email", &[("email", ANN)]).await;
    let link = mails.next_to(ANN).await.link();
    assert_eq!(ann.follow(&path_of(&app, &link)).await.0, "/verify-email/confirm");
    assert_eq!(ann.fill_in("/verify-email/confirm", &[]).await.redirect(), (303, "/login?verified=1"));
    let token = link.split("token=").nth(1).unwrap();
    let moved = ann.page(&format!("/verify-email?token={token}")).await;
    assert_eq!((moved.redirect(), moved.cookie("verify_link").as_deref()), ((303, "/verify-email/confirm"), Some(token)));
    assert_eq!(ann.page("/verify-email/confirm").await.redirect(), (303, "/login?verified=1"), "it is done already");
}

const VERIFIED: &str = "select count(*) from users where email_verified";

/// Eve has registered with Ann's address, and hopes that Ann follows the link.
#[tokio::test]
async fn a_stranger_in_whose_mail_a_link_is_cannot_verify_without_the_password() {
    let (mails, app) = mailing().await;
    let eve = Person::at(&app);
    eve.sign_up(ANN).await;
    let link = path_of(&app, &mails.next_to(ANN).await.link());
    let ann = Person::at(&app);
    for (language, asked) in [("en", "did not register in this browser"), ("de", "nicht in diesem Browser registriert")] {
        ann.page(&format!("/login?lang={language}")).await;
        let page = ann.follow(&link).await.1;
        assert!(page.status == 200 && page.field("password").is_none() && page.text.contains("type=\"password\""), "{}", page.text);
        assert!(page.text.contains(asked) && page.text.contains("href=\"/forgot-password\""), "{}", page.text);
        assert!(!page.text.contains(link.split("token=").nth(1).unwrap()), "the token is in the cookie alone");
    }
    ann.page("/login?lang=en").await;
    for (fields, status, told) in [
        (&[][..], 400, "Enter your password"),
        (&[("password", "")], 400, "Enter your password"),
        (&[("password", "not the harbour")], 403, "The password is wrong"),
    ] {
        let refused = ann.fill_in("/verify-email/confirm", fields).await;
        assert!(refused.status == status && refused.text.contains(told), "{fields:?} {} {}", refused.status, refused.text);
    }
    let token = ann.page("/verify-email/confirm").await.field("csrf_token").unwrap();
    let foreign = ann.send_form("/verify-email/confirm", &[("csrf_token", &token[1..]), ("password", PASSWORD)]).await;
    assert_eq!((foreign.status, app.count(VERIFIED).await), (403, 0));
    let refusals = "select count(*) from account_audit where event = 'auth.email.verified' and status = 'failure'";
    assert_eq!(app.count(refusals).await, 1, "wrong passwords are recorded");

    // Ann herself, at her phone.
    assert_eq!(ann.fill_in("/verify-email/confirm", &[("password", PASSWORD)]).await.redirect(), (303, "/login?verified=1"));
    assert_eq!(app.count(VERIFIED).await, 1);
    assert_eq!(ann.sign_in(ANN, PASSWORD).await.redirect(), (303, "/account"));
}

/// Whatever opens a link, and however often.
#[tokio::test]
async fn no_get_of_a_link_in_a_mail_changes_anything() {
    let (mails, app) = mailing().await;
    Person::at(&app).sign_up(ANN).await;
    let link = path_of(&app, &mails.next_to(ANN).await.link());
    let changes = "select (select count(*) from account_audit) + (select count(*) from one_time where used_at is not null)
                     + (select count(*) from users where email_verified) + (select sum(token_version) from users)";
    let before = app.count(changes).await;
    let sign = |headers: &[(&'static str, &'static str)]| headers.to_vec();
    for headers in [
        sign(&[]),
        sign(&[("accept", "text/html")]),
        sign(&[("user-agent", "Mail-Scanner/1.0")]),
        sign(&[("sec-purpose", "prefetch")]),
    ] {
        let scanner = Person::at(&app);
        let mut path = link.clone();
        // It follows redirects with the cookies that it gets.
        for _ in 0..3 {
            let request = headers
                .iter()
                .fold(scanner.browser.get(scanner.url(&path)), |request, (name, value)| request.header(*name, *value));
            let page = request.answer().await;
            if page.status != 303 {
                assert_eq!((path.as_str(), page.status), ("/verify-email/confirm", 200), "{headers:?}");
                break;
            }
            page.location().clone_into(&mut path);
        }
    }
    assert_eq!(app.count(changes).await, before);
}

#[tokio::test]
async fn a_link_that_is_over_offers_another() {
    let (mails, app) = mailing().await;
    let ann = Person::at(&app);
    ann.sign_up(ANN).await;
    let link = path_of(&app, &mails.next_to(ANN).await.link());
    assert_eq!(ann.follow(&link).await.1.status, 200);
    let token = ann.page("/verify-email/confirm").await.field("csrf_token").unwrap();
    app.clock.advance(SignedDuration::from_hours(24));
    let page = ann.send_form("/verify-email/confirm", &[("csrf_token", &token)]).await;
    for (page, name) in
        [(page, "sent"), (ann.follow(&link).await.1, "opened"), (Person::at(&app).page("/verify-email/confirm").await, "none")]
    {
        assert!(page.status == 400 && page.text.contains("href=\"/verify-email\""), "{name}: {}", page.text);
    }
    let gone = ann.page("/verify-email?token=none").await;
    assert_eq!((gone.redirect(), gone.cookie("verify_link").as_deref()), ((303, "/verify-email/confirm"), Some("")));
    assert_eq!(app.count(VERIFIED).await, 0);
}

/// An account whose address an administrator has taken the proof of, and one without a password.
#[tokio::test]
async fn a_session_of_the_account_takes_the_place_of_the_password_and_no_other_does() {
    let (mails, app) = mailing().await;
    let (ann, bob) = (Person::at(&app), Person::at(&app));
    for (person, email) in [(&ann, ANN), (&bob, "bob@example.org")] {
        person.sign_up(email).await;
        mails.next_to(email).await;
        app.sql("update users set email_verified = true").await;
        person.sign_in(email, PASSWORD).await;
    }
    app.sql(&format!("update users set email_verified = false where email = '{ANN}'")).await;
    let token = link_of_kind(&app, ANN, Kind::Verification).await;
    let link = format!("/verify-email?token={token}");
    let page = bob.follow(&link).await.1;
    assert!(page.text.contains("type=\"password\""), "{}", page.text);
    assert_eq!(bob.fill_in("/verify-email/confirm", &[]).await.status, 400, "the session is of another account");
    let page = ann.follow(&link).await.1;
    assert!(!page.text.contains("type=\"password\""), "{}", page.text);
    assert_eq!(ann.fill_in("/verify-email/confirm", &[]).await.redirect(), (303, "/login?verified=1&prompt=login"));
    assert!(ann.page("/login?verified=1&prompt=login").await.message().contains("is confirmed"));
    assert!(ann.is_signed_in().await, "the session goes on");

    crate::identity::links::invite::invited(&app, "new@example.org").await;
    let token = link_of_kind(&app, "new@example.org", Kind::Verification).await;
    let new = Person::at(&app);
    let page = new.follow(&format!("/verify-email?token={token}")).await.1;
    assert!(page.status == 200 && !page.text.contains("type=\"password\""), "there is none: {}", page.text);
    assert_eq!(new.fill_in("/verify-email/confirm", &[]).await.redirect(), (303, "/login?verified=1"));
}

#[tokio::test]
async fn guessing_the_password_of_a_link_is_limited() {
    let mails = MailBox::start().await;
    let variables = [&[("APP_ARGON2_MEMORY_KIB", "64"), ("APP_ARGON2_ITERATIONS", "1")], &mails.variables()[..]].concat();
    let app = TestApp::with_variables(&variables).await;
    Person::at(&app).sign_up(ANN).await;
    let link = path_of(&app, &mails.next_to(ANN).await.link());
    let eve = Person::at(&app);
    eve.follow(&link).await;
    for _ in 0..5 {
        assert_eq!(eve.fill_in("/verify-email/confirm", &[("password", "a guess at it")]).await.status, 403);
    }
    let locked = eve.fill_in("/verify-email/confirm", &[("password", PASSWORD)]).await;
    assert_eq!((locked.status, app.count(VERIFIED).await), (429, 0));
    assert!(locked.headers.contains_key("retry-after") && locked.text.contains("Too many attempts"), "{}", locked.text);
    app.clock.advance(SignedDuration::from_mins(1));
    assert_eq!(eve.fill_in("/verify-email/confirm", &[("password", PASSWORD)]).await.status, 303, "the link was not used up");
}

#[tokio::test]
async fn the_link_of_a_reset_sets_a_password_and_leaves_the_address_bar() {
    let (mails, app) = mailing().await;
    let ann = Person::at(&app);
    ann.sign_up(ANN).await;
    mails.next_to(ANN).await;
    assert_eq!(ann.fill_in("/forgot-password", &[("email", ANN)]).await.redirect(), (303, "/forgot-password?sent=1"));
    assert_eq!(
        ann.fill_in("/forgot-password", &[("email", "nobody@example.org")]).await.redirect(),
        (303, "/forgot-password?sent=1")
    );
    let link = path_of(&app, &mails.next_to(ANN).await.link());
    let token = link.strip_prefix("/reset-password?token=").unwrap();

    let moved = ann.page(&link).await;
    assert_eq!((moved.redirect(), moved.cookie("reset_link").as_deref()), ((303, "/reset-password"), Some(token)));
    let page = ann.page("/reset-password").await;
    assert!(page.status == 200 && !page.text.contains(token), "{}", page.text);
    let weak = ann.fill_in("/reset-password", &[("newPassword", "password")]).await;
    assert!(weak.status == 400 && weak.message().contains("Many people use"), "{}", weak.message());
    let done = ann.fill_in("/reset-password", &[("newPassword", NEW)]).await;
    assert_eq!((done.redirect(), done.cookie("reset_link").as_deref()), ((303, "/login?notice=reset"), Some("")));
    assert_eq!(ann.sign_in(ANN, NEW).await.redirect(), (303, "/account"));

    let again = ann.follow(&link).await.1;
    assert!(again.status == 400 && again.text.contains("This link is no longer valid") && again.text.contains("/forgot-password"));
    let expired = Person::at(&app);
    expired.fill_in("/forgot-password", &[("email", ANN)]).await;
    // The notice of the changed password, and of the new browser, may come before.
    let link = loop {
        let mail = mails.next_to(ANN).await;
        if mail.text.contains("/reset-password?token=") {
            break path_of(&app, &mail.link());
        }
    };
    assert_eq!(expired.follow(&link).await.1.status, 200);
    app.clock.advance(SignedDuration::from_mins(61));
    let token = expired.page("/login").await.field("csrf_token").unwrap();
    let page = expired.send_form("/reset-password", &[("csrf_token", &token), ("newPassword", "a third quiet bay")]).await;
    assert!(page.status == 400 && page.text.contains("This link is no longer valid"), "{}", page.text);
}

#[tokio::test]
async fn the_link_of_an_invitation_sets_the_first_password_and_signs_in() {
    let (_mails, app) = mailing().await;
    crate::identity::links::invite::invited(&app, ANN).await;
    let token = invitation(&app, ANN).await;
    let ann = Person::at(&app);
    let (path, page) = ann.follow(&format!("/accept-invite?token={token}")).await;
    assert_eq!((path.as_str(), page.status), ("/accept-invite", 200));
    assert!(page.text.contains("Welcome, Ann") && page.text.contains(ANN) && !page.text.contains(&token));
    let weak = ann.fill_in("/accept-invite", &[("newPassword", "short")]).await;
    assert!(weak.status == 400 && weak.message().contains("Use at least 8"), "{}", weak.message());
    assert_eq!(ann.fill_in("/accept-invite", &[("newPassword", NEW)]).await.redirect(), (303, "/account"));
    assert!(ann.is_signed_in().await);
    let page = Person::at(&app).follow(&format!("/accept-invite?token={token}")).await.1;
    assert!(page.status == 400 && page.text.contains("no longer valid"), "{}", page.text);
    assert_eq!(Person::at(&app).page("/accept-invite").await.status, 400, "without a link");
}

#[tokio::test]
async fn the_link_to_a_new_address_changes_it_after_a_click() {
    let (mails, app) = mailing().await;
    let ann = Person::at(&app);
    ann.sign_up(ANN).await;
    app.sql("update users set email_verified = true").await;
    ann.sign_in(ANN, PASSWORD).await;
    let fields = [("newEmail", "new@example.org"), ("password", PASSWORD)];
    assert_eq!(ann.fill_in("/account/email", &fields).await.redirect(), (303, "/account?done=link"));
    let link = path_of(&app, &mails.next_to("new@example.org").await.link());
    let (path, page) = ann.follow(&link).await;
    assert_eq!((path.as_str(), page.status), ("/confirm-email", 200));
    assert!(page.text.contains("new@example.org") && !page.text.contains("type=\"password\""), "{}", page.text);
    assert!(ann.page("/account").await.text.contains(ANN), "opening the link changes nothing");
    assert_eq!(ann.fill_in("/confirm-email", &[]).await.redirect(), (303, "/account?done=address"));
    assert!(ann.page("/account?done=address").await.text.contains("new@example.org"));
    let used = Person::at(&app).follow(&link).await.1;
    assert!(used.status == 400 && used.text.contains("no longer valid") && used.text.contains("href=\"/account/email\""));
    assert_eq!(Person::at(&app).page("/confirm-email?token=none").await.redirect(), (303, "/confirm-email"));
    assert_eq!(Person::at(&app).follow("/confirm-email?token=none").await.1.status, 400);
    let other = link_of_kind(&app, "new@example.org", Kind::AddressChange).await;
    assert_eq!(other.len(), 43);
}

/// Ann has mistyped her new address, and Eve reads the mail to it.
#[tokio::test]
async fn the_link_to_a_new_address_asks_for_the_password_where_the_account_is_not_signed_in() {
    let mails = MailBox::start().await;
    let app = TestApp::with_variables(&[FREE, &[("APP_EMAIL_LOGIN_CODE", "off")], &mails.variables()[..]].concat()).await;
    let (ann, bob) = (Person::at(&app), Person::at(&app));
    for (person, email) in [(&ann, ANN), (&bob, "bob@example.org")] {
        person.sign_up(email).await;
        mails.next_to(email).await;
        app.sql("update users set email_verified = true").await;
        person.sign_in(email, PASSWORD).await;
    }
    let fields = [("newEmail", "new@example.org"), ("password", PASSWORD)];
    assert_eq!(ann.fill_in("/account/email", &fields).await.redirect(), (303, "/account?done=link"));
    let link = path_of(&app, &mails.next_to("new@example.org").await.link());
    let eve = Person::at(&app);
    for (language, asked) in [("en", "not signed in to your account here"), ("de", "hier nicht bei Ihrem Konto angemeldet")] {
        eve.page(&format!("/login?lang={language}")).await;
        let page = eve.follow(&link).await.1;
        assert!(page.status == 200 && page.text.contains("type=\"password\"") && page.text.contains(asked), "{}", page.text);
        assert!(
            page.text.contains("new@example.org") && !page.text.contains(ANN),
            "whose account it is stays hidden: {}",
            page.text
        );
    }
    eve.page("/login?lang=en").await;
    for (fields, status, told) in [
        (&[][..], 400, "Enter your password"),
        (&[("password", "")], 400, "Enter your password"),
        (&[("password", "not the harbour")], 403, "The password is wrong"),
    ] {
        let refused = eve.fill_in("/confirm-email", fields).await;
        assert!(refused.status == status && refused.text.contains(told), "{fields:?} {} {}", refused.status, refused.text);
    }
    assert!(ann.page("/account").await.text.contains(ANN) && ann.is_signed_in().await, "nothing has changed");

    // A session of another account takes the place of nothing, and goes on.
    assert!(bob.follow(&link).await.1.text.contains("type=\"password\""));
    assert_eq!(bob.fill_in("/confirm-email", &[]).await.status, 400);
    let confirmed = bob.fill_in("/confirm-email", &[("password", PASSWORD)]).await;
    assert_eq!(confirmed.redirect(), (303, "/login?notice=address&prompt=login"), "the link was not used up");
    let page = bob.page(confirmed.location()).await;
    assert!(page.message().contains("has been changed"), "{}", page.message());
    assert_eq!(page.field("email").as_deref(), Some("new@example.org"), "nobody types it a second time");
    assert!(bob.is_signed_in().await && !ann.is_signed_in().await);

    // The same in a browser without any session.
    let ann = Person::at(&app);
    assert_eq!(ann.sign_in("new@example.org", PASSWORD).await.redirect(), (303, "/account"));
    let fields = [("newEmail", "third@example.org"), ("password", PASSWORD)];
    assert_eq!(ann.fill_in("/account/email", &fields).await.redirect(), (303, "/account?done=link"));
    let (phone, link) = (Person::at(&app), path_of(&app, &mails.next_to("third@example.org").await.link()));
    phone.follow(&link).await;
    let confirmed = phone.fill_in("/confirm-email", &[("password", PASSWORD)]).await;
    assert_eq!(confirmed.redirect(), (303, "/login?notice=address"));
    assert_eq!(phone.page(confirmed.location()).await.field("email").as_deref(), Some("third@example.org"));
}

/// The links of notices name pages without a token.
#[tokio::test]
async fn the_links_of_notices_lead_to_pages() {
    let (mails, app) = mailing().await;
    for language in ["en", "de"] {
        let email = format!("ann-{language}@example.org");
        let ann = Person::at(&app);
        ann.page(&format!("/register?lang={language}")).await;
        ann.sign_up(&email).await;
        mails.next_to(&email).await;
        app.sql("update users set email_verified = true").await;
        ann.sign_in(&email, PASSWORD).await;
        let fields = [("currentPassword", PASSWORD), ("newPassword", NEW)];
        assert_eq!(ann.fill_in("/account/security/password", &fields).await.redirect(), (303, "/account/security?done=password"));
        let mail = mails.next_to(&email).await;
        let links = links(&mail.text);
        assert!(links.len() >= 2, "{}", mail.text);
        for link in links {
            let (path, page) = ann.follow(&path_of(&app, &link)).await;
            assert_eq!(page.status, 200, "{path}");
            assert!(page.text.contains(&format!("<html lang=\"{language}\"")), "{path}");
        }
    }
}

#[tokio::test]
async fn a_notice_names_the_browser_in_the_language_of_its_mail() {
    let (mails, app) = mailing().await;
    for (language, told) in [("en", "Device: Firefox on Linux"), ("de", "Gerät: Firefox auf Linux")] {
        let email = format!("ann-{language}@example.org");
        let browser = browser_called("Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0");
        let ann = Person { origin: app.url(""), browser };
        ann.page(&format!("/register?lang={language}")).await;
        ann.sign_up(&email).await;
        mails.next_to(&email).await;
        app.sql("update users set email_verified = true").await;
        ann.sign_in(&email, PASSWORD).await;
        let fields = [("currentPassword", PASSWORD), ("newPassword", NEW)];
        assert_eq!(ann.fill_in("/account/security/password", &fields).await.status, 303);
        let mail = mails.next_to(&email).await;
        assert!(mail.text.contains(told) && mail.text.contains(told), "{told} in {}", mail.text);
    }
}

/// There is no mail that the tests above do not follow the links of, but for the one of
/// `space_people::invitations`.
#[test]
fn these_are_all_mails_with_links() {
    assert_eq!(Template::VARIANTS, ["verification", "invite", "passwordReset", "spaceInvite", "loginCode", "newLogin"]);
}
