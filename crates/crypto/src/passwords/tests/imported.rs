use crate::passwords::{
    Algorithm, BadHash, PasswordSettings, Passwords, Verdict,
    cost::Cost,
    import,
    memory::HashMemory,
    stored::{Prf, Scheme, Stored},
};
use crate::random::SystemEntropy;
use aws_lc_rs::pbkdf2;
use proptest::prelude::*;
use serde_json::Value;
use std::{collections::BTreeSet, num::NonZeroU32, path::Path, sync::Arc};

const PASSWORD: &str = "Correct-Horse-7!";
const OWASP: &str = "$argon2id$v=19$m=19456,t=2,p=1$LDpCSddwcAWGSdvYItyveQ$bNg8fhFge0z+y2AEKmy0oUxC1uuwLzj78CBz9iMqAPM";
const BCRYPT: &str = "$2b$04$QEsqvaJWnvnxzPt23QJcoeCsNrd4mbmocj8fJoioC0rip9q8KXlCm";
const PBKDF2: &str = "$pbkdf2-sha256$1000$LGbj/QfMzE5vYssS.KT3Sw$DXHVc5sKPg1.ha/pnAXuiGGFh6wBCudpfzWEIIPSAEk";

fn fits(hash: &str, password: &str) -> bool {
    Stored::parse(hash).unwrap().verify(password.as_bytes(), &mut HashMemory::new(0)).unwrap()
}

fn pool() -> Passwords {
    let settings = PasswordSettings { memory_kib: 64, iterations: 1, workers: 1, ..PasswordSettings::default() };
    Passwords::start(settings, Arc::new(SystemEntropy)).unwrap()
}

