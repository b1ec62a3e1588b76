//! Metadata and public keys.

use support::prelude::*;

const METADATA: [&str; 2] = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"];
const KEYS: [&str; 2] = ["/.well-known/jwks.json", "/oidc/jwks"];

#[tokio::test]
async fn both_paths_have_the_same_document_which_may_be_kept_for_five_minutes() {
    let app = TestApp::start().await;
    for (paths, media_type) in [(METADATA, "application/json; charset=utf-8"), (KEYS, "application/jwk-set+json; charset=utf-8")] {
        let mut bodies = BTreeSet::new();
        for path in paths {
            let response = app.get(path).header("origin", "https://app.example.org").send().await.unwrap();
            let header = |name: &str| response.headers()[name].to_str().unwrap().to_owned();
            assert_eq!(response.status(), 200, "{path}");
            assert_eq!(header("content-type"), media_type, "{path}");
            assert_eq!(header("cache-control"), "public, max-age=300", "{path}");
            assert_eq!(header("access-control-allow-origin"), "*", "{path}");
            assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
            let etag = header("etag");
            bodies.insert((etag.clone(), response.bytes().await.unwrap()));

            for known in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
                let unchanged = app.get(path).header("if-none-match", &known).send().await.unwrap();
                assert_eq!(
                    (unchanged.status().as_u16(), unchanged.headers()["etag"].to_str().unwrap()),
                    (304, &*etag),
                    "{path} {known}"
                );
                assert_eq!(unchanged.headers()["cache-control"], "public, max-age=300");
                assert!(unchanged.bytes().await.unwrap().is_empty());
            }
            let changed = app.get(path).header("if-none-match", "\"x\"").send().await.unwrap();
            assert_eq!(changed.status(), 200);
        }
        assert_eq!(bodies.len(), 1, "{paths:?}");
    }
}

#[tokio::test]
async fn the_metadata_names_what_is_there() {
    let app = TestApp::start().await;
    let metadata: Value = app.get(METADATA[0]).send().await.unwrap().json().await.unwrap();
    assert_eq!(metadata["issuer"], app.url(""), "no slash at the end");
    assert_eq!(metadata["jwks_uri"], app.url(KEYS[0]));
    let keys: Value = app.client.get(metadata["jwks_uri"].as_str().unwrap()).send().await.unwrap().json().await.unwrap();
    let of = |value: &Value| value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let offered: Vec<String> = keys["keys"].as_array().unwrap().iter().map(|key| key["alg"].as_str().unwrap().to_owned()).collect();
    let supported = of(&metadata["id_token_signing_alg_values_supported"]);
    assert_eq!(supported, ["RS256", "ES256", "EdDSA"]);
    assert_eq!(offered, [&supported[..], &supported[..]].concat(), "those that sign, and then those that follow");
    // Every endpoint that it names is one.
    for (member, url) in metadata.as_object().unwrap() {
        if member.ends_with("_endpoint") {
            let path = url.as_str().unwrap().strip_prefix(&app.url("")).unwrap();
            assert!(app.endpoints.iter().any(|endpoint| endpoint.template == path), "{member}");
        }
    }
}

/// RFC 7518 and RFC 8037 name these private members: d, and those of RSA; k is a symmetric key.
#[tokio::test]
async fn nothing_private_is_published() {
    let app = TestApp::start().await;
    let keys: Value = app.get(KEYS[0]).send().await.unwrap().json().await.unwrap();
    let keys = keys["keys"].as_array().unwrap();
    let mut kids = BTreeSet::new();
    for key in keys {
        for private in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
            assert!(key.get(private).is_none(), "{private} in {key}");
        }
        assert_eq!(key["use"], "sig");
        assert!(["RSA", "EC", "OKP"].iter().any(|kind| key["kty"] == *kind), "{key}");
        assert!(kids.insert(key["kid"].as_str().unwrap()), "{key}");
    }
    assert_eq!(kids.len(), 6);
}

#[tokio::test]
async fn no_document_asks_the_database() {
    let app = TestApp::start().await;
    let before = app.database.store.round_trips();
    for path in METADATA.into_iter().chain(KEYS) {
        assert_eq!(app.get(path).send().await.unwrap().status(), 200);
    }
    assert_eq!(app.database.store.round_trips(), before);
}
