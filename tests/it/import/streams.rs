//! Event streams: how many there may be, and their end with the credential that opened them.

use super::vendor::{wanted, world};
use support::{import::sample_space, prelude::*};
use vendor_stand_in::{Fault, What};

#[tokio::test]
async fn a_space_has_so_many_streams_and_a_place_that_is_left_is_free() {
    let (stand_in, fixture) = world([sample_space()], None).await;
    stand_in.control.fault(Fault::of("/stories/", What::Silence));
    let admin = Caller::Token(&fixture.admin);
    let made = fixture.post(admin, &fixture.path("/import/vendor"), wanted(&sample_space())).await.expect(202)["import"].clone();
    let url = fixture.url(&fixture.path(&format!("/imports/{}/events", made["id"])));
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

#[tokio::test]
async fn a_stream_ends_with_the_token_that_opened_it_the_membership_and_the_right_of_its_person() {
    let (stand_in, fixture) = world([sample_space()], None).await;
    stand_in.control.fault(Fault::of("/stories/", What::Silence));
    let admin = fixture.admin();
    let made = admin.post("/import/vendor", wanted(&sample_space())).await.expect(202)["import"].clone();
    let url = fixture.url(&fixture.path(&format!("/imports/{}/events", made["id"])));
    let open_with = async |header: &str, value: &str| {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let mut stream = client.get(&url).header(header, value).send().await.unwrap();
        assert_eq!(stream.status(), 200);
        assert!(stream.chunk().await.unwrap().is_some());
        stream
    };
    let open = async |token: &str| open_with("authorization", token).await;
    let (mut of_viewer, mut of_editor) = (open(&fixture.viewer).await, open(&fixture.editor).await);
    let eve = crate::space_people::member(&fixture, 11, "viewer").await;
    let mut of_member = open_with("cookie", &eve.cookie).await;
    let tokens = admin.get("/tokens").await.expect(200)["tokens"].clone();
    let viewer = tokens.as_array().unwrap().iter().find(|token| token["name"] == "viewer").unwrap()["id"].clone();
    admin.delete(&format!("/tokens/{viewer}")).await.expect(200);
    while of_viewer.chunk().await.unwrap().is_some() {}
    let membership = crate::space_people::id_of(&fixture, 11).await;
    admin.delete(&format!("/collaborators/{membership}")).await.expect(200);
    while of_member.chunk().await.unwrap().is_some() {}
    fixture.sql("update users set suspended_at = now()").await;
    while of_editor.chunk().await.unwrap().is_some() {}
    fixture.sql("update users set suspended_at = null").await;
    let import = admin.get(&format!("/imports/{}", made["id"])).await.expect(200);
    assert_eq!(import["import"]["status"], "running", "the import goes on");
}
