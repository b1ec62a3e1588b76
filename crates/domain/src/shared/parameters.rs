//! The parameters of a request, decoded, as every endpoint reads them.

use super::{Code, Fault, FieldCode, PageRequest, timestamp};
use jiff::Timestamp;
use std::{collections::HashSet, str::FromStr};

/// How long a text that is looked for may be, in characters.
const MAX_SEARCH: usize = 200;

/// Whether a value stands for none: no text, or what JavaScript makes of a variable that is not set. Versions
/// 4 to 6 of Storyblok's client send `cv=undefined` with their first request.
pub fn is_unset(value: &str) -> bool {
    matches!(value, "" | "undefined" | "null" | "NaN")
}

/// Parameters that select: what [`is_unset`] is a value in them that matches nothing, unless it is no text,
/// because without it the list would be longer.
const SELECTING: [&str; 9] =
    ["by_uuids", "by_uuids_ordered", "by_ids", "by_slugs", "starts_with", "with_tag", "content_type", "search_term", "datasource"];

/// Decoded parameters in the order they were sent.
#[derive(Debug, Clone, Default)]
pub struct Parameters {
    pairs: Vec<(String, String)>,
}

impl Parameters {
    /// Takes decoded pairs.
    pub fn new(pairs: Vec<(String, String)>) -> Self {
        Self { pairs }
    }

    /// Without those that clients send where they meant to send nothing ([`is_unset`]), as far as that makes
    /// no list longer. Conditions of `filter_query` stay: `is=null` and `in=` have a meaning.
    #[must_use]
    pub fn without_unset(mut self) -> Self {
        self.pairs.retain(|(name, value)| {
            let name = name.split('[').next().unwrap_or_default();
            let selects = SELECTING.contains(&name) && !value.is_empty();
            name == "filter_query" || selects || !is_unset(value)
        });
        self
    }

