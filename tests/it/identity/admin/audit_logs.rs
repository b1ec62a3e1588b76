//! `/api/admin/audit-logs`.

use super::{ANN, with_administrator, with_ann};
use futures_util::future::try_join_all;
use storage::identity::audit;
use support::{POOL, prelude::*};

const PATH: &str = "/api/admin/audit-logs";

/// The ids on a page.
fn ids(body: &Value) -> Vec<i64> {
    body["logs"].as_array().unwrap().iter().map(|entry| entry["id"].as_i64().unwrap()).collect()
}

/// The ids of entries by a plain query.
async fn plain(app: &TestApp, condition: &str) -> Vec<i64> {
    let query = format!("select id from account_audit where {condition} order by created_at desc, id desc");
    app.column(&query).await
}

/// Counts every day that can be counted.
async fn count_days(app: &TestApp) -> u64 {
    let connection = app.connection().await;
    let mut days = 0;
    while audit::count_next_day(&connection, Timestamp::UNIX_EPOCH, app.clock.now()).await.unwrap() > 0 {
        days += 1;
    }
    days
}

/// Entries of ten days before now, of four events, two accounts, two clients and two addresses, in no order,
/// with a day without any.
async fn past(app: &TestApp) {
    // What the janitor began at the start is done, so that it counts none of these days.
    app.actors.handles().observe_all().await;
    let insert = format!(
        "insert into account_audit (user_id, actor_type, actor_id, event, status, client_id, ip, created_at)
         select case number % 3 when 0 then users.id end, 'user', case number % 5 when 0 then users.id::text end,
                (array['auth.login.success', 'auth.logout', 'admin.user.updated', 'admin.user.suspended'])[number % 4 + 1],
                case number % 7 when 0 then 'failure' else 'success' end, (array['web', 'phone.app'])[number % 6],
                case number % 9 when 0 then inet '203.0.113.7' when 1 then inet '2001:db8::7' end, '{now}'::timestamptz - (number * 7919 % 240) * interval '1 hour' - number * interval '1 second'
         from generate_series(1, 400) number, users
         where users.email = '{ANN}' and (number * 7919 % 240) / 24 <> 5",
        now = app.clock.now()
    );
    app.sql(&insert).await;
}

#[tokio::test]
async fn an_entry_says_who_did_what_to_whom() {
    let (app, admin, ann) = with_ann().await;
    let (admin_id, ann_id) = (admin.id().await, ann.id().await);
    let suspended = admin.post(&format!("/api/admin/users/{ann_id}/suspend"), &json!({})).await;
    let body = admin.get(&format!("{PATH}?perPage=1&event=admin.user.suspended")).await.body;
    let log = &body["logs"][0];
    assert_eq!(
        *log,
        json!({
            "id": log["id"], "event": "admin.user.suspended", "status": "success", "ip": "127.0.0.1", "userAgent": null, "userId": ann_id,
            "userEmail": ANN, "actorId": admin_id, "actorType": "admin", "targetId": ann_id, "clientId": null,
            "requestId": suspended.headers["x-request-id"].to_str().unwrap(), "details": log["details"], "createdAt": "2026-03-01T12:00:00.000Z",
        })
    );
    assert_eq!(
        (&body["page"], &body["perPage"], &body["total"], &body["totalPages"]),
        (&json!(1), &json!(1), &json!(1), &json!(1))
    );
    let all = admin.get(PATH).await.body;
    assert_eq!(all["total"], app.count("select count(*) from account_audit").await);
    assert_eq!(ids(&all), plain(&app, "true").await, "the newest first");
}

