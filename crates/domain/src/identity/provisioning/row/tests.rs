use super::{Candidate, Row, RowCode, RowRules, read};
use crate::identity::{Locales, oidc::Clients};
use proptest::prelude::*;
use secrecy::ExposeSecret;
use serde_json::{Value, json, value::to_raw_value};

fn row_of(value: &Value) -> Row {
    let clients = r#"[{"clientId":"web","redirectUris":["https://a.example/cb"],"roles":["viewer","editor"],"roleMode":"single"}]"#;
    let rules = RowRules {
        locales: &Locales::default(),
        clients: &Clients::parse(clients).unwrap(),
        check_hash: |value, _| if value.starts_with('$') { Ok(()) } else { Err("is of no supported kind".to_owned()) },
        now: "2026-03-01T12:00:00Z".parse().unwrap(),
    };
    read(&to_raw_value(value).unwrap(), &rules)
}

/// A valid candidate with an address and a subject.
pub(in crate::identity::provisioning) fn candidate(email: &str, legacy_sub: Option<&str>) -> Candidate {
    row_of(&json!({ "email": email, "firstName": "Ann", "legacySub": legacy_sub })).checked.unwrap()
}

/// A row with these members beside an address and a name.
fn with(more: Value) -> Row {
    let mut row = json!({ "email": "ann@example.org", "firstName": "Ann" });
    let Value::Object(more) = more else { panic!("members") };
    row.as_object_mut().unwrap().extend(more);
    row_of(&row)
}

fn refusal(more: Value) -> (RowCode, String) {
    let refusal = with(more).checked.unwrap_err();
    (refusal.code, refusal.message.into_owned())
}

#[test]
fn every_field_is_read() {
    let candidate = with(json!({
        "email": " Ann@Example.ORG ", "lastName": "Bee", "locale": "de-AT", "emailVerified": true, "createdAt": "2019-05-04T08:00:00+02:00", "suspended": true,
        "legacySub": "auth0|1", "roles": {"web": ["editor"]}, "hashedPassword": {"value": "$2b$", "algorithm": "bcrypt"}, "invite": false,
    }));
    assert_eq!((candidate.email.as_str(), candidate.legacy_sub.as_deref()), ("ann@example.org", Some("auth0|1")));
    let candidate = candidate.checked.unwrap();
    assert_eq!((candidate.last_name.as_deref(), candidate.locale.as_str()), (Some("Bee"), "de"));
    assert!(candidate.email_verified && candidate.is_suspended && !candidate.is_invited);
    assert_eq!(candidate.created_at, "2019-05-04T06:00:00Z".parse().ok());
    assert_eq!(candidate.roles, [("web".to_owned(), "editor".to_owned())]);
    assert_eq!(candidate.password_hash.unwrap().expose_secret(), "$2b$");
}

#[test]
fn null_is_absent_and_a_locale_falls_back() {
    let nulls = json!({"lastName": null, "locale": null, "emailVerified": null, "createdAt": null, "suspended": null, "legacySub": null, "roles": null,
        "hashedPassword": null, "invite": null});
    let plain = with(nulls).checked.unwrap();
    assert!(plain.legacy_sub.is_none() && plain.password_hash.is_none() && plain.roles.is_empty() && !plain.email_verified);
    assert_eq!(with(json!({"locale": "tlh"})).checked.unwrap().locale, "en");
    let invited = with(json!({"invite": true, "emailVerified": true})).checked.unwrap();
    assert!(invited.is_invited && !invited.email_verified, "the invitation proves the address");
}

#[test]
fn a_field_that_is_not_known_is_named_before_anything_else_is_looked_at() {
    for field in ["isAdmin", "mustChangePassword", "requirePasswordChange", "firstname", "password", "id", "dryRun", "display_name"]
    {
        assert_eq!(refusal(json!({"email": 7, field: true})), (RowCode::UnknownField, format!("{field} is not known")));
    }
    let nested = refusal(json!({"hashedPassword": {"value": "x", "salt": "y"}}));
    assert_eq!(nested, (RowCode::UnknownField, "hashedPassword.salt is not known".to_owned()));
}

