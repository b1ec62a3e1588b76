//! Tokens that a person makes in a session: they outlive it, so they need a recent proof.

use support::prelude::*;

fn management() -> Value {
    json!({ "name": "script", "role": "viewer" })
}

fn delivery(access: &str) -> Value {
    json!({ "api_key": { "access": access } })
}

async fn proves(fixture: &SpaceFixture) {
    fixture.sql("update sessions set proved_at = auth_at + interval '15 minutes 1 second'").await;
}

fn refusal(reply: &Response) -> (u16, String) {
    (reply.status, reply.body["error"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_person_makes_a_token_that_acts_or_reads_drafts_with_a_recent_proof() {
    let fixture = SpaceFixture::new().await;
    let (tokens, keys) = (fixture.path("/tokens"), fixture.path("/api_keys"));
    let listed = async || {
        let tokens = fixture.get(Caller::Owner, &tokens).await.expect(200)["tokens"].as_array().unwrap().len();
        (tokens, fixture.get(Caller::Owner, &keys).await.expect(200)["api_keys"].as_array().unwrap().len())
    };
    let before = listed().await;
    fixture.clock.advance(SignedDuration::from_secs(901));
    for (path, body) in
        [(&tokens, management()), (&tokens, json!({ "name": 7 })), (&keys, delivery("preview")), (&keys, delivery("private"))]
    {
        let refused = fixture.post(Caller::Owner, path, body.clone()).await;
        assert_eq!(refusal(&refused), (403, "proofRequired".to_owned()), "{path} {body}");
    }
    assert_eq!(refusal(&fixture.post(Caller::OwnerWithoutCsrf, &tokens, management()).await), (403, "csrfInvalid".to_owned()));
    assert_eq!(fixture.post(Caller::Other, &tokens, management()).await.status, 404, "who may not do it is not asked to prove");
    assert_eq!(listed().await, before);

    fixture.post(Caller::Owner, &keys, delivery("public")).await.expect(201);
    fixture.post(Caller::Owner, "/api/v1/spaces", json!({ "name": "Another" })).await.expect(201);
    fixture.post(Caller::Token(&fixture.admin), &tokens, management()).await.expect(201);
    fixture.post(Caller::Token(&fixture.admin), &keys, delivery("private")).await.expect(201);
    proves(&fixture).await;
    fixture.post(Caller::Owner, &keys, delivery("preview")).await.expect(201);
    let made = fixture.post(Caller::Owner, &tokens, management()).await.expect(201);
    let revoke = format!("{tokens}/{}", made["token"]["id"]);
    fixture.clock.advance(SignedDuration::from_secs(901));
    assert_eq!(fixture.delete(Caller::Owner, &revoke).await.status, 200, "taking a token away needs none");
}