/// RFC 6070, section 2, and RFC 7914, section 11.
#[test]
fn pbkdf2_derives_what_the_rfcs_say() {
    for (prf, password, salt, rounds, derived) in [
        (Prf::Sha1, "password", "salt", 1, "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        (Prf::Sha1, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
        (
            Prf::Sha1,
            "passwordPASSWORDpassword",
            "saltSALTsaltSALTsaltSALTsaltSALTsalt",
            4096,
            "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038",
        ),
        (Prf::Sha1, "pass\0word", "sa\0lt", 4096, "56fa6aa75548099dcc37d7f03425e0c3"),
        (
            Prf::Sha256,
            "passwd",
            "salt",
            1,
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783",
        ),
    ] {
        let mut out = vec![0; derived.len() / 2];
        prf.derive(password.as_bytes(), salt.as_bytes(), NonZeroU32::new(rounds).unwrap(), &mut out);
        assert_eq!(hex::encode(out), derived, "{prf:?} {password:?}");
    }
}

/// One of each kind and writing.
#[test]
fn hashes_of_other_systems_fit_their_password_and_no_other() {
    let longer = format!("{PASSWORD}x");
    for (hash, algorithm) in [
        (OWASP, Algorithm::Argon2id),
        ("$argon2id$v=19$m=4096,t=1,p=1$RTnktIiQecI$BtF7tQxxvEkq4VLy8Ay37A", Algorithm::Argon2id),
        ("$argon2id$v=16$m=8192,t=2,p=1$zmCbW/O5dKhJB+I3rKMBEg$2VPMAlqpwQSb8ZevWPBzHE9wK/9/KcdbN6gYi5O/oug", Algorithm::Argon2id),
        ("$argon2id$m=8192,t=2,p=1$zmCbW/O5dKhJB+I3rKMBEg$2VPMAlqpwQSb8ZevWPBzHE9wK/9/KcdbN6gYi5O/oug", Algorithm::Argon2id),
        ("$argon2i$v=19$m=4096,t=3,p=1$cwvqT/FvIA+5MbBsrgil2g$WxGiUj054tzXjzjncBp7Fa8qSXqmqZwyRLonNi33miw", Algorithm::Argon2i),
        (BCRYPT, Algorithm::Bcrypt),
        (&BCRYPT.replace("2b", "2a"), Algorithm::Bcrypt),
        (&BCRYPT.replace("2b", "2y"), Algorithm::Bcrypt),
        (PBKDF2, Algorithm::Pbkdf2Sha256),
        (&PBKDF2.replace('.', "+").replace("Sw$", "Sw==$").replace("1000", "i=1000"), Algorithm::Pbkdf2Sha256),
        ("$pbkdf2-sha256$1$H2+m9p0YXmA$lvu75+2NCtFfXsorA3ji+w", Algorithm::Pbkdf2Sha256),
        ("$pbkdf2-sha1$29000$UkDbqtL9Tvw/Joa1wkMWnA==$9dXNp6lAv4ipzAwlIifJOas2Nsc=", Algorithm::Pbkdf2Sha1),
        (
            "$pbkdf2-sha512$25000$JoLL156hZ55cjA5V2qtiaQ$ni5pfByuz2DmWnLp0QjOE3uOCjOE1C69VNtblY53f/XgpT6XtysO7BNYeBP0Ufqrh70dbsKAiWaoS5kZ0NeeJg",
            Algorithm::Pbkdf2Sha512,
        ),
    ] {
        assert_eq!(import(hash, None), Ok(algorithm), "{hash}");
        assert_eq!(import(hash, Some(algorithm.into_str())), Ok(algorithm), "{hash}");
        assert!(fits(hash, PASSWORD) && !fits(hash, &longer) && !fits(hash, ""), "{hash}");
    }
}

#[test]
fn a_refusal_says_why() {
    let changed = |hash: &str, from: &str, to: &str| {
        let bad = hash.replacen(from, to, 1);
        assert_ne!(bad, hash);
        import(&bad, None).map_err(|why| matches!(why, BadHash::OutOfBounds(_)).then_some("bounds").unwrap_or("form"))
    };
    for (from, to, why) in [
        ("m=19456", "m=4095", "bounds"),
        ("m=19456", "m=1048577", "bounds"),
        ("t=2", "t=0", "bounds"),
        ("t=2", "t=17", "bounds"),
        ("p=1", "p=17", "bounds"),
        ("t=2", "t=02", "form"),
        ("t=2", "t=+2", "form"),
        ("m=19456,t=2", "t=2,m=19456", "form"),
        (",p=1", "", "form"),
        (",p=1", ",p=1,keyid=AAAA", "form"),
        ("v=19", "v=18", "form"),
        ("AWGSdvYItyveQ", "", "form"),
        ("LDpCSddwcAWGSdvYItyveQ", "LDpCSddwcA", "bounds"),
        ("Lzj78CBz9iMqAPM", "Lzj78CBz9iMqAPM=", "form"),
        ("bNg8fhFge0z+y2AEKmy0oUxC", "", "bounds"),
    ] {
        assert_eq!(changed(OWASP, from, to), Err(why), "{from} -> {to}");
    }
    for (from, to, why) in [
        ("$04$", "$03$", "bounds"),
        ("$04$", "$16$", "bounds"),
        ("$04$", "$4$", "form"),
        ("$04$", "$+4$", "form"),
        ("2b", "2x", "form"),
        ("2b", "2", "form"),
        ("KXlCm", "KXlC", "form"),
        ("KXlCm", "KXlC!", "form"),
        ("KXlCm", "KXlCmm", "form"),
        ("QEsqv", "QE$qv", "form"),
    ] {
        assert_eq!(changed(BCRYPT, from, to), Err(why), "{from} -> {to}");
    }
    for (from, to, why) in [
        ("1000", "0", "bounds"),
        ("1000", "10000001", "bounds"),
        ("1000", "99999999999999999999", "form"),
        ("1000", "-1", "form"),
        ("1000", "", "form"),
        ("1000", "i=1000,l=32", "form"),
        ("sha256", "sha384", "form"),
        ("-sha256", "", "form"),
        ("LGbj/QfMzE5vYssS.KT3Sw", "LGbj/QfMzA", "bounds"),
        ("DXHVc5sKPg1.ha/pnAXuiGGFh6wB", "", "bounds"),
        ("IPSAEk", "IP_AEk", "form"),
        ("IPSAEk", "IPSAEk$x", "form"),
        ("$DXHVc5sKPg1.ha/pnAXuiGGFh6wBCudpfzWEIIPSAEk", "", "form"),
    ] {
        assert_eq!(changed(PBKDF2, from, to), Err(why), "{from} -> {to}");
    }
    for unsupported in [
        "",
        PASSWORD,
        "$",
        "$$",
        " $2b$04$",
        "$6$saltsaltsalt$yh",
        "$scrypt$ln=14,r=8,p=1$4LmoeZ8yRTpHjJEi.Lg87g$UuxejzpUocq4",
        "{SSHA}e0b",
    ] {
        assert_eq!(import(unsupported, None), Err(BadHash::Unsupported), "{unsupported}");
    }
    let long = format!("{PBKDF2}{}", "A".repeat(513 - PBKDF2.len()));
    assert!(matches!(import(&long, None), Err(BadHash::OutOfBounds(_))));
    assert!(!BadHash::Mislabelled.to_string().is_empty() && BadHash::Unsupported.to_string().contains("$2y$"));
}

#[test]
fn a_label_must_say_what_the_prefix_says() {
    assert_eq!(import(OWASP, Some("bcrypt")), Err(BadHash::Mislabelled));
    assert_eq!(import(PBKDF2, Some("pbkdf2-sha512")), Err(BadHash::Mislabelled));
    assert_eq!(import(BCRYPT, Some("2b")), Ok(Algorithm::Bcrypt));
    for wrong in ["2a", "", "BCRYPT", "b"] {
        assert_eq!(import(BCRYPT, Some(wrong)), Err(BadHash::Mislabelled), "{wrong}");
    }
}

#[test]
fn bcrypt_reads_72_bytes_and_no_zero_byte() {
    let hash = "$2b$04$NDXfjyjAL3WSsSNOUR3IVedHoLPWwyiMiwhdf60aVhaUPCwAsycee";
    let read = "a".repeat(72);
    assert!(fits(hash, &read) && fits(hash, &format!("{read}IGNORED-TAIL")));
    assert!(!fits(hash, &"a".repeat(71)));
    assert!(!fits(BCRYPT, &format!("{PASSWORD}\0")) && !fits(BCRYPT, &format!("{PASSWORD}\0x")));
    // Bits that only fill up the last character of the salt say nothing.
    assert!(fits(&BCRYPT.replace("JcoeCs", "JcofCs"), PASSWORD));
}

#[tokio::test]
async fn an_imported_hash_is_right_and_outdated_whatever_it_cost() {
    let pool = pool();
    for hash in [OWASP, BCRYPT, PBKDF2] {
        assert_eq!(pool.verify(PASSWORD.into(), Some(hash)).await.unwrap(), Verdict::Right { outdated: true });
        assert_eq!(pool.verify("Correct-Horse-7?".into(), Some(hash)).await.unwrap(), Verdict::Wrong);
    }
}

/// Another system hashed what it received; ours hashes what every keyboard writes. Both are the person's
/// password, on every keyboard.
#[tokio::test]
async fn an_imported_hash_fits_however_its_password_is_typed() {
    let pool = pool();
    let (apart, composed) = ("cafe\u{301} harbour", "caf\u{e9} harbour");
    // Made with Python's hashlib: of `apart`, and of `composed`.
    for hash in [
        "$pbkdf2-sha256$1000$c2FsdHNhbHQ$DRMUuu90ue6L+z7Pv1oXCcg5ie1iSLDzFKwGCTjehNg=",
        "$pbkdf2-sha256$1000$c2FsdHNhbHQ$u8JnlOaxjYEDghMXTol8P6fPhIR/0tdRKuRDevMJ270=",
    ] {
        for typed in [apart, composed] {
            assert_eq!(pool.verify(typed.into(), Some(hash)).await.unwrap(), Verdict::Right { outdated: true }, "{hash} {typed}");
        }
        assert_eq!(pool.verify("cafe harbour".into(), Some(hash)).await.unwrap(), Verdict::Wrong);
    }
}

/// A hash of our own kind and cost, made by another server that did not compose its passwords.
#[tokio::test]
async fn a_hash_of_another_form_is_outdated() {
    let pool = pool();
    let cost = Cost::new(64, 1, 1).unwrap();
    let mut memory = HashMemory::new(64);
    let mixed = "\u{e9}e\u{301}";
    for (form, outdated) in [("\u{e9}\u{e9}", false), ("e\u{301}e\u{301}", true), (mixed, true)] {
        let hash = Stored::make(cost, form.as_bytes(), [7; 16], &mut memory).unwrap().write().unwrap();
        assert_eq!(pool.verify(mixed.into(), Some(&hash)).await.unwrap(), Verdict::Right { outdated }, "{form:?}");
    }
}

/// Those that take long are in the contract's own list only.
#[test]
fn every_kind_of_hash_is_taken_and_every_kind_of_bad_one_refused() {
    let own = include_str!("vectors.json");
    let families = hold(own);
    let all = ["argon2i", "argon2id", "bcrypt", "pbkdf2-sha1", "pbkdf2-sha256", "pbkdf2-sha512"];
    assert_eq!(families.into_iter().collect::<Vec<_>>(), all);
    for writing in ["v=16", "$2a$", "$2b$", "$2y$", "$i=", "==$", ".KT3Sw$", "+KT3Sw"] {
        assert!(own.contains(writing), "{writing}");
    }
}

#[test]
#[ignore = "reads the test vectors beside the repository: make shared-tests"]
fn the_72_vectors_of_the_contract_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/contract/hash-vectors.json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let vectors: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(["valid", "invalid"].map(|kind| vectors[kind].as_array().unwrap().len()), [36, 36]);
    hold(&text);
}

