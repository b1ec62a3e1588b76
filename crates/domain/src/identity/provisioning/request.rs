//! The body of an import: `{"users": […], "dryRun"?: boolean}`.

use super::MAX_ROWS;
use crate::shared::{Code, Detail, Fault, FieldCode, json};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// An import.
#[derive(Debug)]
pub struct ImportRequest {
    /// The rows as they were sent, at most [`MAX_ROWS`].
    pub rows: Vec<Box<RawValue>>,
    /// Whether everything is checked and nothing written.
    pub is_dry_run: bool,
}

/// Reads the body. 400 when it is no such object: `unknownField` for a member that it does not have,
/// `tooManyUsers` for more than [`MAX_ROWS`] rows, and `validation` otherwise.
pub fn read(body: &[u8]) -> Result<ImportRequest, Fault> {
    let (mut rows, mut is_dry_run) = (None, None);
    for (name, value) in json::parse_members(body)?.0 {
        match name.as_str() {
            "users" if rows.is_none() => rows = Some(member::<Vec<Box<RawValue>>>("users", "must be an array", &value)?),
            "dryRun" if is_dry_run.is_none() => is_dry_run = Some(member::<bool>("dryRun", "must be true or false", &value)?),
            "users" | "dryRun" => return Err(wrong(&name, FieldCode::Repeated, "is there more than once")),
            _ => {
                let shown = shown(&name);
                let detail = Detail::new(shown.clone(), FieldCode::UnknownField, "is not known");
                return Err(Fault::new(Code::UnknownField, format!("{shown} is not known")).about(vec![detail]));
            }
        }
    }
    let rows = rows.ok_or_else(|| Fault::required("users", "Send the accounts as an array: users"))?;
    if rows.len() > MAX_ROWS {
        return Err(Fault::new(Code::TooManyUsers, format!("users has {} rows; a request takes {MAX_ROWS}", rows.len())));
    }
    Ok(ImportRequest { rows, is_dry_run: is_dry_run.unwrap_or(false) })
}

fn member<T: DeserializeOwned>(name: &str, what: &'static str, value: &RawValue) -> Result<T, Fault> {
    serde_json::from_str(value.get()).map_err(|_| wrong(name, FieldCode::WrongType, what))
}

fn wrong(name: &str, code: FieldCode, what: &'static str) -> Fault {
    Fault::fields(Code::Validation, vec![Detail::new(name, code, what)])
}

/// A name of a member as messages show it: short, and without characters that change how the text around it
/// is read.
pub(super) fn shown(name: &str) -> String {
    const MAX_SHOWN: usize = 64;
    name.chars().take(MAX_SHOWN).flat_map(char::escape_debug).collect()
}

#[cfg(test)]
mod tests {
    use super::read;
    use proptest::prelude::*;

    #[test]
    fn the_members_are_read_strictly() {
        let request = read(br#"{"users":[{"email":"a"},7,{"x":"\u0000"}],"dryRun":true}"#).unwrap();
        assert_eq!((request.rows.len(), request.is_dry_run), (3, true));
        assert!(!read(br#"{"users":[]}"#).unwrap().is_dry_run);
        for (body, code) in [
            (r#"{"users":[],"dryrun":true}"#, "unknownField"),
            (r#"{"users":[],"dryRun":"yes"}"#, "validation"),
            (r#"{"users":[],"dryRun":null}"#, "validation"),
            (r#"{"users":{}}"#, "validation"),
            (r#"{"users":[],"users":[]}"#, "validation"),
            ("{}", "validation"),
            ("[]", "validation"),
            ("null", "validation"),
            ("", "badJson"),
            (r#"{"users":["#, "badJson"),
        ] {
            assert_eq!(read(body.as_bytes()).unwrap_err().code.name(), code, "{body}");
        }
    }

    #[test]
    fn there_are_at_most_500_rows() {
        let body = |rows: usize| format!(r#"{{"users":[{}]}}"#, vec!["{}"; rows].join(","));
        assert_eq!(read(body(500).as_bytes()).unwrap().rows.len(), 500);
        assert_eq!(read(body(501).as_bytes()).unwrap_err().code.name(), "tooManyUsers");
    }

    #[test]
    fn a_name_in_a_message_is_short_and_harmless() {
        let fault = read(format!("{{\"a\\u202e\\n{}\":1}}", "b".repeat(1000)).as_bytes()).unwrap_err();
        assert!(fault.message.len() < 120 && fault.message.starts_with(r"a\u{202e}\nbbb"), "{fault}");
    }

    proptest! {
        #[test]
        fn nothing_that_is_sent_makes_it_panic(body in "\\PC{0,80}|[\\[\\]{}\":,a-z0-9]{0,60}") {
            let _ = read(body.as_bytes());
        }
    }
}
