//! The bound on prepared statements of a connection: queries of the Delivery API have more texts than
//! PostgreSQL should keep.

use support::{database, prelude::*};

/// The bound of a connection, and the statements of one transaction.
const MOST: i64 = 450;

#[tokio::test]
async fn a_thousand_different_statements_leave_few_of_them_prepared() {
    let database = database().await;
    let mut connection = database.store.connection("test.prepared").await.unwrap();
    for number in 0..1_000 {
        connection.rows(&format!("select {number} as number"), &[]).await.unwrap();
    }
    let prepared = async |connection: &storage::Connection| -> i64 {
        connection.row("select count(*) as prepared from pg_prepared_statements", &[]).await.unwrap().get("prepared")
    };
    let after_reads = prepared(&connection).await;
    assert!((1..=MOST).contains(&after_reads), "{after_reads}");

    for number in 1_000..2_000 {
        let tx = connection.begin();
        tx.rows(&format!("select {number} as number"), &[]).await.unwrap();
        tx.commit().await.unwrap();
    }
    let after_writes = prepared(&connection).await;
    assert!((1..=MOST).contains(&after_writes), "{after_writes}");
    // A statement that was forgotten meanwhile is prepared again.
    let row = connection.row("select 0 as number", &[]).await.unwrap();
    assert_eq!(row.get::<_, i32>("number"), 0);
}
