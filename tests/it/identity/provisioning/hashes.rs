//! Hashes of other systems: which are taken, and what becomes of them.

use super::{app, codes, dry_run, import, user};
use support::prelude::*;

fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../../crates/crypto/src/passwords/tests/vectors.json")).unwrap()
}

fn row(number: usize, vector: &Value) -> Value {
    let mut hash = json!({ "value": vector["hash"] });
    if vector["algorithm"].is_string() {
        hash["algorithm"] = vector["algorithm"].clone();
    }
    user(&format!("u{number}@example.org"), json!({ "hashedPassword": hash }))
}

/// Imports the valid and the invalid hashes of a list.
async fn hold(vectors: &Value) {
    let app = app().await;
    for (kind, outcome) in [("valid", "created"), ("invalid", "invalid badHash")] {
        let list = vectors[kind].as_array().unwrap();
        assert!(list.len() > 5, "{kind}");
        let rows: Vec<Value> = list.iter().enumerate().map(|(number, vector)| row(number, vector)).collect();
        let done = import(&app, &rows).await;
        for (vector, code) in list.iter().zip(codes(&done)) {
            assert_eq!(code, outcome, "{}", vector["id"]);
        }
        assert!(
            !list
                .iter()
                .any(|vector| vector["hash"].as_str().is_some_and(|hash| !hash.is_empty() && done.body.to_string().contains(hash)))
        );
    }
    let stored = "select count(*) from users where password_hash is not null";
    assert_eq!(app.count(stored).await, i64::try_from(vectors["valid"].as_array().unwrap().len()).unwrap());
}

#[tokio::test]
async fn every_valid_vector_is_stored_and_every_invalid_one_refused() {
    hold(&vectors()).await;
}

#[tokio::test]
#[ignore = "reads the test vectors beside the repository: make shared-tests"]
async fn the_vectors_of_the_contract_hold() {
    hold(&serde_json::from_str(&tools::text_of("../shared/contract/hash-vectors.json")).unwrap()).await;
}

/// Attack 177.
#[tokio::test]
async fn hashes_that_are_weak_costly_or_odd_are_refused_by_name() {
    let app = app().await;
    let (salt, digest) = ("LDpCSddwcAWGSdvYItyveQ", "bNg8fhFge0z+y2AEKmy0oUxC1uuwLzj78CBz9iMqAPM");
    let argon2 = |costs: &str| format!("$argon2id$v=19${costs}${salt}${digest}");
    let bcrypt = |head: &str| format!("${head}$QEsqvaJWnvnxzPt23QJcoeCsNrd4mbmocj8fJoioC0rip9q8KXlCm");
    let pbkdf2 = |rounds: &str| format!("$pbkdf2-sha256${rounds}${salt}${digest}");
    let bad = [
        bcrypt("2$10"),
        bcrypt("2x$10"),
        bcrypt("2b$03"),
        bcrypt("2b$16"),
        bcrypt("2b$31"),
        "$scrypt$ln=16,r=8,p=1$c2FsdHNhbHRzYWx0$aGFzaGhhc2hoYXNoaGFzaA".to_owned(),
        "$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/".to_owned(),
        "$6$saltsalt$x".to_owned(),
        argon2("m=4095,t=1,p=1"),
        argon2("m=19456,t=0,p=1"),
        argon2("m=19456,t=2,p=0"),
        argon2("m=2147483648,t=2,p=1"),
        argon2("m=19456,t=1000000,p=1"),
        argon2("m=19456,t=2"),
        argon2("t=2,m=19456,p=1"),
        argon2("m=19456,t=2,p=1").replace("argon2id", "argon2d"),
        argon2("m=19456,t=2,p=1").replace("v=19", "v=18"),
        pbkdf2("0"),
        pbkdf2("1000000000"),
        pbkdf2("-1"),
        pbkdf2("i=1000,l=32"),
        pbkdf2("1000").replace(salt, "AAAAAAAAAA"),
        pbkdf2("1000").replace(digest, "AAAAAAAAAAAAAAAAAAAA"),
        pbkdf2("1000").replace(digest, "*Ng8fhFge0z"),
        pbkdf2("1000").replace('+', "-"),
        format!("{}$", pbkdf2("1000")),
        format!("{}\0", pbkdf2("1000")),
        format!("\0{}", pbkdf2("1000")),
        format!(" {}", pbkdf2("1000")),
        String::new(),
        "Correct-Horse-7!".to_owned(),
        "$".repeat(100_000),
    ];
    let labelled =
        |value: &str, label: &str| user("label@example.org", json!({ "hashedPassword": { "value": value, "algorithm": label } }));
    let mut rows: Vec<Value> = bad
        .iter()
        .enumerate()
        .map(|(number, hash)| user(&format!("u{number}@example.org"), json!({ "hashedPassword": { "value": hash } })))
        .collect();
    rows.push(labelled(&argon2("m=19456,t=2,p=1"), "argon2i"));
    rows.push(labelled(&bcrypt("2b$04"), "2a"));
    rows.push(labelled(&pbkdf2("1000"), "pbkdf2-sha512"));
    for (row, code) in rows.iter().zip(codes(&import(&app, &rows).await)) {
        assert_eq!(code, "invalid badHash", "{row}");
    }
    let good =
        [argon2("m=19456,t=2,p=1").replace("v=19", "v=16"), pbkdf2("1000").replace('+', "."), pbkdf2("i=1000"), bcrypt("2y$04")];
    let rows: Vec<Value> = good
        .iter()
        .enumerate()
        .map(|(number, hash)| user(&format!("g{number}@example.org"), json!({ "hashedPassword": { "value": hash } })))
        .collect();
    assert_eq!(codes(&dry_run(&app, &rows).await), ["created"; 4]);
    assert_eq!(app.count("select count(*) from users").await, 0);
}

