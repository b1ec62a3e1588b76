//! What a read asks for: token, version and `cv`, and the rest of it in a form that is the same for the same question.

use crate::web::query;
use domain::shared::Fault;
use std::borrow::Cow;
use storage::content::delivery::ContentVersion;

/// A read, taken apart without decoding more than that needs.
pub(in crate::content::delivery) struct Asked<'a> {
    token: Cow<'a, str>,
    version: Option<Cow<'a, str>>,
    cv: Option<Cow<'a, str>>,
    /// The path as it was sent, and the other parameters by their names.
    pub(in crate::content::delivery) target: String,
}

impl<'a> Asked<'a> {
    /// Takes a request apart. 400 for a broken encoding, 401 without a token.
    pub(in crate::content::delivery) fn read(path: &str, raw_query: &'a str) -> Result<Self, Fault> {
        let (mut token, mut version, mut cv) = (None, None, None);
        let mut others: Vec<(Cow<'a, str>, &str)> = Vec::new();
        for pair in raw_query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = query::decode(name)?;
            let place = match name.as_ref() {
                "token" => &mut token,
                "version" => &mut version,
                "cv" => &mut cv,
                _ => {
                    others.push((name, pair));
                    continue;
                }
            };
            // The last one counts, as everywhere.
            *place = Some(query::decode(value)?);
        }
        let token = token.filter(|token| !token.is_empty()).ok_or_else(Fault::unauthorized)?;
        // Only by the name before any bracket: a list may be spelled `a=1&a[]=2`, and its order counts.
        others.sort_by(|(one, _), (other, _)| base(one).cmp(base(other)));
        let mut target = String::with_capacity(path.len() + raw_query.len());
        target.push_str(path);
        for (number, (_, pair)) in others.iter().enumerate() {
            target.push(if number == 0 { '?' } else { '&' });
            target.push_str(pair);
        }
        Ok(Self { token, version, cv, target })
    }

    /// The token.
    pub(in crate::content::delivery) fn token(&self) -> &str {
        &self.token
    }

    /// Which copy; 422 for a version that there is not.
    pub(in crate::content::delivery) fn copy(&self) -> Result<ContentVersion, Fault> {
        match self.version.as_deref() {
            None | Some("" | "published") => Ok(ContentVersion::Published),
            Some("draft") => Ok(ContentVersion::Draft),
            Some(_) => Err(Fault::invalid("version", "invalid", "must be draft or published")),
        }
    }

    /// The `cv` that the caller knows; 422 when it is no number.
    pub(in crate::content::delivery) fn cv(&self) -> Result<Option<i64>, Fault> {
        match self.cv.as_deref() {
            None | Some("") => Ok(None),
            Some(text) => text.trim().parse().map(Some).map_err(|_| Fault::invalid("cv", "invalid", "is not valid")),
        }
    }
}

fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{Asked, ContentVersion};

    fn target(query: &str) -> String {
        Asked::read("/p", &format!("token=t&{query}")).unwrap().target
    }

    #[test]
    fn the_order_of_parameters_and_the_common_ones_make_no_difference() {
        assert_eq!(target("page=2&cv=5&by_slugs=x&version=draft"), "/p?by_slugs=x&page=2");
        assert_eq!(target("by_slugs=x&page=2"), target("page=2&&by_slugs=x"));
        assert_eq!(target(""), "/p");
    }

    #[test]
    fn the_order_of_the_values_of_one_parameter_does() {
        for (one, other) in
            [("a=1&a=2", "a=2&a=1"), ("a[]=1&a=2", "a=2&a[]=1"), ("%61=1&a=2", "a=2&%61=1"), ("a%5B%5D=1&a=2", "a=2&a[]=1")]
        {
            assert_ne!(target(one), target(other), "{one} {other}");
        }
    }

    #[test]
    fn common_parameters_are_read_in_any_spelling_and_the_last_one_counts() {
        let asked = Asked::read("/p", "token=a&%74oken=b%2Bc&version=published&version=draft&cv=+7").unwrap();
        assert_eq!((asked.token(), asked.copy().unwrap(), asked.cv().unwrap()), ("b+c", ContentVersion::Draft, Some(7)));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        for query in ["", "token=", "token=a&token=", "token=%ff", "%ff=1&token=a", "token=a&x%00=1"] {
            assert!(Asked::read("/p", query).is_err(), "{query}");
        }
        let wrong = Asked::read("/p", "token=a&version=new&cv=soon").unwrap();
        assert!(wrong.copy().is_err() && wrong.cv().is_err());
    }
}