#[tokio::test]
async fn every_filter_and_page_finds_what_a_plain_query_finds() {
    let (app, admin) = with_administrator().await;
    let ann = Person::signed_in(&app, ANN).await.id().await;
    // The first sweep of the janitor is over once it says how it is. It counts days, and there are none yet.
    app.actors.handles().observe_all().await;
    past(&app).await;
    let mine = format!("(user_id = '{ann}' or actor_id = '{ann}')");
    let filters = [
        (String::new(), "true".to_owned()),
        ("event=auth.logout".to_owned(), "event = 'auth.logout'".to_owned()),
        ("event=admin.*".to_owned(), "event like 'admin.%'".to_owned()),
        ("event=nothing.*".to_owned(), "false".to_owned()),
        ("from=2026-02-22".to_owned(), "created_at >= '2026-02-22T00:00Z'".to_owned()),
        (
            "from=2026-02-21&to=2026-02-25".to_owned(),
            "created_at >= '2026-02-21T00:00Z' and created_at < '2026-02-26T00:00Z'".to_owned(),
        ),
        (
            "event=a*&from=2026-02-21T10:00:00Z&to=2026-02-27T20:30:00Z".to_owned(),
            "event like 'a%' and created_at >= '2026-02-21T10:00Z' and created_at <= '2026-02-27T20:30Z'".to_owned(),
        ),
        (format!("user={ann}"), mine.clone()),
        (
            format!("user={ann}&event=auth.*&to=2026-02-24"),
            format!("{mine} and event like 'auth.%' and created_at < '2026-02-25T00:00Z'"),
        ),
        ("status=failure".to_owned(), "status = 'failure'".to_owned()),
        ("status=success&event=auth.*".to_owned(), "status = 'success' and event like 'auth.%'".to_owned()),
        ("client=web".to_owned(), "client_id = 'web'".to_owned()),
        ("client=phone.app&status=failure".to_owned(), "client_id = 'phone.app' and status = 'failure'".to_owned()),
        (
            "client=web&event=auth.logout&from=2026-02-21T10:00:00Z&to=2026-02-27".to_owned(),
            "client_id = 'web' and event = 'auth.logout' and created_at >= '2026-02-21T10:00Z' and created_at < '2026-02-28'"
                .to_owned(),
        ),
        ("client=none".to_owned(), "false".to_owned()),
        ("ip=203.0.113.7".to_owned(), "ip = '203.0.113.7'".to_owned()),
        ("ip=%3A%3Affff%3A203.0.113.7&status=success".to_owned(), "ip = '203.0.113.7' and status = 'success'".to_owned()),
        (
            "ip=2001%3Adb8%3A0%3A%3A7&client=web&event=a*".to_owned(),
            "ip = '2001:db8::7' and client_id = 'web' and event like 'a%'".to_owned(),
        ),
        (format!("user={ann}&ip=203.0.113.7"), format!("{mine} and ip = '203.0.113.7'")),
        (format!("user={ann}&client=web&status=failure"), format!("{mine} and client_id = 'web' and status = 'failure'")),
    ];
    for counted in [false, true] {
        if counted {
            assert_eq!(count_days(&app).await, 10, "eleven days, of which one is empty, and today is not over");
        }
        for (query, condition) in &filters {
            let expected = plain(&app, condition).await;
            for page in [1, 2, 3, 9, 40] {
                let body = admin.get(&format!("{PATH}?{query}&perPage=17&page={page}")).await.body;
                let rest: Vec<i64> = expected.iter().skip(17 * (page - 1)).take(17).copied().collect();
                assert_eq!(ids(&body), rest, "{query}, page {page}, counted: {counted}");
                assert_eq!(body["total"], expected.len(), "{query}, counted: {counted}");
            }
        }
    }
}

/// Attack 161.
#[tokio::test]
async fn what_cannot_be_read_is_refused_and_nothing_writes() {
    let (_app, admin) = with_administrator().await;
    for query in [
        "from=2026-03-02&to=2026-03-01",
        "from=yesterday",
        "to=2026-02-30",
        "event='%20or%201=1",
        "event=%25",
        "page=0",
        "perPage=-1",
        "user=me",
        "status=refused",
        "client=a%0Ab",
        "ip=localhost",
    ] {
        assert_eq!(admin.get(&format!("{PATH}?{query}")).await.refusal(), (400, "validation"), "{query}");
    }
    assert_eq!(admin.get(&format!("{PATH}?perPage=101")).await.body["perPage"], 100);
    assert_eq!(admin.post(PATH, &json!({})).await.refusal().0, 405);
    assert_eq!(admin.delete(PATH, &json!({})).await.refusal().0, 405);
}