/// Tries every vector of a list; answers the algorithms of those that fit.
fn hold(list: &str) -> BTreeSet<String> {
    let vectors: Value = serde_json::from_str(list).unwrap();
    let rows = |kind: &str| vectors[kind].as_array().unwrap().clone();
    let mut memory = HashMemory::new(65_536);
    for row in rows("invalid") {
        assert_eq!(row["code"], "badHash");
        let refused = import(row["hash"].as_str().unwrap(), row["algorithm"].as_str());
        assert!(refused.is_err(), "{}: {refused:?}", row["id"]);
    }
    let fit = |row: Value| {
        let text = |name: &str| row[name].as_str().unwrap();
        let (id, hash, password) = (text("id"), text("hash"), text("password"));
        let algorithm = import(hash, Some(text("algorithm"))).unwrap().into_str();
        assert_eq!(algorithm, text("algorithm"), "{id}");
        let stored = Stored::parse(hash).unwrap();
        assert_eq!(stored.verify(password.as_bytes(), &mut memory), Some(true), "{id}");
        let other = format!("{password}x");
        assert_eq!(stored.verify(other.as_bytes(), &mut memory), Some(id == "bcrypt-72plus"), "{id}");
        algorithm.to_owned()
    };
    rows("valid").into_iter().map(fit).collect()
}

