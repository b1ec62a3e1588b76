//! The limit of concurrent event streams.

use super::vendor::{wanted, world};
use support::{import::sample_space, space_fixture::Caller};
use vendor_stand_in::{Fault, What};

#[tokio::test]
async fn a_space_has_so_many_streams_and_a_place_that_is_left_is_free() {
    let (stand_in, fixture) = world([sample_space()], None).await;
    stand_in.control.fault(Fault::of("/stories/", What::Silence));
    let admin = Caller::Token(&fixture.admin);
    let made = fixture.post(admin, &fixture.path("/import/vendor"), wanted(&sample_space())).await.expect(202)["import"].clone();
    let url = fixture.app().url(&fixture.path(&format!("/imports/{}/events", made["id"])));
    let open = async || {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        client.get(&url).header("authorization", &fixture.admin).send().await.unwrap()
    };
    let mut streams = Vec::new();
    for _ in 0..8 {
        let mut stream = open().await;
        assert_eq!(stream.status(), 200);
        assert!(stream.chunk().await.unwrap().is_some());
        streams.push(stream);
    }
    let refused = open().await;
    assert_eq!((refused.status().as_u16(), refused.headers().contains_key("retry-after")), (503, true));

    // The server notices the closed connection with the next event.
    drop(streams.pop());
    let import = fixture.path(&format!("/imports/{}", made["id"]));
    fixture.delete(admin, &import).await.expect(200);
    for stream in &mut streams {
        while stream.chunk().await.unwrap().is_some() {}
    }
    drop(streams);
    assert_eq!(open().await.status(), 200);
}
