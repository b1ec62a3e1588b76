//! How long a start takes.

use support::prelude::*;

/// `make run` after it was stopped, without what make does.
#[tokio::test]
async fn a_second_start_takes_less_than_a_second() {
    let data = scratch();
    Server::start(data.path(), &[]).await.stop().await;
    let again = Server::start(data.path(), &[]).await;
    assert!(again.took < Duration::from_secs(1), "{:?}", again.took);
    again.stop().await;
}
