//! Searching for people.

use super::{
    list::{add_people, emails},
    with_administrator,
};
use domain::{identity::admin::UserQuery, shared::Parameters};
use storage::{connect, identity::account_list, migrate};
use support::{database, prelude::*};

async fn found(admin: &Person, text: &str) -> Vec<String> {
    let query = percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC);
    let (mut found, total) = emails(admin, &format!("search={query}")).await;
    assert_eq!(json!(found.len()), total, "{text}");
    found.sort_unstable();
    found
}

#[tokio::test]
async fn a_text_is_found_in_addresses_and_names_inside_of_words_and_in_either_case() {
    let (app, admin) = with_administrator().await;
    let person = |email: &str, first: &str, last: &str, shown: &str| {
        format!(
            "insert into users (id, email, first_name, last_name, display_name, locale, created_at)
             values (gen_random_uuid(), '{email}', '{first}', nullif('{last}', ''), nullif('{shown}', ''), 'en', now())"
        )
    };
    for statement in [
        person("zoe@one.example", "Zoë", "O''Brien", ""),
        person("max@two.example", "Max", "", "ÄRGER_100%"),
        person("back@three.example", "Back\\slash", "Long Name", ""),
    ] {
        app.sql(&statement).await;
    }
    let (zoe, max, back) = ("zoe@one.example", "max@two.example", "back@three.example");
    for (text, whom) in [
        ("ONE.EX", vec![zoe]),
        ("@t", vec![back, max]),
        ("zoë o'b", vec![zoe]),
        ("o'", vec![zoe]),
        ("ärger", vec![max]),
        ("%", vec![max]),
        ("_", vec![max]),
        ("\\", vec![back]),
        ("k\\sl", vec![back]),
        ("0%", vec![max]),
        ("  name ", vec![back]),
        ("max@two.examplemax", vec![]),
        ("two.example max", vec![]),
        ("nobody", vec![]),
        ("'; drop table users; --", vec![]),
    ] {
        assert_eq!(found(&admin, text).await, whom, "{text}");
    }
    assert_eq!(emails(&admin, "search=example&isAdmin=true").await.0, [super::ADMIN]);
    assert_eq!(emails(&admin, "search=example&sort=email&perPage=2&page=2").await.0, [max, zoe]);
    app.sql("update users set first_name = 'Renamed' where email like 'max%'").await;
    assert_eq!(found(&admin, "rename").await, [max]);
}

#[tokio::test]
async fn rare_and_frequent_texts_are_found_among_many_people() {
    let (app, admin) = with_administrator().await;
    add_people(&app, 12_000).await;
    app.sql("analyze users").await;
    assert_eq!(found(&admin, "person7@").await, ["person7@example.org"]);
    assert_eq!(emails(&admin, "search=n7@&sort=email").await.0, ["person7@example.org"], "a text without a trigram");
    let (listed, total) = emails(&admin, "search=number%20123&perPage=100").await;
    assert_eq!((listed.len(), total, listed[0].as_str()), (11, json!(11), "person1239@example.org"));
}

#[tokio::test]
async fn a_short_text_is_found_among_many_people_without_reading_all_of_them() {
    let (app, admin) = with_administrator().await;
    add_people(&app, 12_000).await;
    let oldest =
        "update users set first_name = '王', last_name = '伟', created_at = '2001-01-01' where email = 'person7@example.org'";
    app.sql(oldest).await;
    app.sql("vacuum analyze users").await;
    let mut connection = app.connection().await;
    let tx = connection.begin();
    let read = "select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::bigint as read from pg_stat_xact_user_tables where relname = 'users'";
    for (text, people) in [("王", 1), ("伟", 1), ("王 ", 1), ("王 伟", 1), ("m 王", 0), (" 伟", 1), ("'", 0), ("#7", 0)] {
        let expected: &[&str] = if people == 1 { &["person7@example.org"] } else { &[] };
        assert_eq!(found(&admin, text).await, expected, "{text}");
        let query = UserQuery::read(&Parameters::new(vec![("search".to_owned(), text.to_owned())])).unwrap();
        let before: i64 = tx.row(read, &[]).await.unwrap().get("read");
        let searched = query.search.as_ref().unwrap();
        let matches = account_list::search(&tx, searched, query.filter, query.sort, query.page).await.unwrap().matches;
        let read = tx.row(read, &[]).await.unwrap().get::<_, i64>("read") - before;
        assert!((matches, read) == (people, people), "{text}: {matches} of {read}");
    }
}

#[tokio::test]
async fn a_frequent_text_is_found_in_the_order_of_the_address_too() {
    let (app, admin) = with_administrator().await;
    add_people(&app, 12_000).await;
    let (page, total) = emails(&admin, "search=person1&sort=email&perPage=3&page=2").await;
    assert_eq!(page, ["person10003@example.org", "person10004@example.org", "person10005@example.org"]);
    let total = total.as_i64().unwrap();
    assert!((3_112..=5_000).contains(&total), "{total} of 3,112; two of five of the newest 5,000 match");
    let (page, _) = emails(&admin, "search=person1&sort=-email&perPage=2").await;
    assert_eq!(page, ["person1@example.org", "person19@example.org"]);
}

#[tokio::test]
async fn the_total_of_a_frequent_text_is_estimated() {
    let (app, admin) = with_administrator().await;
    add_people(&app, 12_000).await;
    let response = admin.get("/api/admin/users?search=person").await.body;
    assert_eq!((&response["totalIsExact"], response["users"].as_array().unwrap().len()), (&json!(false), 20));
    let total = response["total"].as_i64().unwrap();
    assert!((11_900..=12_001).contains(&total), "{total}");
    let verified = admin.get("/api/admin/users?search=person&emailVerified=true").await.body["total"].as_i64().unwrap();
    assert!((5_900..=6_001).contains(&verified), "{verified}");
    let few = admin.get("/api/admin/users?search=person12&perPage=1").await.body;
    assert_eq!((&few["totalIsExact"], &few["total"]), (&json!(true), &json!(112)), "a few do not make an estimate");
}

#[tokio::test]
async fn without_the_right_to_make_the_extension_the_server_starts_and_searches_without_an_index() {
    let database = database().await;
    let owner = "create role plain_owner login";
    for statement in [
        owner,
        "drop schema public cascade",
        "drop schema if exists test_clock cascade",
        "create schema public authorization plain_owner",
    ] {
        database.sql(statement).await;
    }
    let (mut client, running) = connect::single(&database.target, "-c role=plain_owner -c search_path=public").await.unwrap();
    let applied = migrate::run(&mut client).await.unwrap();
    assert_eq!(applied, migrate::FILES.len());
    let has_index: bool = client.query_one("select to_regclass('users_search') is not null", &[]).await.unwrap().get(0);
    let is_searchable: i64 = client.query_one("select count(*) from users where search_text like '%x%'", &[]).await.unwrap().get(0);
    assert_eq!((has_index, is_searchable), (false, 0));
    drop(client);
    running.await.unwrap();
    let data = scratch();
    let url = database.target.url.expose_secret();
    let server = Server::start(data.path(), &[("APP_DATABASE_URL", url)]).await;
    assert!(server.welcome.contains("people are searched without an index"), "{}", server.welcome);
}