/// The accent of the first hash is a character of its own, as macOS writes it; that of the second belongs to
/// its letter, as most keyboards do.
#[tokio::test]
async fn a_password_of_another_system_fits_on_every_keyboard() {
    let app = app().await;
    let (apart, composed) = ("cafe\u{301} harbour", "caf\u{e9} harbour");
    let hashes = [
        "$pbkdf2-sha256$1000$c2FsdHNhbHQ$DRMUuu90ue6L+z7Pv1oXCcg5ie1iSLDzFKwGCTjehNg=",
        "$pbkdf2-sha256$1000$c2FsdHNhbHQ$u8JnlOaxjYEDghMXTol8P6fPhIR/0tdRKuRDevMJ270=",
    ];
    let people = hashes.into_iter().flat_map(|hash| [(hash, apart), (hash, composed)]).enumerate();
    for (number, (hash, typed)) in people {
        let email = format!("u{number}@example.org");
        assert_eq!(codes(&import(&app, &[user(&email, json!({ "hashedPassword": { "value": hash } }))]).await), ["created"]);
        let person = Person::at(&app);
        assert_eq!(person.login(&email, "cafe harbour").await.refusal(), (401, "invalidCredentials"), "{email}");
        assert_eq!(person.login(&email, typed).await.status, 200, "{email}");
        let current = format!("select count(*) from users where email = '{email}' and password_hash like '$argon2id$%'");
        assert_eq!(app.count(&current).await, 1, "{email}");
        // The hash is of the usual form now, and both keyboards still write the password.
        for typed in [apart, composed] {
            assert_eq!(Person::at(&app).login(&email, typed).await.status, 200, "{email} {typed:?}");
        }
    }
}

#[tokio::test]
async fn the_next_login_replaces_an_imported_hash_and_ends_nothing() {
    let app = app().await;
    let vectors = vectors();
    for (number, kind) in
        ["$2b$", "$2y$", "$pbkdf2-sha1$", "$pbkdf2-sha256$", "$pbkdf2-sha512$", "$argon2i$", "$argon2id$"].into_iter().enumerate()
    {
        let vector =
            vectors["valid"].as_array().unwrap().iter().find(|vector| vector["hash"].as_str().unwrap().starts_with(kind)).unwrap();
        let email = format!("u{number}@example.org");
        assert_eq!(codes(&import(&app, &[row(number, vector)]).await), ["created"]);
        let stored = format!(
            "select count(*) from users where email = '{email}' and password_hash = '{}'",
            vector["hash"].as_str().unwrap()
        );
        assert_eq!(app.count(&stored).await, 1, "as it was sent");
        let person = Person::at(&app);
        assert_eq!(person.login(&email, "another password").await.refusal(), (401, "invalidCredentials"), "{kind}");
        assert_eq!(app.count(&stored).await, 1, "a wrong password replaces nothing");
        assert_eq!(person.login(&email, vector["password"].as_str().unwrap()).await.status, 200, "{kind}");
        let current = format!(
            "select count(*) from users where email = '{email}' and password_hash like '$argon2id$v=19$m=64,t=1,p=1$%' and token_version = 0"
        );
        assert_eq!(app.count(&current).await, 1, "{kind}");
        assert_eq!(
            Person::at(&app).login(&email, vector["password"].as_str().unwrap()).await.status,
            200,
            "{kind}, with the new hash"
        );
        assert_eq!(person.get("/api/me").await.status, 200, "the session goes on");
    }
    assert_eq!(app.count("select count(*) from former_passwords").await, 0);
    assert_eq!(app.count("select count(*) from account_audit where event like 'auth.password.%'").await, 0);
}
