//! Slugs and full slugs: the path of a story in its space.
//!
//! A full slug is the slugs of the folders above, joined by `/`. A start page's ends with a slash (`blog/`), because the bare form
//! (`blog`) is its folder's: so full slugs are unique in a space, and a folder has at most one start page.

use crate::shared::Fault;

/// The longest slug, in characters.
const MAX_SLUG: usize = 255;
/// The longest full slug, in bytes: it must fit into an index entry.
pub const MAX_FULL_SLUG: usize = 2_000;

/// One segment of a path: not blank, without a slash and without characters that have a meaning in a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slug(String);

impl Slug {
    /// Checks a slug. 422 on the field `slug`, in Storyblok's words.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let refuse = |code, message: &str| Err(Fault::invalid("slug", code, message));
        let slug = text.trim();
        if slug.is_empty() {
            return refuse("blank", "can't be blank");
        }
        if slug.chars().count() > MAX_SLUG {
            return refuse("tooLong", &format!("is too long (maximum is {MAX_SLUG} characters)"));
        }
        let forbidden = |c: char| c.is_control() || c.is_whitespace() || "/\\?#%".contains(c);
        if slug.contains(forbidden) || slug == "." || slug == ".." {
            return refuse("invalid", "may not contain slashes, blanks or any of ? # % \\");
        }
        Ok(Self(slug.to_owned()))
    }

    /// The slug as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
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
    Fault::invalid("slug", "tooLong", format!("makes a path longer than {MAX_FULL_SLUG} bytes"))
}

/// 422: two stories cannot have the same path.
pub fn taken() -> Fault {
    Fault::invalid("slug", "taken", "has already been taken")
}

#[cfg(test)]
mod tests {
    use super::{MAX_FULL_SLUG, Slug, full_slug};

    #[test]
    fn slugs_are_one_path_segment() {
        for good in ["a", "über-uns", "2024.01", "  trimmed "] {
            assert_eq!(Slug::parse(good).unwrap().as_str(), good.trim());
        }
        for bad in ["", "  ", "a/b", "a b", "a\tb", "a?b", "a#b", "a%2Fb", "a\\b", ".", "..", &"x".repeat(256)] {
            let fault = Slug::parse(bad).unwrap_err();
            assert_eq!(fault.details[0].field, "slug", "{bad}");
        }
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
}
