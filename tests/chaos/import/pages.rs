//! Holds back the pages of imports.

use storage::connect::{self, DatabaseTarget};
use support::prelude::*;
use tokio_postgres::Client;

/// The advisory lock for which a page of an import waits.
const PAGE_LOCK: i64 = 4_712;

/// The held pages of imports: a transaction that writes a page waits before its end until its process is
/// killed, which undoes the page.
pub struct Pages(Client);

impl Pages {
    /// Holds the pages of all imports of a database from now on, but for the first `count`.
    pub async fn held(target: &DatabaseTarget, count: i64) -> Self {
        let (client, _) = connect::single(target, "").await.unwrap();
        let database: String = client.query_one("select current_database()", &[]).await.unwrap().get(0);
        // In phases that start again from their beginning, a page is one that brings more records than there
        // ever were.
        let sql = format!(
            "alter database {database} set client_connection_check_interval = '20ms';
             create table let_through (pages bigint not null);
             insert into let_through values ({count});
             create function hold_page() returns trigger language plpgsql as $$ begin
                 update let_through set pages = pages - 1 where pages > 0;
                 if not found then perform pg_advisory_xact_lock_shared({PAGE_LOCK}); end if;
                 return new;
             end $$;
             create trigger held_page before update on import_jobs for each row
                 when (new.finished_at is null and ((old.phase, old.cursor) is distinct from (new.phase, new.cursor) or old.done < new.done))
                 execute function hold_page();
             select pg_advisory_lock({PAGE_LOCK})"
        );
        client.batch_execute(&sql).await.unwrap();
        Self(client)
    }

    /// Waits until a page is held, which is when the pages before it are committed and its own records are
    /// written.
    pub async fn reached(&self) {
        let sql = format!(
            "select exists (select from pg_locks where locktype = 'advisory' and objid = {PAGE_LOCK} and not granted
                                and database = (select oid from pg_database where datname = current_database()))"
        );
        // PostgreSQL sends no notification when a lock is waited for.
        while !self.0.query_one(&sql, &[]).await.unwrap().get::<_, bool>(0) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Lets further pages through. To be called once the process that waited is killed.
    pub async fn let_through(&self, count: i64) {
        self.0.execute("update let_through set pages = $1", &[&count]).await.unwrap();
    }
}
