//! Roles, applications and the configuration.

use super::{ADMIN, ANN, CLIENTS, app_with, id_of, with_administrator, with_ann};
use support::prelude::*;

#[tokio::test]
async fn groups_of_roles_are_listed_and_what_is_assigned_is_moved() {
    let (app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let page = admin.page("/admin/roles").await;
    assert!(
        page.text.contains("viewer, editor") && page.text.contains("one role") && page.text.contains("href=\"/admin/clients/web\""),
        "{}",
        page.text
    );
    let id = id_of(&app, ANN).await;
    app.sql(&format!("insert into role_assignments values ('{id}', 'old', 'viewer', now()), ('{id}', 'old', 'editor', now())"))
        .await;
    let choose = admin.page("/admin/roles/rekey").await;
    assert!(
        choose.text.contains("name=\"from\"")
            && choose.text.contains("<option value=\"shop\"")
            && choose.field("password").is_none()
    );
    for wrong in ["?from=&to=shop", "?from=shop&to=shop", "?from=old&to=none", "?from=old"] {
        let page = admin.page(&format!("/admin/roles/rekey{wrong}")).await;
        assert!(page.status == 400 && page.text.contains("name=\"from\""), "{wrong}: {}", page.text);
    }
    let path = "/admin/roles/rekey?from=old&to=shop";
    assert!(admin.page(path).await.text.contains("One person has a role under the old name."));
    let stored = "select string_agg(role_group || ':' || role, ' ' order by role) as text from role_assignments";
    let names = [("from", "old"), ("to", "shop")];
    let page = admin.fill_in(path, &[&names[..], &[("password", "not the harbour")]].concat()).await;
    assert!(page.status == 403 && page.field("from").as_deref() == Some("old"), "{}", page.text);
    assert_eq!(app.value::<String>(stored).await, "old:editor old:viewer");
    let page = admin.fill_in(path, &[&names[..], &[("password", PASSWORD)]].concat()).await;
    assert_eq!(page.redirect(), (303, "/admin/roles?done=rekeyed&count=2"));
    assert_eq!(admin.page(page.location()).await.message(), "Roles that were moved: 2.");
    assert_eq!(app.value::<String>(stored).await, "shop:editor shop:viewer");
}

#[tokio::test]
async fn an_application_is_shown_with_a_sign_in_to_test() {
    let app = app_with(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    let list = admin.page("/admin/clients").await;
    assert!(list.text.contains("Shop &lt;b&gt;") && list.text.contains("href=\"/admin/clients/one\""), "{}", list.text);
    let page = admin.page("/admin/clients/web").await;
    for part in [
        "client_secret_basic",
        "https://a.example/cb?x=1",
        "https://a.example/hook",
        "authorization_code",
        "/admin/clients/web/secret",
        "every token of this server",
    ] {
        assert!(page.text.contains(part), "{part}: {}", page.text);
    }
    for client in ["web", "one"] {
        let page = admin.page(&format!("/admin/clients/{client}")).await;
        let test = page.text.split("href=\"/oidc/authorize").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
        let answer = admin.page(&format!("/oidc/authorize{test}")).await;
        assert_eq!(answer.status, 303, "{}", answer.text);
        assert!(answer.location().contains("/interaction/") || answer.location().contains("code="), "{}", answer.location());
    }
    assert!(!admin.page("/admin/clients/one").await.text.contains("/secret\""), "a public client has none");
    assert_eq!(admin.page("/admin/clients/none").await.status, 404);
}

#[tokio::test]
async fn a_secret_is_shown_after_a_proof() {
    let app = app_with(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    let recorded = "select count(*)::text as text from account_audit where event = 'admin.client.secret_revealed'";
    let page = admin.fill_in("/admin/clients/web/secret", &[("password", "not the harbour")]).await;
    assert!(page.status == 403 && !page.text.contains("class=\"secret\""), "{}", page.text);
    assert_eq!(app.value::<String>(recorded).await, "0");
    let page = admin.fill_in("/admin/clients/web/secret", &[("password", PASSWORD)]).await;
    assert_eq!((page.status, page.header("cache-control")), (200, "no-store"));
    let shown = page.text.split("id=\"secret\">").nth(1).unwrap().split('<').next().unwrap();
    assert!(shown.len() >= 32 && page.text.contains("id=\"webhook\""), "{}", page.text);
    let answer = admin.browser.get(admin.url("/api/admin/clients/web/secret")).send().await.unwrap();
    let body: serde_json::Value = answer.json().await.unwrap();
    assert_eq!(body["secret"], shown, "it is the one that the API answers");
    assert_eq!(app.value::<String>(recorded).await, "2");
    let page = admin.fill_in("/admin/clients/one/secret", &[("password", PASSWORD)]).await;
    assert!(page.status == 400 && page.message().contains("public"), "{}", page.message());
}

#[tokio::test]
async fn the_configuration_is_shown_without_what_is_secret() {
    let app = app_with(&[("APP_METRICS_TOKEN", "a-token-that-is-long-enough-for-it"), ("APP_NAME", "Acme")]).await;
    let admin = Person::signed_in(&app, ADMIN).await;
    let rows = |html: &str| html.matches("<th scope=\"row\"").count();
    let page = admin.page("/admin/configuration").await;
    assert!(page.text.contains("APP_METRICS_TOKEN") && !page.text.contains("a-token-that-is-long"), "{}", page.text);
    let all = rows(&page.text);
    assert!(all > 40, "{all}");
    let page = admin.page("/admin/configuration?search=app_name&group=&set=").await;
    assert_eq!(rows(&page.text), 1, "{}", page.text);
    assert!(page.text.contains("<code>Acme</code>") && page.text.contains("class=\"badge good\">set"), "{}", page.text);
    let (set, others) = (admin.page("/admin/configuration?set=true").await, admin.page("/admin/configuration?set=false").await);
    assert_eq!(rows(&set.text) + rows(&others.text), all);
    let page = admin.page("/admin/configuration?group=email").await;
    assert!(page.text.contains("APP_SMTP_HOST") && !page.text.contains("APP_NAME"), "{}", page.text);
    let page = admin.page("/admin/configuration?search=nothing%20at%20all").await;
    assert!(page.text.contains("No variable matches this filter."), "{}", page.text);
    assert_eq!(app.endpoints.iter().filter(|endpoint| endpoint.template == "/admin/configuration").count(), 1, "it is only read");
}

#[tokio::test]
async fn without_applications_the_pages_say_so() {
    let (_app, admin) = with_administrator().await;
    assert!(admin.page("/admin/roles").await.text.contains("No application has roles."));
    assert!(admin.page("/admin/clients").await.text.contains("No application is configured."));
}
