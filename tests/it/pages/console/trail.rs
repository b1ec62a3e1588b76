//! The audit trail: filters, details, the file, and emptying.

use super::{ADMIN, ANN, CLIENTS, id_of, with_administrator, with_ann};
use domain::identity::AuditEvent;
use reqwest::header;
use support::prelude::*;

fn rows(html: &str) -> usize {
    html.matches("<th scope=\"row\"").count()
}

#[tokio::test]
async fn entries_are_filtered_by_event_person_and_day() {
    let (app, admin, _) = with_ann(&[]).await;
    let id = id_of(&app, ANN).await;
    // Sign-ups and sign-ins of two people.
    for (query, count) in [
        ("", 4),
        ("?event=auth.register", 2),
        ("?event=auth.login.*&person=&from=&to=", 2),
        ("?event=nothing", 0),
        ("?person=ann%40example.org", 2),
        (&format!("?person={id}&event=auth.login.success"), 1),
        ("?person=nobody%40example.org", 0),
        ("?person=%40", 0),
        ("?to=2001-01-01", 0),
        ("?from=2001-01-01&to=2099-01-01", 4),
    ] {
        let page = admin.page(&format!("/admin/audit{query}")).await;
        assert_eq!((page.status, rows(&page.text)), (200, count), "{query}: {}", page.text);
    }
    assert!(admin.page("/admin/audit?person=nobody%40example.org").await.text.contains("There is no account with this address."));
    assert!(admin.page("/admin/audit?event=nothing").await.text.contains("No entry matches this filter."));
    for (query, field) in
        [("event=a%20b", "event"), ("person=ann", "person"), ("from=soon", "from"), ("from=2026-03-02&to=2026-03-01", "from")]
    {
        let page = admin.page(&format!("/admin/audit?{query}")).await;
        assert!(page.status == 400 && page.text.contains(&format!("id=\"{field}-error\"")), "{query}: {}", page.text);
    }
    let page = admin.page("/admin/audit?event=auth.register").await;
    assert!(
        page.text.contains("Account created") && page.text.contains("&quot;actorType&quot;: &quot;user&quot;"),
        "{}",
        page.text
    );
    assert!(page.text.contains(&format!("href=\"/admin/users/{id}\">{ANN}</a>")), "{}", page.text);
    assert!(page.text.contains("href=\"/admin/audit/csv?event=auth.register\""), "the file has the same filter: {}", page.text);
}

