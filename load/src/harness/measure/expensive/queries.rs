//! Queries that make a server look at much: each kind from little to more than a server should take.

use crate::client::encode;

/// The paths of all queries, with a part of the query string.
pub(super) fn all() -> Vec<String> {
    let shapes = [1, 2, 5, 10, 20, 50].map(alternatives).into_iter().chain((2..=8).map(wildcards)).chain((2..=8).map(sort_keys));
    let shapes = shapes.chain(
        [
            ("search_term", "a"),
            ("search_term", "an"),
            ("by_slugs", "*a*b*c*d*e*f*g*h*"),
            ("filter_query[body.*.items.*.text][exists]", "true"),
            ("filter_query[text][not_like]", "*a*e*i*o*u*"),
        ]
        .map(|(name, value)| parameter(name, value)),
    );
    shapes.flat_map(|shape| ["stories", "tags"].map(|list| format!("/api/v2/cdn/{list}?version=published&{shape}"))).collect()
}

/// So many patterns, one of which has to match.
fn alternatives(number: u32) -> String {
    let term = |number| parameter("filter_query[__or][][text][like]", &format!("*{number}*e*z*"));
    (0..number).map(term).collect::<Vec<_>>().join("&")
}

/// One pattern with this number of wildcards, which nearly matches everywhere.
fn wildcards(number: usize) -> String {
    let letters: Vec<&str> = ["e", "t", "a", "o", "n", "i", "r"].into_iter().take(number - 1).collect();
    parameter("filter_query[text][like]", &format!("*{}*#", letters.join("*")))
}

/// An order by this number of fields of the content.
fn sort_keys(number: u32) -> String {
    let key = |number| format!("content.{}:asc", if number % 2 == 0 { "text" } else { "title" });
    parameter("sort_by", &(0..number).map(key).collect::<Vec<_>>().join(","))
}

fn parameter(name: &str, value: &str) -> String {
    format!("{}={}", encode(name), encode(value))
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn every_query_is_a_path_of_its_own() {
        let mut queries = all();
        let count = queries.len();
        queries.sort_unstable();
        queries.dedup();
        assert_eq!(queries.len(), count);
        assert!(queries.iter().all(|query| query.parse::<http::Uri>().is_ok()));
    }
}
