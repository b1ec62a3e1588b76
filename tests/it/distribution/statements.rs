//! The lint of statements: every text that the tests prepare and that comes from the storage crate.
//! `support/statements.rs` collects them.
//!
//! PostgreSQL itself parses them: a function in SQL with the statement as its body is created, and what
//! PostgreSQL keeps of it is read back. So every name is resolved as it is when the statement runs, and no
//! other parser is needed.

use super::{
    Violation, assert_only,
    node::Node,
    query::{self, INSERTS, JOINS, LOCKS, SPACE, SUBQUERIES, Table, Tables},
    tables,
};
use support::prelude::*;
use tokio_postgres::{Client, NoTls, SimpleQueryMessage};

mod exceptions;

/// Commands that read and write no rows by a condition, and that no function in SQL can have.
const COMMANDS: [&str; 5] = ["analyze", "lock", "reset", "set", "show"];

const MAX_ARGUMENTS: usize = 100;

/// A connection of its own, which creates functions that no other sees.
struct Parser {
    client: Client,
    tables: Tables,
    _driver: JoinSet<()>,
    _database: Database,
}

impl Parser {
    async fn start() -> Self {
        let database = support::database().await;
        let (client, connection) = tokio_postgres::connect(database.target.url.expose_secret(), NoTls).await.unwrap();
        let mut driver = JoinSet::new();
        driver.spawn(async { drop(connection.await) });
        let rows = client
            .query(
                "select c.oid, c.relname::text as name, coalesce(a.attnum, 0::int2) as key from pg_class c
                 left join pg_attribute a on a.attrelid = c.oid and a.attname = case c.relname when 'spaces' then 'id' else 'space_id' end
                 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')",
                &[],
            )
            .await
            .unwrap();
        let mut tables = Tables::new();
        for row in rows {
            let (oid, name, key): (u32, String, i16) = (row.get("oid"), row.get("name"), row.get("key"));
            if let Some(placement) = tables::placement(&name) {
                tables.insert(oid.try_into().unwrap(), Table { name, placement, key: key.try_into().unwrap() });
            }
        }
        Self { client, tables, _driver: driver, _database: database }
    }

    /// The rules that a statement breaks.
    async fn check(&self, statement: &str) -> BTreeSet<(&'static str, String)> {
        let prepared = self.client.prepare(statement).await.unwrap_or_else(|error| panic!("{error:?}: {statement}"));
        // A function has at most 100 arguments. Where a value stands for the others does not matter to the
        // rules.
        let mut statement = statement.to_owned();
        for (number, kind) in prepared.params().iter().enumerate().skip(MAX_ARGUMENTS).rev() {
            statement = statement.replace(&format!("${}", number + 1), &format!("null::\"{}\"", kind.name()));
        }
        let types: Vec<String> = prepared.params().iter().take(MAX_ARGUMENTS).map(|kind| format!("\"{}\"", kind.name())).collect();
        let parsed = format!(
            "create function pg_temp.parsed({}) returns void language sql begin atomic {statement}; end;
             select prosqlbody::text from pg_proc where proname = 'parsed' and pronamespace = pg_my_temp_schema();
             drop function pg_temp.parsed",
            types.join(", ")
        );
        let messages = self.client.simple_query(&parsed).await.unwrap_or_else(|error| panic!("{error:?}: {statement}"));
        let body = messages.iter().find_map(|message| if let SimpleQueryMessage::Row(row) = message { row.get(0) } else { None });
        query::check(&self.tables, &Node::read(body.unwrap()))
    }
}

/// What the tests have prepared: the function of the storage crate, and its statement.
#[expect(clippy::disallowed_methods, reason = "tests have no configuration but this")]
fn collected() -> BTreeSet<(String, String)> {
    let folder = std::env::var("LECTERN_STATEMENTS").expect("LECTERN_STATEMENTS: run make test");
    let files = fs::read_dir(folder).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let mut statements = BTreeSet::new();
    for line in files.flat_map(|file| file.lines().map(str::to_owned).collect::<Vec<_>>()) {
        let line: Value = serde_json::from_str(&line).unwrap();
        if let (Some(file), Some(number)) = (line["place"][0].as_str(), line["place"][1].as_u64()) {
            let function = function(file, usize::try_from(number).unwrap());
            statements.insert((function, line["statement"].as_str().unwrap().trim().to_owned()));
        }
    }
    statements
}

/// The function with this line: `content/spaces.rs find`.
fn function(file: &str, line: usize) -> String {
    let source = tools::text_of(&format!("crates/storage/src/{file}"));
    let name = name_of_function(&source, line).unwrap_or_else(|| panic!("{file}:{line} is in no function"));
    format!("{file} {name}")
}

fn name_of_function(source: &str, line: usize) -> Option<&str> {
    let mut ended = BTreeSet::new();
    for line in source.lines().take(line).collect::<Vec<_>>().into_iter().rev() {
        let (indent, text) = (line.len() - line.trim_start().len(), line.trim());
        if text == "}" {
            ended.insert(indent);
        } else if !ended.contains(&indent)
            && !text.starts_with("//")
            && let Some((_, signature)) = text.split_once("fn ")
        {
            return signature.split(|character: char| !character.is_alphanumeric() && character != '_').next();
        }
    }
    None
}