    /// Without these names.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.pairs.retain(|(name, _)| !names.contains(&name.as_str()));
        self
    }

    /// The last value of a parameter: a repeated one overrides, as in Rack.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs.iter().rev().find(|(pair, _)| pair == name).map(|(_, value)| value.as_str())
    }

    /// The same; `None` when it is empty.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// What is looked for in names and other texts; 422 when it is longer than anybody types, because each
    /// text is compared with it.
    pub fn search(&self, name: &str) -> Result<Option<String>, Fault> {
        match self.text(name) {
            Some(text) if text.chars().count() > MAX_SEARCH => {
                Err(Fault::invalid(name, FieldCode::TooLong, format!("is longer than {MAX_SEARCH} characters")))
            }
            text => Ok(text.map(str::to_owned)),
        }
    }

    /// 400 when a parameter was sent more than once that is not in `except` (RFC 6749, sections 3.1 and 3.2).
    pub fn refuse_repeated(&self, except: &[&str]) -> Result<(), Fault> {
        let mut seen = HashSet::new();
        match self.pairs().find(|(name, _)| !except.contains(name) && !seen.insert(*name)) {
            Some(_) => Err(Fault::new(Code::RepeatedParameter, "A parameter was sent more than once")),
            None => Ok(()),
        }
    }

    /// The value of a parameter of OAuth: one without a value counts as left out, and 400 when there are two
    /// (RFC 6749, sections 3.1 and 3.2).
    pub fn once(&self, name: &'static str) -> Result<Option<&str>, Fault> {
        let mut values = self.pairs().filter(|(pair, _)| *pair == name).map(|(_, value)| value);
        let value = values.next();
        if values.next().is_some() {
            return Err(Fault::new(Code::RepeatedParameter, format!("The parameter {name} must not be repeated")));
        }
        Ok(value.filter(|value| !value.is_empty()))
    }

    /// 422 when there is a parameter that the endpoint does not know, or one in a spelling that it would
    /// ignore. `known` holds `name` for one value, `name[]` for a list, and `name[…]` for a parameter that is
    /// only read with keys in brackets.
    pub fn only(&self, known: &[&str]) -> Result<(), Fault> {
        let unknown: Vec<&str> =
            self.pairs().filter(|(name, value)| !known.iter().any(|k| is_spelled(k, name, value))).map(|(name, _)| name).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        let names = unknown.join(", ");
        Err(Fault::new(Code::UnknownParameter, format!("Parameter(s) {names} not allowed")))
    }

    /// Every pair.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The values of a list parameter, as they were sent: `a=1,2`, repeated `a=1&a=2`, `a[]=1&a[]=2`, or
    /// `a[0]=1&a[1]=2`. Blanks are dropped.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.pairs()
            .filter(|(pair, _)| is_of_list(name, pair))
            .flat_map(|(_, value)| value.split(','))
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// A switch: `1` and `true` are on, absent, empty, `0` and `false` are off; 422 for anything else.
    pub fn flag(&self, name: &str) -> Result<bool, Fault> {
        match self.get(name) {
            Some("1" | "true") => Ok(true),
            None | Some("" | "0" | "false") => Ok(false),
            Some(_) => Err(Fault::invalid(name, FieldCode::Invalid, "must be 0 or 1")),
        }
    }

    /// The same; `None` when it is absent or empty.
    pub fn flag_if_given(&self, name: &str) -> Result<Option<bool>, Fault> {
        self.text(name).map(|_| self.flag(name)).transpose()
    }

    /// A parsed parameter; 422 that names it when it cannot be read.
    pub fn parsed<T: FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        let parse = |text: &str| text.trim().parse().map_err(|_| Fault::invalid(name, FieldCode::Invalid, "is not valid"));
        self.text(name).map(parse).transpose()
    }

    /// The same for one that has to be there; 422 when it is not.
    pub fn required<T: FromStr>(&self, name: &str) -> Result<T, Fault> {
        self.parsed(name)?.ok_or_else(|| Fault::invalid(name, FieldCode::Blank, "can't be blank"))
    }

    /// A time; see [`timestamp::read`].
    pub fn time(&self, name: &str) -> Result<Option<Timestamp>, Fault> {
        self.text(name).map(|text| timestamp::parse(name, text)).transpose()
    }

    /// `sort_by`: a column, and whether the order is descending, which takes `:desc`; 422 with an example for
    /// anything else.
    pub fn sort_by<O: FromStr>(&self, example: &str) -> Result<Option<(O, bool)>, Fault> {
        let Some(text) = self.text("sort_by") else { return Ok(None) };
        let (column, direction) = text.split_once(':').unwrap_or((text, "asc"));
        match (column.parse(), direction) {
            (Ok(order), "asc" | "desc") => Ok(Some((order, direction == "desc"))),
            _ => Err(Fault::invalid("sort_by", FieldCode::Invalid, format!("must be a column and asc or desc, like {example}"))),
        }
    }

    /// Those values of a list that can be parsed; `None` when it has no value at all. Others match nothing.
    pub fn readable_list<T: FromStr>(&self, name: &str) -> Option<Vec<T>> {
        let values = self.list(name);
        (!values.is_empty()).then(|| values.iter().filter_map(|value| value.parse().ok()).collect())
    }

    /// A list of parsed values; 422 that names the parameter when one cannot be read.
    pub fn parsed_list<T: FromStr>(&self, name: &str) -> Result<Vec<T>, Fault> {
        let parse = |text: &String| {
            text.parse().map_err(|_| Fault::invalid(name, FieldCode::Invalid, format!("has an invalid value: {text}")))
        };
        self.list(name).iter().map(parse).collect()
    }

    /// `page` and `per_page`: 1 and 25 by default, clamped to `max`; 422 for what is no number or below 1.
    pub fn page(&self, max: u32) -> Result<PageRequest, Fault> {
        let positive = |name: &'static str, default: u32| match self.text(name) {
            None => Ok(default),
            Some(text) => match text.parse::<u32>() {
                Ok(number) if number >= 1 => Ok(number),
                _ => Err(Fault::invalid(name, FieldCode::Invalid, "must be a whole number of at least 1")),
            },
        };
        Ok(PageRequest { page: positive("page", 1)?, per_page: positive("per_page", 25)?.min(max) })
    }
}

