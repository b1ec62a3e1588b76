//! The lint of the schema: tables, unique indexes, foreign keys and triggers of the migrated database.

use super::{
    Exception, Violation, assert_only, except,
    tables::{self, Placement},
};
use storage::Connection;
use support::prelude::*;
use tokio_postgres::Row;

/// A table is in exactly one list of `tables.rs`.
const LISTED: &str = "listed";
/// A unique index of a table by space holds its key: no node knows the rows of the others.
const UNIQUE: &str = "unique";
/// A foreign key stays on the node of its row.
const REFERENCES: &str = "references";
/// A foreign key that holds the key of the space does not set columns to null or to their defaults.
const SET: &str = "set";
/// A trigger of a table by space changes or refuses its own row and touches no other.
const TRIGGERS: &str = "triggers";

/// The functions of triggers that look at nothing but `NEW` and `OLD`.
const OWN_ROW: &[&str] = &["editions_marked", "editions_search", "spaces_keep_their_grace"];

const EXCEPTIONS: &[Exception] = &[
    except(
        UNIQUE,
        "webhooks_receiver_id_key",
        "a receiver has one owner; receivers are on the coordinator, and a delivery finds the webhook by it",
    ),
    except(
        REFERENCES,
        "delivery_tokens_space_id_fkey",
        "the tokens of a removed space go with it; distributed, a sweep would do that",
    ),
    except(
        REFERENCES,
        "management_tokens_space_id_fkey",
        "the tokens of a removed space go with it; distributed, a sweep would do that",
    ),
    except(
        REFERENCES,
        "management_tokens_created_by_fkey",
        "a removed account leaves its tokens; distributed, deleting an account would do that",
    ),
    except(
        REFERENCES,
        "space_members_space_id_fkey",
        "the members of a removed space go with it; distributed, a sweep would do that",
    ),
    except(
        REFERENCES,
        "space_members_user_id_fkey",
        "memberships go with an account; distributed, deleting an account would do that",
    ),
    except(
        REFERENCES,
        "space_invitations_space_id_fkey",
        "the invitations of a removed space go with it; distributed, a sweep would do that",
    ),
    except(
        REFERENCES,
        "space_invitations_invited_by_fkey",
        "a removed account leaves its invitations; distributed, deleting an account would do that",
    ),
    except(
        REFERENCES,
        "spaces_owner_id_fkey",
        "a removed account leaves its spaces; distributed, deleting an account would do that",
    ),
    except(SET, "spaces_owner_id_fkey", "as above"),
    except(REFERENCES, "webhooks_receiver_id_fkey", "a webhook and its receiver are inserted and removed together"),
    except(SET, "assets_folder", "assets stay when their folder goes, which may hold thousands of them and other folders"),
    except(
        SET,
        "components_space_id_component_group_uuid_fkey",
        "components stay when their group goes, and with it the groups below it",
    ),
    except(SET, "components_space_id_preset_id_fkey", "a component may lose its preset, and both may be removed in one statement"),
    except(
        TRIGGERS,
        "audit_log_is_append_only",
        "looks whether the space has been deleted for long enough: the space is on the same node",
    ),
    except(TRIGGERS, "count_assets", "counts for lists of spaces, in space_counters: on the same node"),
    except(
        TRIGGERS,
        "count_image_results",
        "how much disk the results of images take, of all spaces: image_usage is on the coordinator",
    ),
    except(TRIGGERS, "count_stories", "counts for lists of spaces, in space_counters: on the same node"),
    except(
        TRIGGERS,
        "space_owner_is_admin",
        "makes the owner of a space a member, in space_members; distributed, a sweep would do that",
    ),
    except(TRIGGERS, "story_revised", "reads the revision of the space, in space_counters: on the same node"),
    except(TRIGGERS, "editions_changed", "keeps edition_fields, edition_tags and counts: on the same node"),
    except(TRIGGERS, "editions_counted", "keeps edition_counts and folder_counts: on the same node"),
    except(TRIGGERS, "editions_removed", "removes edition_fields and edition_tags: on the same node"),
];

async fn rows(connection: &Connection, sql: &str) -> Vec<Row> {
    connection.rows(sql, &[]).await.unwrap()
}

/// Everything in the schema that breaks a rule.
async fn violations(connection: &Connection) -> Vec<Violation> {
    let checks = [
        listed(&rows(connection, TABLES).await),
        unique(&rows(connection, UNIQUE_INDEXES).await),
        foreign_keys(&rows(connection, FOREIGN_KEYS).await),
        triggers(&rows(connection, TRIGGER_FUNCTIONS).await),
    ];
    checks.concat()
}

const TABLES: &str = "
    select relname::text as table, array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0) as columns
    from pg_class c where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace order by relname";

fn listed(rows: &[Row]) -> Vec<Violation> {
    let mut columns: BTreeMap<String, Vec<String>> = rows.iter().map(|row| (row.get("table"), row.get("columns"))).collect();
    let mut violations = Vec::new();
    let mut violated = |name: &str, details: &str| {
        violations.push(Violation { rule: LISTED, name: name.to_owned(), details: details.to_owned() });
    };
    for (table, placement) in tables::listed() {
        match columns.remove(table) {
            None => violated(table, "is listed twice, or there is no such table"),
            Some(columns) if placement == Placement::BySpace && !columns.iter().any(|column| column == tables::key(table)) => {
                violated(table, "is listed as by space and does not say of which space its rows are");
            }
            Some(_) => {}
        }
    }
    for table in columns.keys() {
        violated(table, "is in no list: by space, reference or coordinator?");
    }
    violations
}

