//! `If-Match` (RFC 9110, section 13.1.1): a write that is meant for what its caller has seen. The entity tag
//! of a resource with revisions is its revision, as in `"7"`.

use super::{Code, Detail, Fault, FieldCode};

/// The longest list of tags that is read.
const MAX_TAGS: usize = 100;

/// What a write asks of the revision that it changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Precondition {
    /// Nothing.
    None,
    /// That there is one.
    Any,
    /// One of these. Weak tags, and tags that are no revision, match nothing, and so they are left out.
    Revisions(Vec<i64>),
}

impl Precondition {
    /// Parses the value of the header: `*`, or entity tags with commas between them. 400 for anything else.
    pub fn parse(header: Option<&str>) -> Result<Self, Fault> {
        let Some(header) = header else { return Ok(Self::None) };
        if header.trim() == "*" {
            return Ok(Self::Any);
        }
        let mut revisions = Vec::new();
        let mut rest = header.trim_start_matches([' ', '\t']);
        for _ in 0..MAX_TAGS {
            let (is_weak, quoted) = rest.strip_prefix("W/").map_or((false, rest), |tag| (true, tag));
            let (tag, behind) = quoted.strip_prefix('"').and_then(|tag| tag.split_once('"')).ok_or_else(malformed)?;
            // etagc: no spaces and no controls.
            if tag.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
                return Err(malformed());
            }
            revisions.extend(tag.parse().ok().filter(|revision: &i64| !is_weak && revision.to_string() == tag));
            let behind = behind.trim_matches([' ', '\t']);
            if behind.is_empty() {
                return Ok(Self::Revisions(revisions));
            }
            rest = behind.strip_prefix(',').ok_or_else(malformed)?.trim_start_matches([' ', '\t']);
        }
        Err(malformed())
    }

    /// Whether a resource that is at this revision may be written.
    pub fn holds(&self, revision: i64) -> bool {
        match self {
            Self::None | Self::Any => true,
            Self::Revisions(revisions) => revisions.contains(&revision),
        }
    }
}

fn malformed() -> Fault {
    let message = "If-Match must be * or entity tags in quotes, such as \"7\"; send the ETag that you have read";
    Fault::new(Code::Validation, message).about(vec![Detail::new("If-Match", FieldCode::Invalid, "must be * or entity tags")])
}

#[cfg(test)]
mod tests {
    use super::Precondition;
    use proptest::prelude::*;

    #[test]
    fn tags_are_revisions_and_weak_or_foreign_ones_match_nothing() {
        let parse = |text| Precondition::parse(Some(text)).unwrap();
        assert_eq!(Precondition::parse(None).unwrap(), Precondition::None);
        assert_eq!(parse(" * "), Precondition::Any);
        assert_eq!(parse("\"7\""), Precondition::Revisions(vec![7]));
        assert_eq!(parse("\"7\" ,\t\"8\""), Precondition::Revisions(vec![7, 8]));
        for nothing in ["W/\"7\"", "\"x\"", "\"07\"", "\"+7\"", "\"\""] {
            assert_eq!(parse(nothing), Precondition::Revisions(vec![]), "{nothing}");
            assert!(!parse(nothing).holds(7));
        }
    }

    #[test]
    fn what_is_no_list_of_tags_is_refused() {
        for malformed in
            ["", " ", "7", "\"7", "7\"", "\"7\",", "\"7\" \"8\"", ",\"7\"", "w/\"7\"", "*, \"7\"", "\"a b\"", "\"7\";x"]
        {
            assert!(Precondition::parse(Some(malformed)).is_err(), "{malformed:?}");
        }
        assert!(Precondition::parse(Some(&vec!["\"1\""; 101].join(","))).is_err());
    }

    proptest! {
        #[test]
        fn nothing_panics_and_a_revision_matches_itself_alone(text in "[W/\"*, 0-9a-z]{0,30}", revision in 0i64..1000) {
            let _ = Precondition::parse(Some(&text));
            let parsed = Precondition::parse(Some(&format!("\"{revision}\""))).unwrap();
            prop_assert!(parsed.holds(revision) && !parsed.holds(revision + 1));
        }
    }
}