/// Whether a parameter is one of a list: `name`, `name[]`, `name[0]`.
fn is_of_list(list: &str, name: &str) -> bool {
    let Some(rest) = name.strip_prefix(list) else { return false };
    let index = rest.strip_prefix('[').and_then(|s| s.strip_suffix(']'));
    rest.is_empty() || index.is_some_and(|index| index.chars().all(|digit| digit.is_ascii_digit()))
}

/// Whether a parameter is a known one, in a spelling in which it is read.
fn is_spelled(known: &str, name: &str, value: &str) -> bool {
    if let Some(list) = known.strip_suffix("[]") {
        return is_of_list(list, name);
    }
    match known.strip_suffix("[…]").and_then(|s| name.strip_prefix(s)) {
        Some(keys) => keys.starts_with('[') || keys.is_empty() && value.is_empty(),
        None => known == name,
    }
}

#[cfg(test)]
mod tests {
    use super::Parameters;

    fn of(pairs: &[(&str, &str)]) -> Parameters {
        Parameters::new(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn an_empty_parameter_is_absent_and_a_wrong_one_is_named() {
        let query =
            of(&[("a", ""), ("on", "1"), ("off", "false"), ("odd", "maybe"), ("n", "7"), ("at", "2026-03-01"), ("when", "soon")]);
        assert_eq!((query.text("a"), query.text("none"), query.text("on")), (None, None, Some("1")));
        let given = |name| query.flag_if_given(name).map_err(|fault| fault.details[0].field.clone());
        assert_eq!((given("a"), given("on"), given("off")), (Ok(None), Ok(Some(true)), Ok(Some(false))));
        assert_eq!(given("odd"), Err("odd".to_owned()));
        assert_eq!(query.required::<u8>("n").unwrap(), 7);
        for (name, code) in [("a", "blank"), ("none", "blank"), ("odd", "invalid")] {
            assert_eq!(query.required::<u8>(name).unwrap_err().details[0].code.name(), code, "{name}");
        }
        assert_eq!(query.time("at").unwrap().unwrap().to_string(), "2026-03-01T00:00:00Z");
        assert!(query.time("a").unwrap().is_none() && query.time("when").is_err());
    }

    #[test]
    fn an_order_is_a_column_and_runs_upwards_unless_it_says_otherwise() {
        #[derive(Debug, PartialEq, strum::EnumString)]
        #[strum(serialize_all = "lowercase")]
        enum Order {
            Name,
        }
        let order = |text: &str| of(&[("sort_by", text)]).sort_by("name:desc");
        for (text, expected) in [
            ("", None),
            ("name", Some((Order::Name, false))),
            ("name:asc", Some((Order::Name, false))),
            ("name:desc", Some((Order::Name, true))),
        ] {
            assert_eq!(order(text).unwrap(), expected, "{text}");
        }
        for wrong in ["size", "name:up", "name:", ":desc"] {
            assert_eq!(order(wrong).unwrap_err().details[0].field, "sort_by", "{wrong}");
        }
    }

    #[test]
    fn a_parameter_of_oauth_comes_once_and_an_empty_one_is_absent() {
        let form = of(&[("a", "1"), ("b", ""), ("c", "1"), ("c", "1"), ("d", ""), ("d", "")]);
        assert_eq!((form.once("a").unwrap(), form.once("b").unwrap(), form.once("none").unwrap()), (Some("1"), None, None));
        for name in ["c", "d"] {
            let fault = form.once(name).unwrap_err();
            assert_eq!(fault.message, format!("The parameter {name} must not be repeated"));
        }
    }

    #[test]
    fn lists_come_in_four_spellings() {
        for pairs in
            [&[("a", "1,2")][..], &[("a", "1"), ("a", "2")], &[("a[]", "1"), ("a[]", " 2")], &[("a[0]", "1"), ("a[11]", "2")]]
        {
            assert_eq!(of(pairs).list("a"), ["1", "2"], "{pairs:?}");
            assert!(of(pairs).only(&["a[]"]).is_ok(), "{pairs:?}");
        }
    }

    #[test]
    fn a_list_is_of_what_can_be_read_and_is_one_also_when_that_is_nothing() {
        let query = of(&[("a", "1,x,2"), ("b", "undefined"), ("c", " , ")]);
        assert_eq!(query.readable_list::<u8>("a"), Some(vec![1, 2]));
        assert_eq!(query.readable_list::<u8>("b"), Some(vec![]));
        assert_eq!((query.readable_list::<u8>("c"), query.readable_list::<u8>("none")), (None, None));
    }

    #[test]
    fn what_was_not_set_is_absent_unless_that_would_make_a_list_longer() {
        let sent = of(&[
            ("page", "undefined"),
            ("page", "2"),
            ("per_page", "NaN"),
            ("language", "null"),
            ("sort_by", ""),
            ("excluding_ids[]", "undefined"),
            ("by_ids[0]", "undefined"),
            ("with_tag", "null"),
            ("starts_with", ""),
            ("filter_query[a][is]", "null"),
            ("filter_query[a][in]", ""),
            ("search", "Undefined"),
        ]);
        let kept = sent.without_unset();
        let kept: Vec<_> = kept.pairs().collect();
        let expected = [
            ("page", "2"),
            ("by_ids[0]", "undefined"),
            ("with_tag", "null"),
            ("filter_query[a][is]", "null"),
            ("filter_query[a][in]", ""),
            ("search", "Undefined"),
        ];
        assert_eq!(kept, expected);
    }

    #[test]
    fn a_parameter_in_a_spelling_that_is_ignored_is_unknown() {
        let known = ["one", "many[]", "keyed[…]"];
        for name in ["one", "many", "many[]", "many[7]", "keyed[x]", "keyed[x][y]"] {
            assert!(of(&[(name, "1")]).only(&known).is_ok(), "{name}");
        }
        assert!(of(&[("keyed", "")]).only(&known).is_ok());
        for name in
            ["one[]", "one[0]", "many[x]", "many[0][1]", "many[0", "many0", "keyed", "key[x]", "on", "ones", "other", "one[…]"]
        {
            let fault = of(&[("one", "1"), (name, "1")]).only(&known).unwrap_err();
            assert_eq!(fault.message, format!("Parameter(s) {name} not allowed"));
        }
    }

    #[test]
    fn pages_are_clamped_above_and_refused_below() {
        assert_eq!(of(&[("per_page", "5000")]).page(100).unwrap().per_page, 100);
        for bad in [("page", "0"), ("per_page", "x"), ("page", "-1")] {
            assert!(of(&[bad]).page(100).is_err());
        }
    }

    #[test]
    fn a_text_that_is_looked_for_has_200_characters_at_most() {
        let search = |text: &str| Parameters::new(vec![("q".to_owned(), text.to_owned())]).search("q");
        assert_eq!(search("ä b").unwrap().as_deref(), Some("ä b"));
        assert_eq!(search("").unwrap(), None);
        assert_eq!(search(&"ä".repeat(200)).unwrap(), Some("ä".repeat(200)));
        let fault = search(&"ä".repeat(201)).unwrap_err();
        assert_eq!((fault.details[0].field.as_str(), fault.details[0].code.name()), ("q", "tooLong"));
    }

    #[test]
    fn only_named_parameters_may_be_repeated() {
        let sent = |names: &[&str]| Parameters::new(names.iter().map(|name| ((*name).to_owned(), String::new())).collect());
        assert!(sent(&["a", "b", "c"]).refuse_repeated(&[]).is_ok());
        assert!(sent(&["a", "b", "a"]).refuse_repeated(&["a"]).is_ok());
        assert_eq!(sent(&["a", "b", "a"]).refuse_repeated(&["b"]).unwrap_err().code.name(), "repeatedParameter");
    }
}
