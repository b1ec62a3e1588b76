use super::{
    Algorithm, DecodingKey, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair, Pair, RsaKeyPair,
    RsaPublicKeyComponents, SigningAlgorithm,
};
use crate::oidc::{
    PublicKey,
    jws::{Unverified, complete, signing_input},
};
use aws_lc_rs::rsa::KeyPairComponents;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::identity::oidc::TokenType;
use proptest::prelude::*;
use secrecy::ExposeSecret;
use serde_json::{Value, json};
use strum::VariantArray;

/// RFC 7515, appendix A.2.1.
const RSA_N: &str = "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ";
const RSA_D: &str = "Eq5xpGnNCivDflJsRQBXHx1hdR1k6Ulwe2JZD50LpXyWPEAeP88vLNO97IjlA7_GQ5sLKMgvfTeXZx9SE-7YwVol2NXOoAJe46sui395IW_GO-pWJ1O0BkTGoVEn2bKVRUCgu-GjBVaYLU6f3l9kJfFNS3E0QbVdxzubSu3Mkqzjkn439X0M_V51gfpRLI9JYanrC4D4qAdGcopV_0ZHHzQlBjudU2QvXt4ehNYTCBr6XCLQUShb1juUO1ZdiYoFaFQT5Tw8bGUl_x_jTj3ccPDVZFD9pIuhLhBOneufuBiB4cS98l2SR_RQyGWSeWjnczT0QU91p1DhOVRuOopznQ";
const RSA_P: &str = "4BzEEOtIpmVdVEZNCqS7baC4crd0pqnRH_5IB3jw3bcxGn6QLvnEtfdUdiYrqBdss1l58BQ3KhooKeQTa9AB0Hw_Py5PJdTJNPY8cQn7ouZ2KKDcmnPGBY5t7yLc1QlQ5xHdwW1VhvKn-nXqhJTBgIPgtldC-KDV5z-y2XDwGUc";
const RSA_Q: &str = "uQPEfgmVtjL0Uyyx88GZFF1fOunH3-7cepKmtH4pxhtCoHqpWmT8YAmZxaewHgHAjLYsp1ZSe7zFYHj7C6ul7TjeLQeZD_YwD66t62wDmpe_HlB-TnBA-njbglfIsRLtXlnDzQkv5dTltRJ11BKBBypeeF6689rjcJIDEz9RWdc";
const RSA_DP: &str = "BwKfV3Akq5_MFZDFZCnW-wzl-CCo83WoZvnLQwCTeDv8uzluRSnm71I3QCLdhrqE2e9YkxvuxdBfpT_PI7Yz-FOKnu1R6HsJeDCjn12Sk3vmAktV2zb34MCdy7cpdTh_YVr7tss2u6vneTwrA86rZtu5Mbr1C1XsmvkxHQAdYo0";
const RSA_DQ: &str = "h_96-mK1R_7glhsum81dZxjTnYynPbZpHziZjeeHcXYsXaaMwkOlODsWa7I9xXDoRwbKgB719rrmI2oKr6N3Do9U0ajaHF-NKJnwgjMd2w9cjz3_-kyNlxAr2v4IKhGNpmM5iIgOS1VZnOZ68m6_pbLBSp3nssTdlqvd0tIiTHU";
const RSA_QI: &str = "IYd7DHOhrWvxkwPQsRM2tOgrjbcrfvtQJipd-DlcxyVuuM9sQLdgjVk2oy26F0EmpScGLq2MowX7fhd_QJQ3ydy5cY7YIBi87w93IKLEdfnbJtoOPLUW0ITrJReOgo1cq9SbsxYawBgfp_gh6A5603k2-ZQwVK0JKSHuLFkuQ3U";
/// RFC 7515, appendix A.2.1: what is signed there and in appendix A.3.1, after the header.
const PAYLOAD: &str = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

fn bytes(text: &str) -> Vec<u8> {
    BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()
}

/// Whether a key has signed a message.
fn verifies(key: &PublicKey, message: &str, signature: &[u8]) -> bool {
    let token = complete(message.to_owned(), signature);
    key.claims::<Value>(&Unverified::parse(&token).unwrap()).is_some()
}

