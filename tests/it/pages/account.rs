//! The account pages without scripts.

use super::{ANN, app, signed_in};
use support::{Authenticator, prelude::*};

const NEW: &str = "an even quieter port";
const BEN: &str = "ben@example.org";

#[tokio::test]
async fn name_and_language_are_changed() {
    let (_app, ann) = signed_in().await;
    let fields = [("firstName", "Anna"), ("lastName", ""), ("displayName", "Ännchen"), ("locale", "de")];
    assert_eq!(ann.fill_in("/account", &fields).await.redirect(), (303, "/account?done=saved"));
    let page = ann.page("/account?done=saved").await;
    assert_eq!(page.message(), "Gespeichert.");
    assert_eq!(["firstName", "lastName", "displayName"].map(|name| page.field(name).unwrap()), ["Anna", "", "Ännchen"]);
    let page = ann.fill_in("/account", &[("firstName", " "), ("displayName", "kept"), ("locale", "de")]).await;
    assert_eq!((page.status, page.field("displayName").as_deref()), (400, Some("kept")));
    assert!(page.text.contains("id=\"firstName-error\""));
}

#[tokio::test]
async fn the_address_is_changed_with_the_password() {
    let (_app, ann) = signed_in().await;
    let page = ann.fill_in("/account/email", &[("newEmail", BEN), ("password", "not the harbour")]).await;
    assert_eq!((page.status, page.field("newEmail").as_deref()), (403, Some(BEN)));
    assert!(page.text.contains("id=\"password-error\""), "{}", page.text);
    assert_eq!(ann.fill_in("/account/email", &[("newEmail", BEN), ("password", "")]).await.status, 400);
    assert_eq!(
        ann.fill_in("/account/email", &[("newEmail", BEN), ("password", PASSWORD)]).await.redirect(),
        (303, "/account?done=address")
    );
    assert!(ann.page("/account?done=address").await.text.contains(BEN), "the session goes on with its new cookie");
}

#[tokio::test]
async fn the_password_is_changed_and_other_browsers_are_signed_out() {
    let (app, ann) = signed_in().await;
    let other = Person::at(&app);
    other.sign_in(ANN, PASSWORD).await;
    let change = async |current: &str, new: &str| {
        ann.fill_in("/account/security/password", &[("currentPassword", current), ("newPassword", new)]).await
    };
    for (current, new, status, field) in [
        ("not the harbour", NEW, 403, "currentPassword"),
        ("", NEW, 400, "currentPassword"),
        (PASSWORD, "short", 400, "newPassword"),
        (PASSWORD, PASSWORD, 400, "newPassword"),
    ] {
        let page = change(current, new).await;
        assert_eq!(page.status, status, "{current} {new}");
        assert!(page.text.contains(&format!("id=\"{field}-error\"")), "{current} {new}: {}", page.message());
    }
    assert_eq!(change(PASSWORD, NEW).await.redirect(), (303, "/account/security?done=password"));
    assert_eq!(ann.page("/account/security?done=password").await.message(), "Your password has been changed.");
    assert!(ann.is_signed_in().await && !other.is_signed_in().await);
    let page = ann.fill_in("/account/security/password/remove", &[("password", NEW)]).await;
    assert!(page.status == 403 && page.message().contains("Add a passkey first"), "{}", page.message());
}

/// The key that the page of an app shows.
fn key(page: &Response) -> String {
    page.text.split("class=\"secret\">").nth(1).unwrap().split('<').next().unwrap().replace(' ', "")
}