const UNIQUE_INDEXES: &str = "
    select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as index,
           array(select attname::text from pg_attribute
                 where attrelid = i.indrelid and attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and (i.indisunique or i.indisexclusion) order by 2";

fn unique(rows: &[Row]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for row in rows {
        let (table, name, columns): (String, String, Vec<String>) = (row.get("table"), row.get("index"), row.get("columns"));
        let key = tables::key(&table);
        if tables::placement(&table) == Some(Placement::BySpace) && !columns.iter().any(|column| column == key) {
            violations.push(Violation { rule: UNIQUE, name, details: format!("is unique in {table} without {key}") });
        }
    }
    violations
}

const FOREIGN_KEYS: &str = "
    select f.conname::text as name, f.conrelid::regclass::text as table, f.confrelid::regclass::text as target,
           array(select a.attname::text || '=' || t.attname
                 from unnest(f.conkey, f.confkey) pair (own, other)
                 join pg_attribute a on a.attrelid = f.conrelid and a.attnum = pair.own
                 join pg_attribute t on t.attrelid = f.confrelid and t.attnum = pair.other) as pairs,
           'n' in (f.confdeltype, f.confupdtype) or 'd' in (f.confdeltype, f.confupdtype) as sets
    from pg_constraint f join pg_class c on c.oid = f.conrelid
    where f.contype = 'f' and c.relnamespace = 'public'::regnamespace order by 1";

fn foreign_keys(rows: &[Row]) -> Vec<Violation> {
    use Placement::{BySpace, Coordinator, Reference};
    let mut violations = Vec::new();
    for row in rows {
        let (table, target, name): (String, String, String) = (row.get("table"), row.get("target"), row.get("name"));
        let pairs: Vec<String> = row.get("pairs");
        let keys = format!("{}={}", tables::key(&table), tables::key(&target));
        let details = match (tables::placement(&table), tables::placement(&target)) {
            (Some(BySpace), Some(BySpace)) if !pairs.contains(&keys) => format!("leads from {table} to {target} without {keys}"),
            (Some(BySpace), Some(BySpace | Reference))
            | (Some(Reference), Some(Reference))
            | (Some(Coordinator), Some(Coordinator | Reference))
            // A table that is in no list is a violation of its own.
            | (None, _) | (_, None) => String::new(),
            (Some(from), Some(to)) => format!("leads from {table} ({from:?}) to {target} ({to:?})"),
        };
        if !details.is_empty() {
            violations.push(Violation { rule: REFERENCES, name: name.clone(), details });
        }
        if row.get("sets") && tables::placement(&table) == Some(BySpace) {
            let details = format!("sets columns of {table} to null or to a default when a row of {target} goes");
            violations.push(Violation { rule: SET, name, details });
        }
    }
    violations
}

const TRIGGER_FUNCTIONS: &str = "
    select p.proname::text as function, array_agg(distinct c.relname::text) as tables
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace group by 1 order by 1";

fn triggers(rows: &[Row]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for row in rows {
        let (name, tables): (String, Vec<String>) = (row.get("function"), row.get("tables"));
        let is_by_space = tables.iter().any(|table| tables::placement(table) == Some(Placement::BySpace));
        if is_by_space && !OWN_ROW.contains(&name.as_str()) {
            let details = format!("a trigger of {} that is not known to look at its own row only", tables.join(", "));
            violations.push(Violation { rule: TRIGGERS, name, details });
        }
    }
    violations
}

#[tokio::test]
async fn the_schema_could_be_distributed_by_space_but_for_the_exceptions() {
    let database = support::database().await;
    let connection = database.connection().await;
    assert_only(EXCEPTIONS, &violations(&connection).await);
    let functions = "select p.proname::text as name from pg_proc p where exists (select from pg_trigger t where t.tgfoid = p.oid)";
    let functions: Vec<String> = rows(&connection, functions).await.iter().map(|row| row.get("name")).collect();
    for name in OWN_ROW {
        assert!(functions.iter().any(|function| function == name), "{name} is listed and belongs to no trigger");
    }
}

#[tokio::test]
async fn what_breaks_a_rule_of_the_schema_is_found() {
    let database = support::database().await;
    let connection = database.connection().await;
    for statement in [
        "create table notes (space_id bigint not null, id bigint primary key)",
        "alter table stories add column code text unique, add column sender uuid references users (id)",
        "alter table stories add constraint stories_parent foreign key (space_id, parent_id) references stories (space_id, id)
         on delete set null (parent_id)",
        "alter table assets add column code text references stories (code)",
        "create function watch() returns trigger language plpgsql as $$ begin return new; end $$",
        "create trigger watch before insert on assets for each row execute function watch()",
        "drop table edition_tags",
    ] {
        connection.execute(statement, &[]).await.unwrap();
    }
    let mut found = violations(&connection).await;
    found.retain(|violation| !EXCEPTIONS.iter().any(|known| known.rule == violation.rule && known.name == violation.name));
    let found: Vec<_> = found.iter().map(|violation| (violation.rule, violation.name.as_str())).collect();
    let expected = [
        (LISTED, "edition_tags"),
        (LISTED, "notes"),
        (UNIQUE, "stories_code_key"),
        (REFERENCES, "assets_code_fkey"),
        (SET, "stories_parent"),
        (REFERENCES, "stories_sender_fkey"),
        (TRIGGERS, "watch"),
    ];
    assert_eq!(found, expected);
}
