//! The query of a read, parsed once: as far as the cache needs for a hit, and to the end for a miss.

use super::Accepted;
use crate::{
    content::{Content, delivery::parameters},
    web::query,
};
use domain::{
    content::token::DeliveryKind,
    shared::{Fault, FieldCode, Parameters, parameters::is_unset},
};
use http::HeaderMap;
use std::{borrow::Cow, sync::Arc};
use storage::content::delivery::{ContentVersion, read_access::ReadAccess};

/// What the cache needs to know of a read. Only names and the values of `token`, `version` and `cv` are
/// decoded.
pub(in crate::content::delivery) struct CacheQuery<'a> {
    token: Cow<'a, str>,
    version: Option<Cow<'a, str>>,
    cv: Option<Cow<'a, str>>,
    others: Vec<Pair<'a>>,
    /// The path as it was sent, and the other parameters in the order of their names: the same text for the
    /// same question.
    pub(in crate::content::delivery) target: String,
}

/// A parameter with its name decoded.
struct Pair<'a> {
    name: Cow<'a, str>,
    /// Name and value as they were sent.
    text: &'a str,
}

/// A read that the cache could not answer, for the access rule and the handler of its endpoint.
pub(in crate::content) struct CacheMiss {
    pub(in crate::content::delivery) token_hash: [u8; 32],
    /// The rights of the token, when they were in the cache.
    pub(in crate::content::delivery) access: Option<Arc<ReadAccess>>,
    pub(in crate::content::delivery) target: String,
    pub(in crate::content::delivery) accepted: Accepted,
    version: Option<String>,
    cv: Option<String>,
    parameters: Result<Arc<Parameters>, Fault>,
}

impl<'a> CacheQuery<'a> {
    /// Parses a path and a query. 400 for a broken encoding, 401 without a token.
    pub(in crate::content::delivery) fn parse(path: &str, raw_query: &'a str) -> Result<Self, Fault> {
        let (mut token, mut version, mut cv) = (None, None, None);
        let mut others: Vec<Pair<'a>> = Vec::new();
        for text in raw_query.split('&').filter(|text| !text.is_empty()) {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let name = query::decode(name)?;
            let place = match name.as_ref() {
                "token" => &mut token,
                "version" => &mut version,
                "cv" => &mut cv,
                _ => {
                    others.push(Pair { name, text });
                    continue;
                }
            };
            // Of a repeated parameter the last value counts, as everywhere.
            *place = Some(query::decode(value)?);
        }
        let token = token.filter(|token| !token.is_empty()).ok_or_else(Fault::unauthorized)?;
        let target = target(path, raw_query.len(), &others);
        Ok(Self { token, version, cv, others, target })
    }

    /// The hash by which the token is known; 401 for a text that cannot be a token.
    pub(in crate::content::delivery) fn token_hash(&self, content: &Content) -> Result<[u8; 32], Fault> {
        if !DeliveryKind::is_token(&self.token) {
            return Err(Fault::unauthorized());
        }
        Ok(content.token_keys.delivery.hash(&self.token))
    }

    /// The version that is asked for; 422 for an unknown one.
    pub(in crate::content::delivery) fn version(&self) -> Result<ContentVersion, Fault> {
        parse_version(self.version.as_deref())
    }

    /// The `cv` that the client knows; a text that is not a number is none.
    pub(in crate::content::delivery) fn cv(&self) -> Option<i64> {
        parse_cv(self.cv.as_deref())
    }

    /// Decodes the rest, for a read that the cache could not answer.
    pub(in crate::content::delivery) fn into_miss(
        self,
        token_hash: [u8; 32],
        access: Option<Arc<ReadAccess>>,
        accepted: Accepted,
    ) -> CacheMiss {
        let decode = |pair: Pair<'_>| {
            let (_, value) = pair.text.split_once('=').unwrap_or((pair.text, ""));
            Ok((pair.name.into_owned(), query::decode(value)?.into_owned()))
        };
        let pairs: Result<Vec<_>, Fault> = self.others.into_iter().map(decode).collect();
        CacheMiss {
            token_hash,
            access,
            target: self.target,
            accepted,
            version: self.version.map(Cow::into_owned),
            cv: self.cv.map(Cow::into_owned),
            parameters: pairs.and_then(|pairs| parameters::check(Parameters::new(pairs))).map(Arc::new),
        }
    }
}

