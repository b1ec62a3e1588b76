//! `lectern import` and `lectern export`, as processes of their own.

use super::folder::Folder;
use storage::{content::commit_log, listen::Listener};
use support::{
    database,
    import::{assert_same, dump, held::End},
    prelude::*,
    server,
};

/// Runs the binary on a database until it exits. Returns its standard output, or its standard error if it
/// failed.
async fn lectern(database: &Database, data: &Scratch, arguments: &[&str]) -> Result<String, String> {
    let url = database.target.url.expose_secret();
    let variables = [("APP_DATABASE_URL", url), ("APP_DATA_DIR", data.path().to_str().unwrap())];
    let output = server::run(arguments, &variables).await;
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

/// Imports a folder into a new space and returns the space's id.
async fn into_new_space(database: &Database, data: &Scratch, from: &Path, name: &str) -> i64 {
    let arguments = ["import", "--from", from.to_str().unwrap(), "--name", name];
    let said = lectern(database, data, &arguments).await.unwrap();
    assert!(said.contains("\nsucceeded\n") && said.contains("sbpub_") && said.contains("sbmcp_"), "{said}");
    let number = said.lines().find_map(|line| line.strip_prefix("space ")).unwrap();
    number.parse().unwrap()
}

#[tokio::test]
async fn an_export_imports_to_an_equal_space() {
    let (database, data, folder) = (database().await, scratch(), scratch());
    let source = Folder::new();
    // The published version differs from the draft in its data only.
    source.story(206, |story| {
        story["unpublished_changes"] = json!(true);
        story["_published"] = json!({ "meta_data": { "before": [1] }, "path": "/before", "sort_by_date": null });
    });
    source.change("space", |space| {
        space["environments"] = json!([{ "name": "Staging", "location": "https://staging.example.org/" }]);
    });
    let first = into_new_space(&database, &data, source.path(), "First").await;
    let told = |lines: &[String], kind: &str, text: &str| {
        lines.iter().filter(|line| line.starts_with(kind) && line.contains(text)).count()
    };
    let written = dump(&database.store, first).await;
    assert_eq!(told(&written, "edition ", r#""path":"/before""#), 1);
    assert_eq!(told(&written, "space ", "staging.example.org"), 1);
    let dir = folder.path().join("backup");
    let dir_text = dir.to_str().unwrap();
    let said = lectern(&database, &data, &["export", &first.to_string(), dir_text]).await.unwrap();
    assert!(said.lines().any(|line| line.starts_with("stories")), "{said}");
    let second = into_new_space(&database, &data, &dir, "Second").await;
    assert_same(&dump(&database.store, first).await, &dump(&database.store, second).await);

    // Back into its own space: there are no duplicates, and all ids are the same.
    let before = dump(&database.store, first).await;
    let own = first.to_string();
    let again = ["import", "--from", dir_text, "--space", &own];
    for round in 0..2 {
        let said = lectern(&database, &data, &again).await.unwrap();
        let created = |line: &str| line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok());
        let counts: Vec<_> = said.lines().filter(|line| line.split_whitespace().count() == 6).filter_map(created).collect();
        assert!(counts.len() == 9 && counts.iter().all(|count| *count == 0), "{round}: {said}");
        assert!(!said.contains("replaced"), "{said}");
        assert_same(&before, &dump(&database.store, first).await);
    }
    let stored = database.row("select count(*) as n from assets where space_id = $1", &[&first]).await;
    assert_eq!(stored.get::<_, i64>("n"), 3);

    let refused = lectern(&database, &data, &["export", &first.to_string(), dir_text]).await.unwrap_err();
    assert!(refused.contains("is not empty"), "{refused}");

    // Content names a file by a former URL, plans are of one language, and the space publishes valid stories
    // only.
    let session = database.connection().await;
    for statement in [
        "insert into asset_addresses (space_id, object, name, asset_id, file) select space_id, object, name, id, object from assets where space_id = $1",
        "update assets set name = 'renamed.' || reverse(split_part(reverse(name), '.', 1)) where space_id = $1",
        "update spaces set publish_requires_valid = true where id = $1",
        "insert into story_schedulings (space_id, story_id, publish_at, action, language, status, created_at, updated_at)
         select $1, story.id, '2090-01-01', plan.action, plan.language, 'scheduled', now(), now()
         from (select id from stories where space_id = $1 and not is_folder order by id limit 1) story,
              (values ('publish', '[default]'), ('unpublish', '[default]'), ('publish', null), ('unpublish', 'de')) plan (action, language)",
    ] {
        session.execute(statement, &[&first]).await.unwrap();
    }
    let later = folder.path().join("later");
    lectern(&database, &data, &["export", &first.to_string(), later.to_str().unwrap()]).await.unwrap();
    let third = into_new_space(&database, &data, &later, "Third").await;
    let there = dump(&database.store, third).await;
    assert_eq!(told(&there, "", &format!("/f/{first}/")), 0, "{there:#?}");
    assert!(told(&there, "edition ", "renamed.") > 0, "{there:#?}");
    let plans = database
        .row("select string_agg(action || coalesce(' ' || language, ''), ', ' order by action, language) as plans from story_schedulings where space_id = $1", &[&third])
        .await;
    assert_eq!(plans.get::<_, String>("plans"), "publish [default], publish, unpublish [default], unpublish de");
    let settings = database.row("select publish_requires_valid as is_strict from spaces where id = $1", &[&third]).await;
    assert!(settings.get::<_, bool>("is_strict"));
    let unknown = lectern(&database, &data, &["import", "--from", dir_text, "--space", "999999"]).await.unwrap_err();
    assert!(unknown.contains("there is no space 999999"), "{unknown}");
    let broken = folder.path().join("empty");
    std::fs::create_dir(&broken).unwrap();
    let space = second.to_string();
    let failed = lectern(&database, &data, &["import", "--from", broken.to_str().unwrap(), "--space", &space]).await.unwrap_err();
    assert!(failed.contains("sourceUnreadable") && failed.contains("space.json"), "{failed}");
}

#[tokio::test]
async fn the_command_continues_an_interrupted_import_into_its_space() {
    let (database, data, source) = (database().await, scratch(), Folder::new());
    let url = database.target.url.expose_secret();
    let variables = [("APP_DATABASE_URL", url), ("APP_DATA_DIR", data.path().to_str().unwrap())];
    let arguments = ["import", "--from", source.path().to_str().unwrap(), "--name", "Once"];
    // The migrations have run with the first import.
    let other = into_new_space(&database, &data, source.path(), "Other").await;
    let end = End::held(&database.target).await;
    let mut news = Listener::connect(&database.store, &[commit_log::CHANNEL]).await.unwrap();
    let mut first = server::begun(&arguments, &variables);
    let session = database.connection().await;
    let count = async |sql: &str| session.row(sql, &[]).await.unwrap().get::<_, i64>(0);
    while count("select count(*) from import_jobs where finished_at is null and phase = 'stories'").await == 0 {
        news.next().await.unwrap();
    }
    first.kill().await.unwrap();
    end.let_go().await;
    session
        .execute("update jobs set lease_until = clock_timestamp() where queue = 'import.local' and finished_at is null", &[])
        .await
        .unwrap();

    // An import into a deleted space is not continued.
    session.execute("update spaces set deleted_at = now() where name = 'Once'", &[]).await.unwrap();
    let new = into_new_space(&database, &data, source.path(), "Once").await;
    session.execute("update spaces set name = 'New' where id = $1", &[&new]).await.unwrap();
    session.execute("update spaces set deleted_at = null", &[]).await.unwrap();

    let said = lectern(&database, &data, &arguments).await.unwrap();
    assert!(said.contains("\nsucceeded\n") && !said.contains("sbpub_"), "{said}");
    assert_eq!(count("select count(*) from spaces").await, 3);
    let space = count("select id from spaces where name = 'Once'").await;
    assert!(said.starts_with(&format!("space {space}\n")), "{said}");
    drop(session);
    assert_same(&dump(&database.store, other).await, &dump(&database.store, space).await);
}

#[tokio::test]
async fn an_unreadable_folder_creates_no_space() {
    let (database, data, source, empty) = (database().await, scratch(), Folder::new(), scratch());
    let name = |from: &Path| ["import", "--from", from.to_str().unwrap(), "--name", "N"].map(str::to_owned).to_vec();
    let dry = [name(source.path()), vec!["--dry-run".to_owned()]].concat();
    for (arguments, part) in [(name(empty.path()), "space.json"), (dry, "--dry-run"), (name(source.path())[..3].to_vec(), "--name")]
    {
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let refused = lectern(&database, &data, &arguments).await.unwrap_err();
        assert!(refused.contains(part), "{refused}");
    }
    assert_eq!(database.value::<i64>("select count(*) from spaces").await, 0);
}