/// Days that go by age are forgotten together with their entries, and with the day of which only a part is
/// left.
#[tokio::test]
async fn totals_follow_when_entries_go_by_age() {
    let (app, admin) = with_administrator().await;
    Person::signed_in(&app, ANN).await;
    past(&app).await;
    count_days(&app).await;
    let connection = app.connection().await;
    let until = app.clock.now() - SignedDuration::from_hours(24 * 6 + 5);
    while storage::identity::maintenance::remove_old_audit(&connection, until, 50).await.unwrap() > 0 {}
    let left = plain(&app, "true").await;
    assert!(left.len() > 100 && left.len() < 300, "{}", left.len());
    let body = admin.get(&format!("{PATH}?perPage=100&page=2")).await.body;
    assert_eq!(
        (body["total"].as_u64().unwrap(), ids(&body)),
        (left.len() as u64, left.iter().skip(100).take(100).copied().collect())
    );
}

/// How many entries of the trail were read by its indexes so far, by PostgreSQL's statistics.
async fn read(app: &TestApp) -> i64 {
    // A connection reports its statistics after a while, or when this function is called: so all of the pool.
    let all: Vec<_> = try_join_all((0..POOL).map(|_| app.database.store.connection("test"))).await.unwrap();
    for connection in &all {
        connection.rows("select pg_stat_force_next_flush()", &[]).await.unwrap();
    }
    let read = "select (coalesce(sum(idx_tup_read), 0) + (select seq_tup_read from pg_stat_user_tables where relname = 'account_audit'))::bigint as number
                from pg_stat_user_indexes where relname = 'account_audit'";
    all[0].row(read, &[]).await.unwrap().get("number")
}

#[tokio::test]
async fn neither_a_total_nor_a_late_page_reads_the_whole_trail() {
    let (app, admin) = with_administrator().await;
    let insert = format!(
        "insert into account_audit (event, status, client_id, ip, created_at)
         select 'test.' || number % 10, case number % 4 when 0 then 'failure' else 'success' end, case when number % 3 > 0 then 'web' end,
                case number % 1000 when 0 then inet '203.0.113.7' end, '{now}'::timestamptz - number * interval '1 minute'
         from generate_series(1, 60000) number",
        now = app.clock.now()
    );
    app.sql(&insert).await;
    count_days(&app).await;
    app.sql("vacuum analyze account_audit").await;
    for (query, total) in [
        ("page=500&perPage=100", 60_002),
        ("event=test.3&page=50&perPage=100", 6000),
        ("event=test.*&page=300", 60_000),
        ("status=failure&page=100&perPage=100", 15_000),
        ("status=success&event=test.*&page=300&perPage=100", 45_000),
        ("client=web&page=300&perPage=100", 40_000),
        ("client=web&status=failure&page=90&perPage=100", 10_000),
        ("client=web&event=test.7&page=30&perPage=100", 4000),
        ("ip=203.0.113.7", 60),
        ("ip=203.0.113.7&status=failure", 60),
    ] {
        let before = read(&app).await;
        let body = admin.get(&format!("{PATH}?{query}")).await.body;
        let during = read(&app).await - before;
        assert_eq!(body["total"], total, "{query}");
        assert!(!ids(&body).is_empty() && during < 12_000, "{query}: {during} entries read for {total}");
    }
}

#[tokio::test]
async fn what_is_personal_of_people_who_are_gone_becomes_empty_once() {
    let (app, admin, ann) = with_ann().await;
    Person::at(&app).login(ANN, "not the harbour").await;
    let (ann_id, path) = (ann.id().await, format!("{PATH}/anonymize-orphans"));
    assert_eq!(admin.post(&path, &json!({})).await.body, json!({ "anonymized": 0 }));
    let entries = app.count(&format!("select count(*) from account_audit where user_id = '{ann_id}'")).await;
    assert_eq!(admin.delete(&format!("/api/admin/users/{ann_id}"), &json!({})).await.status, 200);
    assert_eq!(admin.post(&path, &json!({})).await.body, json!({ "anonymized": entries + 1 }), "with the entry of the deletion");
    assert_eq!(admin.post(&path, &json!({})).await.body, json!({ "anonymized": 0 }));
    let personal =
        format!("select count(*) from account_audit where user_id = '{ann_id}' and (ip is not null or details <> '{{}}')");
    assert_eq!(app.count(&personal).await, 0);
    let own = format!("select count(*) from account_audit where user_id = '{}' and ip is not null", admin.id().await);
    assert!(app.count(&own).await > 0, "those of people who are there stay");
    assert_eq!(super::recorded(&app, "admin.audit.anonymized").await.len(), 3);
}