#[test]
fn malformed_fields_are_named_together() {
    for (more, named) in [
        (json!({"email": "ann"}), "email"),
        (json!({"email": null}), "email"),
        (json!({"email": ["ann@example.org"]}), "email"),
        (json!({"firstName": " "}), "firstName"),
        (json!({"firstName": 7}), "firstName"),
        (json!({"lastName": "a\u{202e}b"}), "lastName"),
        (json!({"lastName": "a\u{0}b"}), "lastName"),
        (json!({"locale": 1}), "locale"),
        (json!({"emailVerified": "true"}), "emailVerified"),
        (json!({"suspended": 0}), "suspended"),
        (json!({"invite": "no"}), "invite"),
        (json!({"createdAt": 1_556_956_800_000_i64}), "createdAt"),
        (json!({"createdAt": "last year"}), "createdAt"),
        (json!({"createdAt": "2026-03-01T12:00:01Z"}), "createdAt"),
        (json!({"legacySub": ""}), "legacySub"),
        (json!({"legacySub": 42}), "legacySub"),
        (json!({"legacySub": "a\u{0}"}), "legacySub"),
        (json!({"roles": ["editor"]}), "roles"),
        (json!({"roles": {"web": "editor"}}), "roles.web"),
        (json!({"roles": {"web": [1]}}), "roles.web"),
        (json!({"hashedPassword": "$2b$"}), "hashedPassword"),
        (json!({"hashedPassword": {}}), "hashedPassword.value"),
        (json!({"hashedPassword": {"value": "$2b$", "algorithm": 1}}), "hashedPassword.algorithm"),
        (json!({"invite": true, "hashedPassword": {"value": "$2b$"}}), "invite"),
    ] {
        let (code, message) = refusal(more.clone());
        assert!(code == RowCode::Validation && message.starts_with(&format!("{named} ")), "{more}: {message}");
    }
    let (_, both) = refusal(json!({"email": "", "firstName": "", "suspended": 1}));
    assert_eq!(both, "email is required; firstName is required; suspended must be true or false");
}

#[test]
fn a_hash_is_refused_last_and_not_repeated() {
    assert_eq!(
        refusal(json!({"hashedPassword": {"value": "hunter2"}})),
        (RowCode::BadHash, "hashedPassword is of no supported kind".to_owned())
    );
    assert_eq!(refusal(json!({"hashedPassword": {"value": ""}})).0, RowCode::BadHash);
    assert_eq!(
        refusal(json!({"hashedPassword": {"value": "hunter2"}, "roles": {"web": ["viewer", "editor"]}})).0,
        RowCode::BadRole
    );
    assert_eq!(refusal(json!({"hashedPassword": {"value": "hunter2"}, "roles": {"nobody": []}})).0, RowCode::BadRole);
    assert_eq!(
        refusal(json!({"hashedPassword": {"value": "hunter2"}, "roles": {"nobody": []}, "suspended": 1})).0,
        RowCode::Validation
    );
}

#[test]
fn what_is_no_object_and_a_member_that_is_there_twice_are_invalid() {
    for odd in [json!([]), json!("ann@example.org"), json!(null), json!(7)] {
        let row = row_of(&odd);
        assert_eq!((row.email.as_str(), row.checked.unwrap_err().code), ("", RowCode::Validation));
    }
    let twice = r#"{"email":"ann@example.org","email":"bob@example.org","firstName":"Ann"}"#;
    let rules = RowRules {
        locales: &Locales::default(),
        clients: &Clients::default(),
        check_hash: |_, _| Ok(()),
        now: jiff::Timestamp::UNIX_EPOCH,
    };
    let row = read(&serde_json::value::RawValue::from_string(twice.to_owned()).unwrap(), &rules);
    assert_eq!(row.checked.unwrap_err().message, "email is there more than once");
}

/// Any JSON value, with names that accounts have.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 24, 6, |inner| {
        let name = prop::sample::select(vec![
            "email",
            "firstName",
            "legacySub",
            "roles",
            "hashedPassword",
            "value",
            "createdAt",
            "web",
            "x",
        ]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..6)
                .prop_map(|members| members.into_iter().map(|(n, v)| (n.to_owned(), v)).collect()),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_is_sent_is_an_account_or_a_refusal(value in value()) {
        let row = row_of(&value);
        prop_assert!(row.email.chars().count() <= 254);
        match row.checked {
            Ok(candidate) => prop_assert_eq!(candidate.email.as_str(), row.email),
            Err(refusal) => prop_assert!(!refusal.message.is_empty()),
        }
    }
}