fn within_bounds(stored: &Stored) -> bool {
    let digest = (16..=128).contains(&stored.digest.len()) && stored.salt.len() >= 8;
    digest
        && match stored.scheme {
            Scheme::Argon2 { cost, .. } => cost.memory_kib <= 1 << 20 && cost.iterations <= 16 && cost.parallelism <= 16,
            Scheme::Bcrypt { cost } => (4..=15).contains(&cost) && stored.salt.len() == 16 && stored.digest.len() == 23,
            Scheme::Pbkdf2 { prf, rounds } => {
                let pieces = stored.digest.len().div_ceil(prf.length());
                rounds.get() as usize * pieces <= 10_000_000
            }
        }
}

#[test]
fn rounds_count_for_each_piece_of_a_long_digest() {
    let hash = |prf: &str, rounds: u32, digest: usize| {
        format!("$pbkdf2-{prf}${rounds}$AAAAAAAAAAAAAAAAAAAAAA$")
            + &base64::Engine::encode(&base64::engine::general_purpose::STANDARD_NO_PAD, vec![7; digest])
    };
    for (prf, length) in [("sha1", 20), ("sha256", 32), ("sha512", 64)] {
        assert!(import(&hash(prf, 10_000_000, length), None).is_ok(), "{prf}");
        assert!(import(&hash(prf, 5_000_000, 2 * length), None).is_ok(), "{prf}");
        assert!(import(&hash(prf, 5_000_001, 2 * length), None).is_err(), "{prf}");
    }
    assert!(import(&hash("sha1", 1_500_000, 128), None).is_err());
}