#[test]
fn rs256_signs_and_verifies_the_example_of_rfc_7515() {
    let signature = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
    let pair = RsaKeyPair::from_components(&KeyPairComponents {
        public_key: RsaPublicKeyComponents { n: bytes(RSA_N), e: bytes("AQAB") },
        d: bytes(RSA_D),
        p: bytes(RSA_P),
        q: bytes(RSA_Q),
        dP: bytes(RSA_DP),
        dQ: bytes(RSA_DQ),
        qInv: bytes(RSA_QI),
    });
    let pair = KeyPair::of(Pair::Rsa(pair.unwrap())).unwrap();
    let message = format!("eyJhbGciOiJSUzI1NiJ9.{PAYLOAD}");
    assert_eq!(pair.sign(message.as_bytes()).unwrap(), bytes(signature));
    let jwk = pair.public().to_json();
    assert_eq!((&jwk["n"], &jwk["e"]), (&json!(RSA_N), &json!("AQAB")));
    assert!(verifies(pair.public(), &message, &bytes(signature)));
}

#[test]
fn es256_verifies_the_example_of_rfc_7515() {
    let (x, y) = ("f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0");
    let public = PublicKey::new(Algorithm::ES256, DecodingKey::from_ec_components(x, y).unwrap()).unwrap();
    let signature = bytes("DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q");
    let message = format!("eyJhbGciOiJFUzI1NiJ9.{PAYLOAD}");
    assert!(verifies(&public, &message, &signature));

    let private = bytes("jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI");
    let pair = EcdsaKeyPair::from_private_key_and_public_key(
        &ECDSA_P256_SHA256_FIXED_SIGNING,
        &private,
        &[&[4], bytes(x).as_slice(), &bytes(y)].concat(),
    )
    .unwrap();
    let pair = KeyPair::of(Pair::Ec(pair)).unwrap();
    assert_eq!(pair.public().to_json(), public.to_json());
    let ours = pair.sign(message.as_bytes()).unwrap();
    assert_eq!(ours.len(), 64, "the fixed form");
    assert!(verifies(&public, &message, &ours));
}