fn backup_codes(page: &Response) -> Vec<String> {
    let list = page.text.split("id=\"codes\">").nth(1).unwrap().split("</ol>").next().unwrap();
    list.split("<li>").skip(1).map(|item| item.split('<').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_app_is_set_up_replaced_and_turned_off() {
    let (app, ann) = signed_in().await;
    let page = ann.page("/account/security/app").await;
    assert!(page.text.contains("<svg") && page.text.contains("QR code for the authenticator app"));
    assert_eq!(key(&ann.page("/account/security/app").await), key(&page), "a page that is loaded again shows the same key");
    let first = Authenticator::holding(&key(&page));
    let wrong = ann.fill_in("/account/security/app", &[("code", &first.code_off(app.clock.now(), 3))]).await;
    assert_eq!((wrong.status, key(&wrong)), (400, key(&page)), "and so does one that came back");
    let shown = ann.fill_in("/account/security/app", &[("code", &first.code(app.clock.now()))]).await;
    let codes = backup_codes(&shown);
    assert_eq!((shown.status, codes.len()), (200, 10));
    assert!(shown.text.contains("name=\"stored\" required"), "they have to be stored: {}", shown.text);
    assert!(!ann.page("/account/security").await.text.contains(&codes[0]), "they are shown once");
    assert!(ann.page("/account/security").await.text.contains("Backup codes left: 10"));

    app.clock.advance(SignedDuration::from_secs(60));
    let page = ann.page("/account/security/app").await;
    let second = Authenticator::holding(&key(&page));
    let code = second.code(app.clock.now());
    assert_eq!(ann.fill_in("/account/security/app", &[("code", &code)]).await.status, 400, "a code of the old app is needed");
    let fields = [("code", &*code), ("currentCode", &first.code(app.clock.now()))];
    assert_eq!(backup_codes(&ann.fill_in("/account/security/app", &fields).await).len(), 10);

    app.clock.advance(SignedDuration::from_secs(60));
    let page = ann.page("/account/security/app?lost=1").await;
    let third = Authenticator::holding(&key(&page));
    let renewed = ann.fill_in("/account/security/backup-codes", &[("code", &second.code(app.clock.now()))]).await;
    let codes = backup_codes(&renewed);
    let code = third.code(app.clock.now());
    let fields = [("code", &*code), ("lost", "1"), ("password", PASSWORD), ("backupCode", "")];
    let page = ann.fill_in("/account/security/app?lost=1", &fields).await;
    assert!(page.status == 400 && page.text.contains("id=\"backupCode-error\""), "{}", page.message());
    let fields = [("code", &*code), ("lost", "1"), ("password", PASSWORD), ("backupCode", &codes[0])];
    let page = ann.fill_in("/account/security/app?lost=1", &fields).await;
    assert_eq!(page.status, 200, "{}", page.message());
    let codes = backup_codes(&page);

    assert_eq!(ann.fill_in("/account/security/app/remove", &[("code", "000000")]).await.status, 400);
    let page = ann.fill_in("/account/security/app/remove", &[("code", &codes[0])]).await;
    assert_eq!(page.redirect(), (303, "/account/security?done=app-removed"));
    // A HEAD makes no secret.
    let head = ann.browser.request(Method::HEAD, ann.url("/account/security/app")).send().await.unwrap();
    assert_eq!(head.status(), 405);
}

#[tokio::test]
async fn passkeys_are_renamed_and_removed() {
    let (app, ann) = signed_in().await;
    Person::signed_in(&app, BEN).await;
    for (email, name) in [(ANN, "Phone"), (BEN, "Stick")] {
        let insert = format!(
            "insert into passkeys (id, user_id, credential_id, credential, sign_count, is_synced, is_backed_up, transports, name, created_at)
             select id, id, uuid_send(id), '{{}}', 0, false, false, '{{}}', '{name}', created_at from users where email = '{email}'"
        );
        app.sql(&insert).await;
    }
    let page = ann.page("/account/security").await;
    assert!(page.text.contains("Phone") && !page.text.contains("Stick"));
    let path = page
        .text
        .split("href=\"")
        .find(|rest| rest.starts_with("/account/security/passkeys/"))
        .unwrap()
        .split('"')
        .next()
        .unwrap()
        .to_owned();
    assert_eq!(ann.fill_in(&path, &[("name", " ")]).await.status, 400);
    assert_eq!(ann.fill_in(&path, &[("name", "My <b>phone</b>")]).await.redirect(), (303, "/account/security?done=saved"));
    assert!(ann.page("/account/security").await.text.contains("My &lt;b&gt;phone&lt;/b&gt;"));

    let ben = Person::at(&app);
    ben.sign_in(BEN, PASSWORD).await;
    assert_eq!(ben.page(&path).await.status, 404, "it is not his");
    let token = ben.page("/logout").await.field("csrf_token").unwrap();
    assert_eq!(ben.send_form(&format!("{path}/remove"), &[("csrf_token", &token)]).await.status, 404);
    let removed = ann.fill_in(&format!("{path}/remove"), &[]).await;
    assert_eq!(removed.redirect(), (303, "/account/security?done=passkey-removed"));
    assert!(ann.page("/account/security").await.text.contains("You have no passkey yet."));
    ann.fill_in("/logout", &[]).await.expect(303);
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let (app, ann) = signed_in().await;
    let others = [Person::at(&app), Person::at(&app), Person::at(&app)];
    for other in &others {
        other.sign_in(ANN, PASSWORD).await;
    }
    let page = ann.page("/account/sessions").await;
    assert_eq!((page.text.matches("This browser").count(), page.text.matches("name=\"end\"").count()), (1, 4));
    let (above, rows) = (page.text.find("value=\"others\"").unwrap(), page.text.find("class=\"rows\"").unwrap());
    assert!(above < rows, "to end all others stands above the list");
    let ended = page.text.split("name=\"end\" value=\"").nth(2).unwrap();
    let last = ended.split('"').next().unwrap().to_owned();
    assert_eq!(ann.fill_in("/account/sessions", &[("end", &last)]).await.redirect(), (303, "/account/sessions?done=one"));
    assert_eq!(ann.page("/account/sessions?done=one").await.text.matches("name=\"end\"").count(), 3);
    assert_eq!(ann.fill_in("/account/sessions", &[("end", &last)]).await.status, 303, "it is ended already");
    assert_eq!(ann.fill_in("/account/sessions", &[("end", "x")]).await.status, 400);
    assert_eq!(ann.fill_in("/account/sessions", &[("end", "others")]).await.redirect(), (303, "/account/sessions?done=others"));
    assert!(ann.is_signed_in().await);
    for other in &others {
        assert!(!other.is_signed_in().await);
    }
}

#[tokio::test]
async fn the_activity_is_told_in_words_and_by_pages() {
    let (app, ann) = signed_in().await;
    for _ in 0..35 {
        Person::at(&app).sign_in(ANN, "not the harbour").await;
    }
    let page = ann.page("/account/activity").await;
    assert!(page.text.contains("Sign-in refused") && !page.text.contains("Signed in<"), "{}", page.text);
    let older =
        page.text.split("href=\"").find(|rest| rest.starts_with("/account/activity?before=")).unwrap().split('"').next().unwrap();
    let page = ann.page(older).await;
    assert!(page.text.contains("Account created") && !page.text.contains("Older entries"), "{}", page.text);
    let switched = ann.page(&format!("{older}&lang=de")).await;
    assert_eq!(switched.location(), older);
    assert!(ann.page(older).await.text.contains("Konto angelegt"));
}

/// The titles and the lines below them, the newest first.
fn activity(page: &Response) -> Vec<(String, String)> {
    let list = page.text.split("<ul class=\"rows\">").nth(1).unwrap().split("</ul>").next().unwrap();
    let text = |rest: &str| rest.split('<').next().unwrap().replace("&amp;", "&");
    let below = |entry: &str| entry.split("<span class=\"muted small\">").nth(1).map(text).unwrap_or_default();
    list.split("<strong>").skip(1).map(|entry| (text(entry), below(entry))).collect()
}

#[tokio::test]
async fn one_thing_that_happened_is_one_entry_whatever_was_recorded_of_it() {
    const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0";
    let (app, ann) = signed_in().await;
    // The requests of this person name no browser; those of this one name one that is new.
    let other = Person::with_browser(&app, FIREFOX);
    other.sign_in(ANN, PASSWORD).await;
    let rows = app.count("select count(*) from account_audit where event like 'auth.login.%'").await;
    assert!(rows > 2, "two sign-ins, and what is strange about the second: {rows}");
    let told = activity(&ann.page("/account/activity").await);
    let titles: Vec<&str> = told.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["Signed in", "Signed in", "Account created"], "{told:?}");
    assert!(told[0].1.starts_with("new device, ") && told[0].1.contains("Firefox on Linux, 127.0.0.1"), "{told:?}");
    assert_eq!(told[1].1, "127.0.0.1", "nothing is said of a browser that is not known");
}

#[tokio::test]
async fn what_an_administrator_does_is_told_to_both_in_words() {
    let app = app().await;
    let admin = Person::signed_in(&app, ANN).await;
    let ben = Person::signed_in(&app, BEN).await;
    let id: String = { app.value("select id::text from users where email = 'ben@example.org'").await };
    admin.fill_in(&format!("/admin/users/{id}/reset-factors"), &[("password", PASSWORD)]).await.expect(303);
    for (person, lang, told) in [
        (&admin, "en", "Reset an account’s second factors"),
        (&ben, "en", "Second factors reset by an administrator"),
        (&admin, "de", "Die zweiten Faktoren eines Kontos zurückgesetzt"),
        (&ben, "de", "Zweite Faktoren von der Verwaltung zurückgesetzt"),
    ] {
        if !person.is_signed_in().await {
            person.sign_in(BEN, PASSWORD).await;
        }
        person.page(&format!("/account/activity?lang={lang}")).await;
        let page = person.page("/account/activity").await;
        assert!(activity(&page).iter().any(|(title, _)| title == told), "{told}: {:?}", activity(&page));
        assert!(!page.text.contains("admin.user") && !page.text.contains("Unknown browser"), "{}", page.text);
    }
}

#[tokio::test]
async fn the_head_names_the_person_and_signs_out_at_once() {
    let (_app, ann) = signed_in().await;
    for path in ["/account", "/account/security", "/admin"] {
        let page = ann.page(path).await;
        let head = page.text.split("<header class=\"top\">").nth(1).unwrap().split("</header>").next().unwrap();
        assert!(head.contains("Ann Bee") && head.contains("action=\"/logout\"") && !head.contains("href=\"/logout\""), "{head}");
        assert_eq!(head.contains(ANN), path != "/admin", "{head}");
    }
    let token = ann.page("/account").await.field("csrf_token").unwrap();
    assert_eq!(ann.send_form("/logout", &[("csrf_token", &token)]).await.redirect(), (303, "/logout"));
    assert!(!ann.is_signed_in().await);
    assert!(ann.page("/logout").await.text.contains("You are signed out"));
}

#[tokio::test]
async fn the_first_administrator_is_told_what_is_left_to_do_until_it_is_done() {
    let (app, ann) = signed_in().await;
    let page = ann.page("/account").await;
    for way in ["/docs/operations#mail", "/docs/configuration#app_base_url", "/studio/new", "/docs/clients"] {
        assert!(page.text.contains(&format!("href=\"{way}\"")), "{way}: {}", page.text);
        let (document, anchor) = way.split_once('#').unwrap_or((way, ""));
        let document = ann.page(document).await;
        assert!(document.status == 200 && (anchor.is_empty() || document.text.contains(&format!("id=\"{anchor}\""))), "{way}");
    }
    assert!(!page.text.contains(">Done<"));
    app.sql("insert into spaces (name, owner_id, created_at, updated_at) select 'Site', id, now(), now() from users").await;
    let page = ann.page("/account").await;
    assert!(page.text.matches(">Done<").count() == 1 && !page.text.contains("/studio/new"), "{}", page.text);
    let ben = Person::signed_in(&app, BEN).await;
    assert!(!ben.page("/account").await.text.contains("First steps"), "others have nothing to do with it");
    assert_eq!(ann.fill_in("/account", &[("hide", "first-steps")]).await.redirect(), (303, "/account"));
    let page = ann.page("/account").await;
    assert!(!page.text.contains("First steps") && page.field("firstName").as_deref() == Some("Ann"), "{}", page.text);

    let mails = support::MailBox::start().await;
    let clients = r#"[{"clientId": "web", "name": "Web", "redirectUris": ["https://app.example/cb"], "kind": "public"}]"#;
    let more = [("APP_OIDC_CLIENTS_JSON", clients), ("APP_BASE_URL", "https://id.example.org"), ("APP_COOKIE_SECURE", "false")];
    let done = super::app_with(&[&mails.variables()[..], &more].concat()).await;
    let ann = Person::at(&done);
    ann.sign_up(ANN).await;
    done.sql("update users set email_verified = true").await;
    ann.sign_in(ANN, PASSWORD).await;
    assert!(ann.page("/account").await.text.contains("First steps"), "a space is missing");
    done.sql("insert into spaces (name, owner_id, created_at, updated_at) select 'Site', id, now(), now() from users").await;
    assert!(!ann.page("/account").await.text.contains("First steps"), "all is done");
}

#[tokio::test]
async fn the_data_are_downloaded() {
    let (_app, ann) = signed_in().await;
    let file = ann.fill_in("/account/data", &[]).await;
    assert_eq!(file.status, 200);
    assert!(file.header("content-disposition").starts_with("attachment; filename=\"account-export-"));
    assert!(file.text.contains("\"auditLog\""), "{}", file.text);
}

#[tokio::test]
async fn an_account_is_deleted_once_its_consequences_were_named() {
    let app = app().await;
    let admin = Person::signed_in(&app, ANN).await;
    let page = admin.fill_in("/account/delete", &[("password", PASSWORD)]).await;
    assert!(page.status == 409 && page.message().contains("only administrator"), "{}", page.message());

    let ben = Person::signed_in(&app, BEN).await;
    assert!(ben.page("/account/delete").await.text.contains("You do not own a space."));
    for (spaces, told) in [(1, "The space that you own stays"), (2, "The 2 spaces that you own stay")] {
        app.sql(&format!("with made as (insert into spaces (name, owner_id, created_at, updated_at) select 'Site', id, now(), now() from users where email = '{BEN}' returning id) insert into space_counters (space_id, cv) select id, 1 from made")).await;
        assert!(ben.page("/account/delete").await.text.contains(told), "{spaces}");
    }
    let page = ben.fill_in("/account/delete", &[("password", "not the harbour")]).await;
    assert!(page.status == 403 && page.text.contains("2 spaces"), "{}", page.text);
    assert_eq!(ben.fill_in("/account/delete", &[("password", PASSWORD)]).await.redirect(), (303, "/login?notice=deleted"));
    assert!(!ben.is_signed_in().await);
    assert_eq!(ben.sign_in(BEN, PASSWORD).await.status, 401);
}
