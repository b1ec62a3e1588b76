//! Path templates: `/api/v1/spaces/{space}/presets/{id}`. A parameter in braces is one segment that is not
//! empty; `{name..}` at the end is the rest of the path, however many segments that is.

use super::ErrorFormat;

/// The most parameters of one template.
const MAX_PARAMETERS: usize = 4;

/// A path template, taken apart once at the start.
#[derive(Debug, Clone)]
pub struct Template {
    text: &'static str,
    parts: Vec<PathPart>,
    /// Whether one slash may follow the path.
    may_end_with_slash: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PathPart {
    Literal(&'static str),
    Parameter,
    Rest,
}

/// The values of a path's parameters, in the order of the template, still percent-encoded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RawParameters<'a> {
    values: [&'a str; MAX_PARAMETERS],
    count: usize,
}

impl Template {
    /// Takes a template apart. A slash may follow the paths of Storyblok's APIs, as its documentation writes
    /// many of them; others have one spelling.
    pub(super) fn new(text: &'static str, format: ErrorFormat) -> Self {
        let parts = text.split('/').skip(1).map(|segment| match segment.strip_prefix('{') {
            Some(name) if name.ends_with("..}") => PathPart::Rest,
            Some(_) => PathPart::Parameter,
            None => PathPart::Literal(segment),
        });
        Self { text, parts: parts.collect(), may_end_with_slash: matches!(format, ErrorFormat::Management | ErrorFormat::Delivery) }
    }

    /// The template as it was written: the label of metrics and spans.
    pub fn as_str(&self) -> &'static str {
        self.text
    }

    /// How many parameters it has.
    pub(crate) fn parameters(&self) -> usize {
        self.parts.iter().filter(|part| !matches!(part, PathPart::Literal(_))).count()
    }

    /// The parameters of a path; `None` when the path does not match.
    pub(super) fn matches<'a>(&self, path: &'a str) -> Option<RawParameters<'a>> {
        let mut found = RawParameters::default();
        let mut rest = path.strip_prefix('/')?;
        for part in &self.parts {
            if *part == PathPart::Rest {
                found.push(rest.trim_matches('/'))?;
                return Some(found);
            }
            let (segment, after) = rest.split_once('/').unwrap_or((rest, ""));
            match part {
                PathPart::Literal(literal) if segment == *literal => {}
                PathPart::Parameter if !segment.is_empty() => found.push(segment)?,
                _ => return None,
            }
            rest = after;
        }
        let is_spelled = self.may_end_with_slash || !path.ends_with('/') || path == "/";
        (rest.is_empty() && is_spelled).then_some(found)
    }
}

impl<'a> RawParameters<'a> {
    fn push(&mut self, value: &'a str) -> Option<()> {
        *self.values.get_mut(self.count)? = value;
        self.count += 1;
        Some(())
    }

    /// The values, in the order of the template.
    pub(super) fn as_slice(&self) -> &[&'a str] {
        self.values.get(..self.count).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{ErrorFormat, Template};

    #[test]
    fn a_template_finds_its_parameters_and_no_other_path() {
        let find = |template, path| {
            let template = Template::new(template, ErrorFormat::Management);
            template.matches(path).map(|found| found.as_slice().join("|"))
        };
        let presets = "/api/v1/spaces/{space}/presets/{id}";
        for (template, path, found) in [
            ("/api/health", "/api/health", Some("")),
            ("/api/health", "/api/health/", Some("")),
            ("/api/health", "/api/health//", None),
            ("/api/health", "/api", None),
            ("/api/health", "/api/healthy", None),
            (presets, "/api/v1/spaces/7/presets/8", Some("7|8")),
            (presets, "/api/v1/spaces/7/presets/8/", Some("7|8")),
            (presets, "/api/v1/spaces/7/presets/", None),
            (presets, "/api/v1/spaces//presets/8", None),
            (presets, "/api/v1/spaces/7/presets/8/9", None),
            ("/f/{space}/{rest..}", "/f/7/a/b%2F/", Some("7|a/b%2F")),
            ("/f/{space}/{rest..}", "/f/7", Some("7|")),
            ("/f/{space}/{rest..}", "/f/", None),
        ] {
            assert_eq!(find(template, path).as_deref(), found, "{template} {path}");
        }
    }

    #[test]
    fn a_path_of_our_own_has_one_spelling() {
        let is_at = |template, path| Template::new(template, ErrorFormat::Identity).matches(path).is_some();
        assert!(is_at("/api/me", "/api/me") && !is_at("/api/me", "/api/me/"));
        assert!(is_at("/api/me/passkeys/{id}", "/api/me/passkeys/7") && !is_at("/api/me/passkeys/{id}", "/api/me/passkeys/7/"));
        assert!(is_at("/", "/") && !is_at("/", "//"));
    }
}
