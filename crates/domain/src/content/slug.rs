//! Slugs and full slugs: the path of a story in its space.
//!
//! A full slug is the slugs of the folders above, joined by `/`. A start page's ends with a slash (`blog/`),
//! because the bare form (`blog`) is its folder's: so full slugs are unique in a space, and a folder has at
//! most one start page.

use crate::shared::{Fault, FieldCode};

/// The longest full slug, in bytes: it must fit into an index entry.
pub const MAX_FULL_SLUG: usize = 2_000;
/// How many bytes are kept of a slug of another system that is longer than any path may be.
const MAX_CUT_SLUG: usize = 255;

/// One segment of a path, as Storyblok has it: not blank, and without a slash. Control characters, `.` and
/// `..` are refused as well, because no client can put them into the path of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slug(String);

impl Slug {
    /// Checks a slug that a person or client gives; blanks around it are dropped. 422 on the field `slug`, in
    /// Storyblok's words.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        Self::exact(text.trim())
    }

    /// The same without dropping anything, for slugs of another system.
    pub fn exact(text: &str) -> Result<Self, Fault> {
        let refuse = |code, message: &str| Err(Fault::invalid("slug", code, message));
        if text.trim().is_empty() {
            return refuse(FieldCode::Blank, "can't be blank");
        }
        if text.len() > MAX_FULL_SLUG {
            return refuse(FieldCode::TooLong, &format!("is too long (maximum is {MAX_FULL_SLUG} bytes)"));
        }
        if text.contains(is_forbidden) || text == "." || text == ".." {
            return refuse(FieldCode::Invalid, "may not contain slashes or control characters, nor be . or ..");
        }
        Ok(Self(text.to_owned()))
    }

    /// The slug that is nearest to a text: the text itself if it is one, else with a dash for each forbidden
    /// character, and cut to what can be stored. `None` if nothing is left of it.
    pub fn nearest(text: &str) -> Option<Self> {
        if let Ok(slug) = Self::exact(text) {
            return Some(slug);
        }
        let dashed = text.trim().replace(is_forbidden, "-");
        let end = if dashed.len() > MAX_FULL_SLUG { dashed.floor_char_boundary(MAX_CUT_SLUG) } else { dashed.len() };
        Self::exact(dashed.get(..end)?.trim()).ok()
    }

    /// The slug as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn is_forbidden(character: char) -> bool {
    character == '/' || character.is_control()
}

/// The full slug of a story with this slug below this folder (`None` at the root).
pub fn full_slug(folder: Option<&str>, slug: &str, is_startpage: bool) -> Result<String, Fault> {
    let full = match folder {
        None => slug.to_owned(),
        Some(folder) if is_startpage => format!("{folder}/"),
        Some(folder) => format!("{folder}/{slug}"),
    };
    if full.len() > MAX_FULL_SLUG {
        return Err(too_long());
    }
    Ok(full)
}

/// 422: a path would become too long, that of the story or of one below it.
pub fn too_long() -> Fault {
    Fault::invalid("slug", FieldCode::TooLong, format!("makes a path longer than {MAX_FULL_SLUG} bytes"))
}

/// 422: two stories cannot have the same path.
pub fn slug_taken() -> Fault {
    Fault::invalid("slug", FieldCode::Taken, "has already been taken")
}

#[cfg(test)]
mod tests {
    use super::{MAX_FULL_SLUG, Slug, full_slug};

    #[test]
    fn slugs_are_one_path_segment() {
        for good in
            ["a", "über-uns", "2024.01", "  trimmed ", "a b", "100%", "a%2Fb", "who?", "c#", "a\\b", "...", &"x".repeat(2_000)]
        {
            assert_eq!(Slug::parse(good).unwrap().as_str(), good.trim());
        }
        for bad in ["", "  ", "a/b", "a\tb", "a\u{85}b", ".", "..", " . ", &"x".repeat(2_001)] {
            let fault = Slug::parse(bad).unwrap_err();
            assert_eq!(fault.details[0].field, "slug", "{bad}");
        }
        assert_eq!(Slug::exact(" a ").unwrap().as_str(), " a ");
        assert!(Slug::exact("  ").is_err());
    }

    #[test]
    fn a_text_that_is_no_slug_has_a_nearest_one_unless_nothing_is_left_of_it() {
        for (text, nearest) in [(" a b%", " a b%"), ("a/b", "a-b"), (" a\tb\n", "a-b"), ("/", "-"), ("a\u{0}", "a-")] {
            assert_eq!(Slug::nearest(text).unwrap().as_str(), nearest, "{text:?}");
        }
        for nothing in ["", "  ", "\n", ".", ".."] {
            assert_eq!(Slug::nearest(nothing), None, "{nothing:?}");
        }
        assert_eq!(Slug::nearest(&"ü".repeat(2_000)).unwrap().as_str(), "ü".repeat(127));
    }

    #[test]
    fn a_start_page_leaves_the_bare_path_to_its_folder() {
        assert_eq!(full_slug(None, "blog", false).unwrap(), "blog");
        assert_eq!(full_slug(Some("blog"), "post", false).unwrap(), "blog/post");
        assert_eq!(full_slug(Some("blog"), "home", true).unwrap(), "blog/");
        assert_eq!(full_slug(None, "home", true).unwrap(), "home");
    }

    #[test]
    fn a_path_is_bounded_in_bytes() {
        assert!(full_slug(Some(&"x".repeat(MAX_FULL_SLUG - 2)), "y", false).is_ok());
        assert!(full_slug(Some(&"x".repeat(MAX_FULL_SLUG - 2)), "ü", false).is_err());
    }

    #[test]
    fn a_text_is_cut_only_when_it_is_longer_than_any_path_may_be() {
        let longest = format!("/{}", "x".repeat(MAX_FULL_SLUG - 1));
        assert_eq!(Slug::nearest(&longest).unwrap().as_str(), longest.replace('/', "-"));
        assert_eq!(Slug::nearest(&format!("{longest}x")).unwrap().as_str().len(), 255);
    }
}