impl CacheMiss {
    /// Parses a request that has not passed the fast path, or not successfully: its errors are reported here.
    pub(in crate::content::delivery) fn parse(
        content: &Content,
        path: &str,
        raw_query: &str,
        headers: &HeaderMap,
    ) -> Result<Self, Fault> {
        let query = CacheQuery::parse(path, raw_query)?;
        let token_hash = query.token_hash(content)?;
        Ok(query.into_miss(token_hash, None, Accepted::parse(headers)))
    }

    /// The version that is asked for; 422 for an unknown one.
    pub(in crate::content::delivery) fn version(&self) -> Result<ContentVersion, Fault> {
        parse_version(self.version.as_deref())
    }

    /// The `cv` that the client knows; a text that is not a number is none.
    pub(in crate::content::delivery) fn cv(&self) -> Option<i64> {
        parse_cv(self.cv.as_deref())
    }

    /// The parameters other than `token`, `version` and `cv`, in the order in which they were sent; see
    /// [`parameters::check`]. 400 for a value with a broken encoding, 422 for an unknown name.
    pub(in crate::content::delivery) fn parameters(&self) -> Result<Arc<Parameters>, Fault> {
        self.parameters.clone()
    }
}

fn parse_version(text: Option<&str>) -> Result<ContentVersion, Fault> {
    match text.filter(|text| !is_unset(text)) {
        None | Some("published") => Ok(ContentVersion::Published),
        Some("draft") => Ok(ContentVersion::Draft),
        Some(_) => Err(Fault::invalid("version", FieldCode::Invalid, "must be draft or published")),
    }
}

/// With a `cv` that is not a number, such as the `undefined` that clients send with their first request, the
/// response is the current one.
fn parse_cv(text: Option<&str>) -> Option<i64> {
    text?.trim().parse().ok()
}

/// The path and the parameters, sorted by their names without brackets: `a=1&a[]=2` is one list, and the
/// order of its values counts.
fn target(path: &str, query_length: usize, pairs: &[Pair<'_>]) -> String {
    let mut sorted: Vec<&Pair<'_>> = pairs.iter().collect();
    sorted.sort_by(|one, other| base(&one.name).cmp(base(&other.name)));
    let mut target = String::with_capacity(path.len() + query_length);
    target.push_str(path);
    for (number, pair) in sorted.into_iter().enumerate() {
        target.push(if number == 0 { '?' } else { '&' });
        target.push_str(pair.text);
    }
    target
}

fn base(name: &str) -> &str {
    name.split('[').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::{Accepted, CacheQuery, ContentVersion};

    fn target(query: &str) -> String {
        CacheQuery::parse("/p", &format!("token=t&{query}")).unwrap().target
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
        let query = CacheQuery::parse("/p", "token=a&%74oken=b%2Bc&version=published&version=draft&cv=+7").unwrap();
        assert_eq!((&*query.token, query.version().unwrap(), query.cv()), ("b+c", ContentVersion::Draft, Some(7)));
    }

    #[test]
    fn a_query_that_cannot_be_parsed_is_refused() {
        for query in ["", "token=", "token=a&token=", "token=%ff", "%ff=1&token=a", "token=a&x%00=1"] {
            assert!(CacheQuery::parse("/p", query).is_err(), "{query}");
        }
        assert!(CacheQuery::parse("/p", "token=a&version=new").unwrap().version().is_err());
    }

    #[test]
    fn what_clients_send_where_they_know_nothing_yet_is_the_current_published_content() {
        for word in ["", "undefined", "null", "NaN"] {
            let sent = format!("token=a&version={word}&cv={word}");
            let query = CacheQuery::parse("/p", &sent).unwrap();
            assert_eq!((query.version().unwrap(), query.cv()), (ContentVersion::Published, None), "{word}");
        }
    }

    #[test]
    fn the_parameters_of_a_miss_are_decoded_and_in_the_order_in_which_they_were_sent() {
        let query = CacheQuery::parse("/p", "starts_with=1&token=t&language=%C3%BC+x&version=draft&starts_with=2&cv=5").unwrap();
        let miss = query.into_miss([0; 32], None, Accepted::default());
        let parameters = miss.parameters().unwrap();
        assert_eq!(parameters.pairs().collect::<Vec<_>>(), [("starts_with", "1"), ("language", "ü x"), ("starts_with", "2")]);
        assert_eq!(
            (miss.target.as_str(), miss.version().unwrap()),
            ("/p?language=%C3%BC+x&starts_with=1&starts_with=2", ContentVersion::Draft)
        );
        let broken = CacheQuery::parse("/p", "token=t&language=%ff").unwrap().into_miss([0; 32], None, Accepted::default());
        assert!(broken.parameters().is_err());
    }
}