#[test]
fn a_line_belongs_to_the_function_around_it() {
    let source = "fn first() {\n}\n/// A fn of old.\npub async fn second(\n    one: u8,\n) {\n    fn inner() {\n        1\n    }\n    2\n}\n";
    let found: Vec<_> = [1, 6, 8, 10].into_iter().map(|line| name_of_function(source, line)).collect();
    assert_eq!(found, [Some("first"), Some("second"), Some("inner"), Some("second")]);
}

#[tokio::test]
#[ignore = "reads what all other tests have prepared: make test"]
async fn statements_could_run_on_the_node_of_their_space_but_for_the_exceptions() {
    let parser = Parser::start().await;
    let statements = collected();
    assert!(statements.len() > 500, "only {} statements: not all tests were run", statements.len());
    let mut violations = Vec::new();
    for (function, statement) in &statements {
        if COMMANDS.iter().any(|command| statement.split_whitespace().next() == Some(command)) {
            continue;
        }
        for (rule, details) in parser.check(statement).await {
            let known = |violation: &Violation| {
                violation.rule == rule && violation.name == *function && violation.details.starts_with(&details)
            };
            if !violations.iter().any(known) {
                let excerpt: String = statement.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
                violations.push(Violation { rule, name: function.clone(), details: format!("{details} in `{excerpt}`") });
            }
        }
    }
    assert_only(exceptions::EXCEPTIONS, &violations);
}

#[tokio::test]
async fn what_breaks_a_rule_of_statements_is_found() {
    let parser = Parser::start().await;
    let kept = [
        "select story.id from stories story left join translated_slugs slug on slug.space_id = $1 and slug.story_id = story.id
         where story.space_id = $1 and story.id = $2",
        "select deleted_at from spaces where id = $1 for update",
        "select token.id from delivery_tokens token where token.token_hash = $1",
        "select person.id from users person join sessions on sessions.user_id = person.id where sessions.id = $1",
        "insert into story_events (space_id, seq, action, story_id, uuid, full_slug, occurred_at)
         select $1, line.seq, 'x', line.seq, $2, '', now() from unnest($3::bigint[]) line (seq)",
        "with counted as (update space_counters set cv = cv + 1 where space_id = $1 returning space_id, cv)
         insert into story_events (space_id, seq, action, story_id, uuid, full_slug, occurred_at)
         select space_id, cv, 'x', $2, $3, '', now() from counted",
        "insert into edition_counts as counts (space_id, edition, component, stories) values ($1, 'draft', '', $2), ($1, 'published', '', $2)
         on conflict (space_id, edition, component) do update set stories = counts.stories + excluded.stories",
        "with changed as (update components set name = $3 where space_id = $1 and id = $2 returning space_id, id)
         insert into presets (space_id, component_id, name, preset, created_at, updated_at)
         select changed.space_id, changed.id, $3, '{}', now(), now() from changed returning id",
        "insert into datasources (space_id, name, slug, created_at, updated_at) values ($1, $2, $2, $3, $3) returning id",
        "update users set locale = $2 where id = $1 returning (select count(*) from passkeys where user_id = $1)",
        "delete from stories where id = any($2) and space_id = $1 and exists (select from editions where space_id = $1)",
    ];
    for statement in kept {
        assert_eq!(parser.check(statement).await, BTreeSet::new(), "{statement}");
    }
    let broken: [(&str, &[&str]); 15] = [
        ("select id from stories where id = $1", &[SPACE]),
        ("select id from stories where space_id = any($1)", &[SPACE]),
        ("select id from stories where space_id = $1 or id = $2", &[SPACE]),
        ("select id from spaces where owner_id = $1 for update", &[LOCKS, SPACE]),
        ("select s.id from stories s left join editions e on s.space_id = $1 and e.space_id = $1", &[SPACE]),
        ("select s.id from editions e right join stories s on s.space_id = $1 and e.space_id = $1", &[SPACE]),
        ("select s.id from stories s full join editions e on s.space_id = $1 and e.space_id = $1", &[SPACE]),
        (
            "select edition.uuid from stories story join editions edition on edition.space_id = story.space_id where story.space_id = $1",
            &[SPACE],
        ),
        (
            "select (select count(*) from editions where editions.space_id = stories.space_id) from stories where space_id = $1",
            &[SPACE],
        ),
        ("select person.id from users person join spaces on spaces.owner_id = person.id where spaces.id = $1", &[JOINS]),
        ("insert into fan_outs (space_id) select id from spaces", &[SPACE]),
        ("insert into fan_outs (space_id) values ((select max(id) from spaces where id = $1))", &[SPACE, SUBQUERIES]),
        ("delete from fan_outs where space_id = $1 returning (select max(id) from spaces where id = $1)", &[SUBQUERIES]),
        ("with gone as (delete from stories where id = $1 returning id) select id from gone", &[SPACE]),
        (
            "with first as (insert into fan_outs (space_id) values ($1) returning space_id)
             insert into space_counters (space_id) select space_id from first",
            &[INSERTS],
        ),
    ];
    for (statement, rules) in broken {
        let found: BTreeSet<_> = parser.check(statement).await.into_iter().map(|(rule, _)| rule).collect();
        assert_eq!(found, rules.iter().copied().collect(), "{statement}");
    }
}
