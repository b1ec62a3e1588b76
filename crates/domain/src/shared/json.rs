//! Reading JSON that somebody else wrote: strict, and bounded in depth.
//!
//! PostgreSQL refuses U+0000 in text and in jsonb; a value that holds one is refused here, with the field's name, and never becomes
//! a database error.

use crate::shared::Fault;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// How deep a request body may nest (reliability, section 6.2).
pub const MAX_DEPTH: usize = 128;

/// Parses a body into a type.
///
/// 400 `badJson` when it is no JSON, nests deeper than [`MAX_DEPTH`], repeats a key that a struct knows, is of the wrong type,
/// or holds U+0000.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    check(body)?;
    serde_json::from_slice(body).map_err(|error| Fault::bad_request("badJson", format!("The body could not be read: {error}")))
}

/// The checks that need no type: depth and NUL. `serde_json`'s own limit is 128 as well, but it says so in words of its own.
fn check(body: &[u8]) -> Result<(), Fault> {
    let mut depth = 0_usize;
    let mut in_string = false;
    let mut escaped = false;
    let mut rest = body.iter();
    while let Some(&byte) = rest.next() {
        if in_string {
            match byte {
                _ if escaped => {
                    escaped = false;
                    if byte == b'u' && rest.as_slice().starts_with(b"0000") {
                        return Err(Fault::bad_request("badJson", "The body holds the character U+0000, which cannot be stored"));
                    }
                }
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                if depth >= MAX_DEPTH {
                    return Err(Fault::bad_request("badJson", format!("The body nests deeper than {MAX_DEPTH} levels")));
                }
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Ok(())
}

/// Serialises a value that is known to be serialisable: our own types have string keys only.
pub fn to_vec<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(value).map_err(|error| Fault::internal(format!("serialise: {error}")))
}

/// Whether the hosted service would read the value as true: `true`, `1`, `"1"`, `"true"` (facts, appendix G 14).
pub fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Bool(it) => *it,
        Value::Number(it) => it.as_i64() == Some(1),
        Value::String(it) => it == "1" || it == "true",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_DEPTH, parse};
    use serde_json::Value;

    #[test]
    fn depth_is_bounded_for_arrays_and_objects() {
        let deep = |open: &str, close: &str, n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
        assert!(parse::<Value>(deep("[", "]", MAX_DEPTH - 1).as_bytes()).is_ok());
        for body in [deep("[", "]", MAX_DEPTH), deep("{\"a\":", "}", 10_000)] {
            assert_eq!(parse::<Value>(body.as_bytes()).unwrap_err().code, "badJson");
        }
    }

    #[test]
    fn nul_is_refused_and_an_escaped_backslash_is_not_one() {
        assert!(parse::<Value>(br#"{"a":"x\u0000"}"#).is_err());
        assert!(parse::<Value>(br#"{"a":"x\\u0000"}"#).is_ok());
    }
}