#[test]
fn eddsa_signs_the_example_of_rfc_8037() {
    let pair = Ed25519KeyPair::from_seed_and_public_key(
        &bytes("nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A"),
        &bytes("11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
    );
    let pair = KeyPair::of(Pair::Ed(pair.unwrap())).unwrap();
    let token = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg";
    let (message, _) = token.rsplit_once('.').unwrap();
    assert_eq!(complete(message.to_owned(), &pair.sign(message.as_bytes()).unwrap()), token);
    assert_eq!(pair.public().kid(), "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k", "appendix A.3");
}

#[test]
fn the_thumbprint_of_an_rsa_key_is_that_of_rfc_7638() {
    let n = "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw";
    let public = PublicKey::new(Algorithm::RS256, DecodingKey::from_rsa_components(n, "AQAB").unwrap()).unwrap();
    assert_eq!(public.kid(), "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs");
}

#[test]
fn a_jwk_has_the_public_members_and_no_others() {
    for (algorithm, members) in [
        (SigningAlgorithm::Rs256, &["use", "alg", "kid", "kty", "n", "e"][..]),
        (SigningAlgorithm::Es256, &["use", "alg", "kid", "kty", "crv", "x", "y"]),
        (SigningAlgorithm::EdDsa, &["use", "alg", "kid", "kty", "crv", "x"]),
    ] {
        let pair = KeyPair::generate(algorithm).unwrap();
        let json = pair.public().to_json();
        assert_eq!(json.as_object().unwrap().keys().collect::<Vec<_>>(), members, "{algorithm}");
        assert_eq!((&json["alg"], &json["use"]), (&json!(algorithm.into_str()), &json!("sig")));
        assert_eq!(PublicKey::from_json(&json).unwrap().to_json(), json);
        for member in members {
            let mut damaged = json.clone();
            damaged[member] = json!("AAAA");
            assert!(PublicKey::from_json(&damaged).is_none(), "{algorithm}: another {member}");
        }
        assert!(format!("{pair:?}").len() < 60, "nothing secret");
    }
}

/// PKCS#8 of version 1 begins with that version, 0, behind the head of the sequence.
#[test]
fn a_stored_key_is_the_same_key_and_of_version_1() {
    for &algorithm in SigningAlgorithm::VARIANTS {
        let pair = KeyPair::generate(algorithm).unwrap();
        let stored = pair.to_pkcs8().unwrap();
        let read = KeyPair::from_pkcs8(algorithm, stored.expose_secret()).unwrap();
        assert_eq!(read.public().to_json(), pair.public().to_json());
        assert!(stored.expose_secret().windows(3).take(5).any(|window| window == [2, 1, 0]), "{algorithm}");
        for other in SigningAlgorithm::VARIANTS.iter().copied().filter(|other| *other != algorithm) {
            assert!(KeyPair::from_pkcs8(other, stored.expose_secret()).is_err(), "{algorithm} as {other}");
        }
        assert!(KeyPair::from_pkcs8(algorithm, &stored.expose_secret()[1..]).is_err());
    }
}

/// Another library verifies what we sign, by the key that we publish.
#[test]
fn every_token_verifies_elsewhere_and_under_its_own_key_only() {
    let pairs: Vec<_> =
        SigningAlgorithm::VARIANTS.iter().map(|algorithm| (*algorithm, KeyPair::generate(*algorithm).unwrap())).collect();
    let claims = json!({ "iss": "https://id.example.org", "sub": "ä\"\\" });
    for (algorithm, pair) in &pairs {
        let input = signing_input(*algorithm, TokenType::Access, pair.public().kid(), &claims).unwrap();
        let token = complete(input.clone(), &pair.sign(input.as_bytes()).unwrap());

        let jwk = serde_json::from_value::<jsonwebtoken::jwk::Jwk>(pair.public().to_json()).unwrap();
        let header = jsonwebtoken::decode_header(&token).unwrap();
        assert_eq!(format!("{:?}", header.alg).to_lowercase(), algorithm.into_str().to_lowercase());
        assert_eq!((header.typ.as_deref(), header.kid.as_deref()), (Some("at+jwt"), Some(pair.public().kid())));
        let mut validation = jsonwebtoken::Validation::new(header.alg);
        validation.required_spec_claims.clear();
        validation.validate_exp = false;
        let decoding = jsonwebtoken::DecodingKey::from_jwk(&jwk).unwrap();
        assert_eq!(jsonwebtoken::decode::<Value>(&token, &decoding, &validation).unwrap().claims, claims);

        let read = Unverified::parse(&token).unwrap();
        assert_eq!(read.claims::<Value>().unwrap(), claims);
        for (other, key) in &pairs {
            let is_own = other == algorithm;
            assert_eq!(key.public().claims::<Value>(&read), is_own.then(|| claims.clone()), "{algorithm} under {other}");
        }
    }
}

#[test]
fn a_text_that_is_no_token_is_none() {
    let header = |json: &str| format!("{}.e30.AA", BASE64_URL_SAFE_NO_PAD.encode(json));
    assert!(Unverified::parse(&header(r#"{"alg":"RS256"}"#)).is_some());
    let long = header(&format!(r#"{{"alg":"RS256","x":"{}"}}"#, "a".repeat(8192)));
    for text in [
        "",
        ".",
        "..",
        "a.b.c",
        "e30.e30.AA",
        &header(r#"{"alg":7}"#),
        &header(r#"{"alg":"RS256","crit":["exp"]}"#),
        &header("[]"),
        &format!("{}=", header(r#"{"alg":"RS256"}"#)),
        &format!("{}.AA", header(r#"{"alg":"RS256"}"#)),
        &header(r#"{"alg":"RS256"}"#).replace("e30", "e30.e30"),
        &header(r#"{"alg":"RS256"}"#).replace("e30", "e3 0"),
        &long,
    ] {
        assert!(Unverified::parse(text).is_none(), "{text}");
    }
}

proptest! {
    #[test]
    fn nothing_that_is_parsed_panics(text in "[A-Za-z0-9_=.-]{0,200}", bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let _ = Unverified::parse(&text).and_then(|token| token.claims::<Value>());
        for &algorithm in SigningAlgorithm::VARIANTS {
            prop_assert!(KeyPair::from_pkcs8(algorithm, &bytes).is_err());
        }
        let x = BASE64_URL_SAFE_NO_PAD.encode(&bytes);
        for json in [
            json!({ "kty": "RSA", "n": x, "e": "AQAB", "use": "sig", "alg": "RS256", "kid": "k" }),
            json!({ "kty": "EC", "crv": "P-256", "x": x, "y": x, "use": "sig", "alg": "ES256", "kid": "k" }),
            json!({ "kty": "OKP", "crv": "Ed25519", "x": text, "use": "sig", "alg": "EdDSA", "kid": "k" }),
        ] {
            let _ = PublicKey::from_json(&json);
        }
    }
}
