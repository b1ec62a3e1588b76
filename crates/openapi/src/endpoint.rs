//! What the description takes from the table of endpoints.

use serde_json::{Map, Value, json};

/// An endpoint as its table declares it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// `GET`
    pub method: String,
    /// The template of its path; `{name..}` stands for several segments.
    pub template: &'static str,
    /// The credentials that let a request in: all of one of these lists.
    pub security: &'static [&'static [&'static str]],
    /// The shape of its errors.
    pub shape: ErrorShape,
    /// The statuses with which its access rule refuses.
    pub refusals: Vec<u16>,
    /// The roles of management tokens that it lets in.
    pub roles: Vec<&'static str>,
}

/// The shapes that errors have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorShape {
    /// `Error`; an invalid value is 422.
    Management,
    /// `Error`; an invalid value is 400.
    Identity,
    /// `{"error": sentence}`; an invalid value is 422.
    Delivery,
    /// `OAuthError`; an invalid value is 400.
    OAuth,
}

impl Endpoint {
    /// Its `security`. Without credentials it is an empty list, so that nothing is inherited.
    pub(crate) fn security(&self) -> Value {
        let alternative =
            |names: &&[&str]| Value::Object(names.iter().map(|name| ((*name).to_owned(), json!([]))).collect::<Map<_, _>>());
        self.security.iter().map(alternative).collect()
    }

    /// Whether its path has parameters: then what they name may not exist.
    pub(crate) fn has_parameters(&self) -> bool {
        self.template.contains('{')
    }
}

/// Whether a path of the description is that of a template. The names of parameters may differ. A parameter
/// of several segments, which OpenAPI does not know, is described as one segment or as several.
pub fn same_path(described: &str, template: &str) -> bool {
    let (mut described, mut template) = (described.split('/'), template.split('/'));
    loop {
        match (described.next(), template.next()) {
            (None, None) => return true,
            (Some(one), Some(other)) if is_parameter(one) && is_parameter(other) => {
                if other.ends_with("..}") {
                    return described.all(is_parameter);
                }
            }
            (Some(one), Some(other)) if one == other => {}
            _ => return false,
        }
    }
}

fn is_parameter(segment: &str) -> bool {
    segment.starts_with('{')
}

#[cfg(test)]
mod tests {
    use super::same_path;

    #[test]
    fn paths_are_compared_without_the_names_of_their_parameters() {
        for (described, template, same) in [
            ("/api/health", "/api/health", true),
            ("/api/health", "/api/ready", false),
            ("/api/me/passkeys/{uuid}", "/api/me/passkeys/{id}", true),
            ("/api/me/passkeys", "/api/me/passkeys/{id}", false),
            ("/api/me/passkeys/{id}", "/api/me/passkeys", false),
            ("/api/me/{id}", "/api/me/passkeys", false),
            ("/f/{space}/{size}/{hash}/{name}", "/f/{space}/{file..}", true),
            ("/api/v2/cdn/stories/{identifier}", "/api/v2/cdn/stories/{identifier..}", true),
            ("/api/v2/cdn/stories", "/api/v2/cdn/stories/{identifier..}", false),
        ] {
            assert_eq!(same_path(described, template), same, "{described} {template}");
        }
    }
}
