use super::{Error, Limits, MAX_DEPTH, RecordMember, Shape, Splitter, weight};
use proptest::prelude::*;
use serde_json::{Value, json};

const WANTED: &[RecordMember] = &[
    RecordMember { name: "components", shape: Shape::List },
    RecordMember { name: "component_groups", shape: Shape::List },
    RecordMember { name: "story", shape: Shape::Object },
];
const LIMITS: Limits = Limits { bytes: 10_000, weight: 1_000_000 };

type Records = Vec<(usize, String)>;

/// Splits a response that arrives in these pieces. Fails if the splitter ever allocates more than its bound.
fn split<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, limits: Limits) -> Result<(Records, Vec<bool>), Error> {
    let mut splitter = Splitter::new(WANTED, limits);
    let mut records = Vec::new();
    let mut all = Vec::new();
    for piece in pieces {
        all.extend_from_slice(piece);
        splitter.push(piece, &mut |found| {
            let begin = usize::try_from(found.begin).unwrap();
            assert_eq!(&all[begin..begin + found.text.len()], found.text);
            records.push((found.member, String::from_utf8_lossy(found.text).into_owned()));
            Ok(())
        })?;
        assert!(splitter.allocated() <= limits.bytes.max(super::KEPT_BYTES), "{}", splitter.allocated());
    }
    splitter.finish().map(|found| (records, found))
}

fn whole(text: &str) -> Result<(Records, Vec<bool>), Error> {
    split([text.as_bytes()], LIMITS)
}

#[test]
fn lists_and_objects_are_found_by_name_and_all_else_is_skipped() {
    let text = r#" { "cv" : [{"components":[1]}], "component_groups":[ 1 , "]",{"a":"\"}"} ,[] ], "components":[], "rels":"x\\",
        "story": {"story":{}} , "components":[5], "n":-1.5e3}  "#;
    let (records, found) = whole(text).unwrap();
    assert_eq!(found, [true, true, true]);
    let expected = [(1, "1"), (1, "\"]\""), (1, r#"{"a":"\"}"}"#), (1, "[]"), (2, r#"{"story":{}}"#)];
    assert_eq!(records, expected.map(|(list, text)| (list, text.to_owned())));
    assert_eq!(whole(r#"{"components":{},"story":[]}"#).unwrap(), (vec![], vec![false; 3]), "of another shape");
    assert_eq!(whole("{}").unwrap(), (vec![], vec![false; 3]));
}

#[test]
fn what_is_no_object_or_is_cut_off_is_unreadable() {
    for text in [
        "",
        "[]",
        "{",
        "nonsense",
        "{\"components\":[1,",
        "{\"components\":[1,]}",
        "{\"components\":[1]",
        "{}{}",
        "{,}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\" 1}",
        "{\"components\":[1 2]}",
        "{\"components\":[,1]}",
        "{\"story\":{\"a\":\"",
    ] {
        assert_eq!(whole(text).err(), Some(Error::Unreadable), "{text}");
    }
}

#[test]
fn a_record_is_bounded_in_bytes_in_depth_and_in_what_it_takes_as_a_tree() {
    let list = |record: String| format!("{{\"components\":[{record}]}}");
    assert!(whole(&list(format!("\"{}\"", "x".repeat(9_998)))).is_ok());
    assert_eq!(whole(&list(format!("\"{}\"", "x".repeat(9_999)))).err(), Some(Error::RecordTooLarge));
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(whole(&list(deep(MAX_DEPTH))).is_ok());
    assert!(serde_json::from_str::<Value>(&deep(MAX_DEPTH)).is_ok());
    assert_eq!(whole(&list(deep(MAX_DEPTH + 1))).err(), Some(Error::TooDeep));
    assert_eq!(whole(&format!("{{\"other\":{}}}", deep(100_000))).err(), Some(Error::TooDeep));
    assert_eq!(whole(&list(format!("[{}[]]", "[],".repeat(3_000)))).err(), Some(Error::RecordTooLarge));
    assert!(whole(&list("[],".repeat(30_000) + "[]")).is_ok(), "many small records are no large one");
}

#[test]
fn an_endless_string_or_name_is_never_held() {
    let limits = Limits { bytes: 100_000, ..LIMITS };
    let piece = "x".repeat(5_000);
    let endless = |begin: &'static str| [begin].into_iter().chain(std::iter::repeat_n(&*piece, 1_000)).map(str::as_bytes);
    assert_eq!(split(endless("{\"components\":[\""), limits).err(), Some(Error::RecordTooLarge));
    assert_eq!(split(endless("{\"other\":\""), limits).err(), Some(Error::Unreadable));
    assert_eq!(split(endless("{\""), limits).err(), Some(Error::Unreadable));
}

/// What a tree takes at least, by the sizes of its parts.
fn least(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.capacity() * size_of::<Value>() + items.iter().map(least).sum::<usize>(),
        Value::Object(members) => {
            let slots = members.len() * (size_of::<Value>() + size_of::<String>() + 16);
            slots + members.iter().map(|(name, value)| name.len() + least(value)).sum::<usize>()
        }
        Value::String(text) => text.len(),
        _ => 0,
    }
}

/// Any JSON value.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z\"\\\\\\[\\]{},: ä]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-e\"]{0,3}", inner), 0..6).prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn wherever_a_response_is_cut_the_records_are_the_same(
        records in prop::collection::vec(value(), 0..6),
        groups in prop::collection::vec(value(), 0..3),
        other in value(),
        pretty in any::<bool>(),
        cuts in prop::collection::vec(1_usize..9, 1..200),
    ) {
        let body = json!({ "other": other, "components": records, "component_groups": groups, "story": { "a": other } });
        let text = if pretty { serde_json::to_string_pretty(&body).unwrap() } else { body.to_string() };
        let (mut rest, mut pieces) = (text.as_bytes(), Vec::new());
        for cut in cuts.iter().cycle() {
            let (piece, behind) = rest.split_at((*cut).min(rest.len()));
            pieces.push(piece);
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        let (in_pieces, found) = split(pieces, LIMITS).unwrap();
        prop_assert_eq!(found, [true; 3]);
        prop_assert_eq!(&in_pieces, &whole(&text).unwrap().0);
        let of = |list: usize| -> Vec<Value> {
            in_pieces.iter().filter(|record| record.0 == list).map(|record| serde_json::from_str(&record.1).unwrap()).collect()
        };
        prop_assert_eq!((of(0), of(1), of(2)), (records, groups, vec![json!({ "a": other })]));
    }

    #[test]
    fn any_bytes_are_split_or_refused_and_never_held_beyond_the_bound(
        begin in prop_oneof![Just(""), Just("{\"components\":["), Just("{\"components\":[{\"a\":\""), Just("{\"story\":")],
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"{}[]\",:\\ 1".to_vec())], 0..600),
        cut in 1_usize..50,
    ) {
        let all = [begin.as_bytes(), &bytes].concat();
        // The outcome may be anything; `split` checks what is allocated.
        let _ = split(all.chunks(cut), Limits { bytes: 100, weight: 5_000 });
    }

    #[test]
    fn a_tree_takes_no_more_than_its_weight(value in value()) {
        let text = value.to_string();
        let read: Value = serde_json::from_str(&text).unwrap();
        prop_assert!(least(&read) <= weight(text.as_bytes()).unwrap() * 3 / 2, "{} {}", least(&read), text);
    }
}