#[tokio::test]
async fn events_are_a_list_in_words_and_keep_their_names() {
    let (_app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    for (language, words) in [("en", "Sign-in refused"), ("de", "Anmeldung abgelehnt")] {
        admin.page(&format!("/admin/audit?lang={language}")).await;
        let page = admin.page("/admin/audit?event=auth.login.failure").await;
        let list = page.text.split("<select id=\"event\"").nth(1).unwrap().split("</select>").next().unwrap();
        for event in AuditEvent::ALL {
            let option = list.split(&format!("<option value=\"{}\"", event.name())).nth(1).unwrap();
            let shown = option.split('>').nth(1).unwrap().split('<').next().unwrap();
            assert!(!shown.is_empty() && !shown.contains('.'), "{}: {shown}", event.name());
        }
        assert!(list.contains(&format!("<option value=\"auth.login.failure\" selected>{words}</option>")), "{list}");
    }
    // What an address asks for stays chosen: the beginning of names, and what only a former version recorded.
    admin.page("/admin/audit?lang=en").await;
    for asked in ["auth.login.*", "auth.forgotten"] {
        let page = admin.page(&format!("/admin/audit?event={asked}")).await;
        assert!(page.text.contains(&format!("<option value=\"{asked}\" selected>")), "{asked}: {}", page.text);
    }
    let page = admin.page("/admin/audit?event=auth.login.*").await;
    assert!(page.text.contains("Signed in") && page.text.contains(">auth.login.success</code>"), "{}", page.text);
}

#[tokio::test]
async fn entries_are_filtered_by_outcome_application_and_address_in_page_and_file() {
    let (app, admin, _) = with_ann(&[("APP_OIDC_CLIENTS_JSON", CLIENTS)]).await;
    Person::at(&app).sign_in(ANN, "not the harbour").await;
    let insert = "insert into account_audit (event, status, client_id, ip, created_at)
                  values ('oidc.request.refused', 'failure', 'web', '2001:db8::7', now()), ('oidc.request.refused', 'failure', 'gone', null, now())";
    app.sql(insert).await;
    let mut files = Vec::new();
    for (query, count) in [
        ("?status=failure", 3),
        ("?status=success", 4),
        ("?status=failure&event=auth.*", 1),
        ("?client=web", 1),
        ("?client=gone&status=failure&person=&ip=", 1),
        ("?client=one", 0),
        ("?ip=2001%3ADB8%3A%3A0007", 1),
        ("?ip=127.0.0.1&status=success", 4),
        ("?ip=127.0.0.1&person=ann%40example.org&status=failure", 1),
    ] {
        let page = admin.page(&format!("/admin/audit{query}")).await;
        assert_eq!((page.status, rows(&page.text)), (200, count), "{query}: {}", page.text);
        let file = page.text.split("href=\"/admin/audit/csv").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
        files.push((format!("/admin/audit/csv{file}"), count));
    }
    for (path, count) in files {
        let file = admin.page(&path).await;
        // Each file leaves an entry, which the next one may have.
        let found = file.text.lines().skip(1).filter(|line| !line.contains("admin.audit.exported")).count();
        assert_eq!((file.status, found), (200, count), "{path}: {}", file.text);
    }
    let page = admin.page("/admin/audit?client=web").await;
    assert!(page.text.contains("<option value=\"web\" selected>Shop &lt;b&gt;</option>"), "{}", page.text);
    assert!(admin.page("/admin/audit?client=gone").await.text.contains("<option value=\"gone\" selected>gone</option>"));
    let german = Person::at(&app);
    german.sign_in(ADMIN, PASSWORD).await;
    german.page("/admin/audit?lang=de").await;
    let page = german.page("/admin/audit?ip=localhost&person=x").await;
    for part in ["Schreiben Sie eine Adresse wie 203.0.113.7", "Schreiben Sie eine E-Mail-Adresse oder"] {
        assert!(page.status == 400 && page.text.contains(part), "{part}: {}", page.text);
    }
    for (query, field) in [("status=ok", "status"), ("ip=localhost", "ip")] {
        let page = admin.page(&format!("/admin/audit?{query}")).await;
        assert!(page.status == 400 && page.text.contains(&format!("id=\"{field}-error\"")), "{query}: {}", page.text);
    }
}

#[tokio::test]
async fn a_browser_that_calls_itself_a_formula_is_text_in_page_and_file() {
    let (_app, admin) = with_administrator().await;
    let evil = "=HYPERLINK(\"https://evil.example\",\"<b>x</b>\")";
    let page = admin.page("/login?prompt=login").await;
    let token = page.field("csrf_token").unwrap();
    let fields = [("csrf_token", token.as_str()), ("email", ADMIN), ("password", PASSWORD)];
    let signed_in = admin.form("/login", &fields).header(header::USER_AGENT, evil).send().await.unwrap();
    assert_eq!(signed_in.status(), 303);
    assert!(!admin.page("/admin/audit").await.text.contains("<b>x</b>"));
    let file = admin.page("/admin/audit/csv?event=auth.login.success&person=&from=&to=").await;
    assert_eq!((file.status, file.header("content-disposition")), (200, "attachment; filename=\"audit.csv\""));
    let lines: Vec<&str> = file.text.trim_end().split("\r\n").collect();
    assert_eq!(lines.len(), 3, "{}", file.text);
    assert!(lines[0].starts_with("time,event,status,") && lines[1].contains(",auth.login.success,success,"), "{}", file.text);
    assert!(lines[1].contains("\"'=HYPERLINK(\"\"https://evil.example\"\""), "{}", file.text);
    assert_eq!(admin.page("/admin/audit/csv?from=soon").await.status, 400);
}

#[tokio::test]
async fn entries_about_people_who_are_gone_are_emptied() {
    let (app, admin, _) = with_ann(&[]).await;
    app.sql("delete from users where email like 'ann%'").await;
    let left = "select count(*)::text as text from account_audit where ip is not null and user_id not in (select id from users)";
    assert_eq!(app.value::<String>(left).await, "2");
    let page = admin.fill_in("/admin/audit/anonymize", &[("password", "not the harbour")]).await;
    assert_eq!((page.status, app.value::<String>(left).await.as_str()), (403, "2"));
    let page = admin.fill_in("/admin/audit/anonymize", &[("password", PASSWORD)]).await;
    assert_eq!(page.redirect(), (303, "/admin/audit?done=anonymized&count=2"));
    let page = admin.page(page.location()).await;
    assert!(page.message() == "Entries that were emptied: 2." && page.text.contains("somebody who is gone"), "{}", page.text);
    assert_eq!(app.value::<String>(left).await, "0");
}
