//! Times in words, the Markdown of the configuration's catalogue, and the links of the pages about
//! applications and the configuration.

use super::{ADMIN, app_with, with_administrator};
use support::prelude::*;

const CLIENTS: &str = r#"[{"clientId":"web","name":"Web","redirectUris":["https://a.example/cb"],"roles":["viewer"],"grantTypes":["authorization_code","refresh_token"],"refreshTokenTtl":1209600,"accessTokenTtl":5400,
    "policyUri":"https://a.example/privacy","tosUri":"https://a.example/terms"},
    {"clientId":"phone.app","kind":"public","redirectUris":["https://b.example/cb"]}]"#;

#[tokio::test]
async fn times_are_told_in_days_and_hours_in_both_languages() {
    let variables = [("APP_OIDC_CLIENTS_JSON", CLIENTS), ("APP_ADMIN_SESSION_MAX_AGE", "90061")];
    let app = app_with(&variables).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    for (language, client, variable) in [
        ("en", ["14 days", "1 hour, 30 minutes"], ["1 day, 1 hour, 1 minute, 1 second", "(12 hours)"]),
        ("de", ["14 Tage", "1 Stunde, 30 Minuten"], ["1 Tag, 1 Stunde, 1 Minute, 1 Sekunde", "(12 Stunden)"]),
    ] {
        admin.page(&format!("/admin?lang={language}")).await;
        let page = admin.page("/admin/clients/web").await;
        assert!(
            client.iter().all(|words| page.text.contains(words)) && !page.text.contains("1209600"),
            "{language}: {}",
            page.text
        );
        let page = admin.page("/admin/configuration?search=APP_ADMIN_SESSION_MAX_AGE").await;
        assert!(variable.iter().all(|words| page.text.contains(words)), "{language}: {}", page.text);
        assert!(page.text.contains("<code>90061</code>") && page.text.contains("<code>43200</code>"), "{language}: {}", page.text);
    }
}

#[tokio::test]
async fn the_catalogue_is_marked_up_and_marked_as_english() {
    let (_app, admin) = with_administrator().await;
    admin.page("/admin?lang=de").await;
    let page = admin.page("/admin/configuration").await;
    assert!(page.text.contains("<html lang=\"de\"") && page.text.contains("<h2>Netz</h2>"), "{}", page.text);
    let described = page.text.split(" lang=\"en\">").skip(1).map(|rest| rest.split("</span>").next().unwrap());
    let all: Vec<&str> = described.filter(|text| !text.starts_with("English")).collect();
    assert!(all.len() >= lectern::config::variables::all().count(), "{}", all.len());
    for text in &all {
        assert!(!text.contains('`') && !text.contains("]("), "{text}");
    }
    let sent = all.iter().find(|text| text.contains("How long after signing in an administrator")).unwrap();
    assert!(sent.contains("<code>reauthenticationRequired</code>"), "{sent}");
    assert!(page.text.contains("<a href=\"/docs/moving-users\">docs/moving-users.md</a>"), "{}", page.text);
}

/// Each link of these pages within the server is a page, and each anchor is on it.
#[tokio::test]
async fn every_link_leads_somewhere() {
    let app = app_with(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    let mut links = BTreeSet::new();
    for path in [
        "/admin/clients",
        "/admin/clients/web",
        "/admin/clients/phone.app",
        "/admin/configuration",
        "/admin/roles",
        "/admin/mail/preview",
    ] {
        let page = admin.page(path).await;
        assert_eq!(page.status, 200, "{path}");
        let found = page.text.split("<main").nth(1).unwrap().split("</main>").next().unwrap();
        let found = found.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().replace("&amp;", "&"));
        links.extend(found.map(|link| link.strip_prefix(&app.url("")).map_or_else(|| link.clone(), str::to_owned)));
    }
    for wanted in [
        "/docs/configuration",
        "/docs/clients",
        "/docs/clients#libraries",
        "/admin/configuration?search=APP_OIDC_CLIENTS_JSON",
        "/admin/configuration?search=APP_OIDC_JWT_ACCESS_TTL",
        "/admin/audit?client=phone.app",
        "https://a.example/privacy",
    ] {
        assert!(links.contains(wanted), "{wanted}: {links:?}");
    }
    for link in links.iter().filter(|link| !link.starts_with("https://a.example/")) {
        let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
        let page = admin.page(path).await;
        let is_begun = path.starts_with("/oidc/authorize") && page.status == 303;
        assert!(page.status == 200 || is_begun, "{link}: {}", page.status);
        assert!(anchor.is_empty() || page.text.contains(&format!("id=\"{anchor}\"")), "{link}");
        if let Some(name) = path.strip_prefix("/admin/configuration?search=") {
            assert!(page.text.contains(&format!("<code>{name}</code>")), "{link} finds it");
        }
    }
}
