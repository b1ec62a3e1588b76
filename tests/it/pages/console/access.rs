//! Who may open the console.

use super::{ADMIN, ANN, CLIENTS, app_with, id_of, with_administrator, with_ann};
use support::prelude::*;

/// The pages of the console, each at a path that exists.
fn paths(app: &TestApp, id: &str) -> Vec<String> {
    let of_console = app
        .endpoints
        .iter()
        .filter(|endpoint| endpoint.template.starts_with("/admin") && endpoint.template != "/admin/workers/events");
    let paths: Vec<String> = of_console
        .filter(|endpoint| endpoint.method == Method::GET)
        .map(|endpoint| match endpoint.template.strip_prefix("/admin/clients/{id}") {
            Some(rest) => format!("/admin/clients/web{rest}"),
            None => endpoint
                .template
                .replace("{id}", id)
                .replace("{act}", "suspend")
                .replace("{space}", "7")
                .replace("{name}", "webhooks")
                .replace("/roles/change", "/roles/change?group=shop"),
        })
        .collect();
    assert!(paths.len() >= 16, "{paths:?}");
    paths
}

#[tokio::test]
async fn only_an_administrator_sees_the_console() {
    let (app, admin, ann) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let id = id_of(&app, ANN).await;
    let space = "insert into spaces (id, name, created_at, updated_at) overriding system value values (7, 'Site', now(), now())";
    app.sql(space).await;
    app.sql("insert into space_counters (space_id, cv) values (7, 1)").await;
    for path in paths(&app, &id) {
        let page = admin.page(&path).await;
        // A file, and a mail in its frame.
        let is_page =
            page.text.contains("class=\"sections\"") || ["/admin/audit/csv", "/admin/mail/preview/frame"].contains(&path.as_str());
        assert!(page.status == 200 && is_page, "{path}: {}", page.text);
        let page = ann.page(&path).await;
        assert_eq!(page.status, 403, "{path}");
        assert!(
            page.text.contains("This part is for administrators") && !page.text.contains("class=\"sections\""),
            "{}",
            page.text
        );
    }
    app.sql("update users set is_admin = false").await;
    assert_eq!(admin.page("/admin").await.status, 403, "a right that was removed is gone at once");
}

#[tokio::test]
async fn every_link_of_the_navigation_leads_to_a_page() {
    let (_app, admin) = with_administrator().await;
    let page = admin.page("/admin").await;
    let navigation = page.text.split("class=\"sections\"").nth(1).unwrap().split("</ul>").next().unwrap();
    let links: Vec<&str> = navigation.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(links.contains(&"/admin") && links.contains(&"/admin/users"), "{links:?}");
    assert!(links.len() >= 6, "{links:?}");
    for link in links {
        let page = admin.page(link).await;
        assert_eq!(page.status, 200, "{link}");
        assert!(page.text.contains(&format!("href=\"{link}\" aria-current=\"page\"")), "{link} is where one is");
        assert!(page.text.contains("href=\"/account\">Ann Bee</a>") && page.text.contains("action=\"/logout\""), "{link}");
    }
}

#[tokio::test]
async fn who_signed_in_long_ago_signs_in_again_and_comes_back() {
    let app = app_with(&[("APP_ADMIN_SESSION_MAX_AGE", "3600")]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    app.clock.advance(SignedDuration::from_secs(3601));
    let page = admin.page("/admin/users?search=ann%40example.org&page=1").await;
    let back = "/admin/users?search=ann%40example.org&page=1";
    let encoded = "/admin/users%3Fsearch%3Dann%2540example.org%26page%3D1";
    assert_eq!(page.redirect(), (303, format!("/login?prompt=login&notice=administer&return_to={encoded}").as_str()));
    let login = admin.page(page.location()).await;
    assert_eq!((login.status, login.field("return_to").as_deref()), (200, Some(back)));
    assert!(login.message().contains("sign in again"), "{}", login.message());
    assert_eq!(login.field("email").as_deref(), Some(ADMIN), "who signs in once more types no address");
    let fields = [("email", ADMIN), ("password", PASSWORD), ("return_to", back)];
    let token = login.field("csrf_token").unwrap();
    let signed_in = admin.send_form("/login", &[&[("csrf_token", token.as_str())], &fields[..]].concat()).await;
    assert_eq!(signed_in.redirect(), (303, back));
    assert_eq!(admin.page(back).await.status, 200);
    app.clock.advance(SignedDuration::from_secs(3601));
    let page = admin.page("/admin/users?search=a/b").await;
    assert!(page.location().ends_with("&return_to=/admin/users"), "what no path can hold is left out: {}", page.location());
    assert_eq!(admin.page("/account").await.status, 200, "the session goes on elsewhere");
}

#[tokio::test]
async fn the_account_pages_lead_an_administrator_to_the_console() {
    let (_app, admin, ann) = with_ann(&[]).await;
    assert!(admin.page("/account").await.text.contains("href=\"/admin\""));
    assert!(!ann.page("/account").await.text.contains("/admin"));
}
