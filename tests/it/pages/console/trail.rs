//! The audit trail: filters, details, the file, and emptying.

use super::{ADMIN, ANN, PASSWORD, Person, administrator_and_ann, app, id_of, sql, text};
use reqwest::header;

fn rows(html: &str) -> usize {
    html.matches("<th scope=\"row\"").count()
}

#[tokio::test]
async fn entries_are_filtered_by_event_person_and_day() {
    let app = app().await;
    let (admin, _) = administrator_and_ann(&app).await;
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
        let page = admin.get(&format!("/admin/audit{query}")).await;
        assert_eq!((page.status, rows(&page.html)), (200, count), "{query}: {}", page.html);
    }
    assert!(admin.get("/admin/audit?person=nobody%40example.org").await.html.contains("There is no account with this address."));
    assert!(admin.get("/admin/audit?event=nothing").await.html.contains("No entry matches this filter."));
    for (query, field) in
        [("event=a%20b", "event"), ("person=ann", "person"), ("from=soon", "from"), ("from=2026-03-02&to=2026-03-01", "from")]
    {
        let page = admin.get(&format!("/admin/audit?{query}")).await;
        assert!(page.status == 400 && page.html.contains(&format!("id=\"{field}-error\"")), "{query}: {}", page.html);
    }
    let page = admin.get("/admin/audit?event=auth.register").await;
    assert!(
        page.html.contains("Account created") && page.html.contains("&quot;actorType&quot;: &quot;user&quot;"),
        "{}",
        page.html
    );
    assert!(page.html.contains(&format!("href=\"/admin/users/{id}\">{ANN}</a>")), "{}", page.html);
    assert!(page.html.contains("href=\"/admin/audit/csv?event=auth.register\""), "the file has the same filter: {}", page.html);
}

#[tokio::test]
async fn a_browser_that_calls_itself_a_formula_is_text_in_page_and_file() {
    let app = app().await;
    let admin = Person::signed_in(&app, ADMIN).await;
    let evil = "=HYPERLINK(\"https://evil.example\",\"<b>x</b>\")";
    let page = admin.get("/login?prompt=login").await;
    let token = page.field("csrf_token").unwrap();
    let fields = [("csrf_token", token.as_str()), ("email", ADMIN), ("password", PASSWORD)];
    let signed_in = admin.form("/login", &fields).header(header::USER_AGENT, evil).send().await.unwrap();
    assert_eq!(signed_in.status(), 303);
    assert!(!admin.get("/admin/audit").await.html.contains("<b>x</b>"));
    let file = admin.get("/admin/audit/csv?event=auth.login.success&person=&from=&to=").await;
    assert_eq!((file.status, file.header("content-disposition")), (200, "attachment; filename=\"audit.csv\""));
    let lines: Vec<&str> = file.html.trim_end().split("\r\n").collect();
    assert_eq!(lines.len(), 3, "{}", file.html);
    assert!(lines[0].starts_with("time,event,status,") && lines[1].contains(",auth.login.success,success,"), "{}", file.html);
    assert!(lines[1].contains("\"'=HYPERLINK(\"\"https://evil.example\"\""), "{}", file.html);
    assert_eq!(admin.get("/admin/audit/csv?from=soon").await.status, 400);
}

#[tokio::test]
async fn entries_about_people_who_are_gone_are_emptied() {
    let app = app().await;
    let (admin, _) = administrator_and_ann(&app).await;
    sql(&app, "delete from users where email like 'ann%'").await;
    let left = "select count(*)::text as text from account_audit where ip is not null and user_id not in (select id from users)";
    assert_eq!(text(&app, left).await, "2");
    let page = admin.fill_in("/admin/audit/anonymize", &[("password", "not the harbour")]).await;
    assert_eq!((page.status, text(&app, left).await.as_str()), (403, "2"));
    let page = admin.fill_in("/admin/audit/anonymize", &[("password", PASSWORD)]).await;
    assert_eq!(page.redirect(), (303, "/admin/audit?done=anonymized&count=2"));
    let page = admin.get(page.location()).await;
    assert!(page.message() == "Entries that were emptied: 2." && page.html.contains("somebody who is gone"), "{}", page.html);
    assert_eq!(text(&app, left).await, "0");
}