proptest! {
    /// Another implementation, for passwords, salts and lengths that no list of vectors has.
    #[test]
    fn pbkdf2_derives_what_another_library_does(password in ".{0,200}", salt in prop::collection::vec(any::<u8>(), 8..80), rounds in 1..50_u32, length in 16..=128_usize) {
        let rounds = NonZeroU32::new(rounds).unwrap();
        for (prf, other) in [
            (Prf::Sha1, pbkdf2::PBKDF2_HMAC_SHA1),
            (Prf::Sha256, pbkdf2::PBKDF2_HMAC_SHA256),
            (Prf::Sha512, pbkdf2::PBKDF2_HMAC_SHA512),
        ] {
            let (mut ours, mut theirs) = (vec![0; length], vec![0; length]);
            prf.derive(password.as_bytes(), &salt, rounds, &mut ours);
            pbkdf2::derive(other, rounds, &salt, password.as_bytes(), &mut theirs);
            prop_assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn nothing_that_is_read_is_out_of_bounds(text in "\\PC{0,80}", hash in prop::sample::select(vec![OWASP, BCRYPT, PBKDF2]), at in 0..110_usize, len in 0..12_usize) {
        // What is written over any part of a good hash.
        let bad: String = hash.chars().take(at).chain(text.chars()).chain(hash.chars().skip(at + len)).collect();
        for text in [&text, &bad] {
            if let Ok(stored) = Stored::parse(text) {
                prop_assert!(within_bounds(&stored), "{text}");
            }
        }
    }

    #[test]
    fn numbers_above_the_bounds_are_refused_and_those_within_are_not(m in 1..2_000_000_u32, t in 0..40_u32, p in 0..40_u32, cost in 0..100_u32, rounds in 0..20_000_000_u32) {
        let argon2 = format!("$argon2id$v=19$m={m},t={t},p={p}$LDpCSddwcAWGSdvYItyveQ$bNg8fhFge0z+y2AEKmy0oUxC1uuwLzj78CBz9iMqAPM");
        let takes = (4096..=1 << 20).contains(&m) && (1..=16).contains(&t) && (1..=16).contains(&p) && m >= 8 * p;
        prop_assert_eq!(import(&argon2, None).is_ok(), takes, "{}", argon2);
        prop_assert_eq!(import(&BCRYPT.replace("04", &format!("{cost:02}")), None).is_ok(), (4..=15).contains(&cost));
        prop_assert_eq!(import(&PBKDF2.replace("1000", &rounds.to_string()), None).is_ok(), (1..=10_000_000).contains(&rounds));
    }
}
