//! `filter_query`: conditions on content, joined by and; groups under `__or` joined by or.
//!
//! ```text
//! filter_query[a][in]=1 & filter_query[b][in]=2                              a and b
//! filter_query[__or][][a][in]=1 & filter_query[__or][][b][in]=2              a or b
//! filter_query[__or][0][a][in]=1 & filter_query[__or][0][b][in]=2
//!                                & filter_query[__or][1][c][in]=3            (a and b) or c       not at Storyblok
//! ```

use super::{FieldPath, Test, brackets};
use crate::shared::{Fault, FieldCode};
use std::collections::BTreeMap;

/// How many conditions a request may have.
const MAX_TERMS: usize = 50;
/// How many values the lists of all conditions may have together.
const MAX_VALUES: usize = 1_000;
const PARAMETER: &str = "filter_query";

/// One condition on one field.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// The path of the field.
    pub field: FieldPath,
    /// The test that its value must pass.
    pub test: Test,
}

/// All conditions of a request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Filter {
    /// All of these terms must hold.
    pub all: Vec<Term>,
    /// Unless it is empty, all terms of at least one of these groups must hold.
    pub any: Vec<Vec<Term>>,
}

impl Filter {
    /// Parses the parameters whose name begins with `filter_query[`. 422 that names the one that is wrong.
    pub fn parse<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> Result<Self, Fault> {
        let mut collected = Collected::default();
        for (name, value) in pairs.filter(|(name, _)| name.starts_with("filter_query[")) {
            collected.add(name, value)?;
        }
        collected.finish()
    }

    /// Whether there are no conditions.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty() && self.any.is_empty()
    }
}

/// The operands of each group so far: the values of `[op][]=a&[op][]=b` become one list.
#[derive(Default)]
struct Collected {
    terms: BTreeMap<Group, Vec<RawTerm>>,
    count: usize,
}

/// The path, the operation and the operands of a term.
type RawTerm = (String, String, Vec<String>);

/// The group of a condition.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// No group: the condition must always hold.
    None,
    /// The group of this index.
    Indexed(u32),
    /// A group of its own.
    Alone(usize),
}

impl Group {
    fn indexed(index: &str) -> Result<Self, Fault> {
        let index =
            index.parse().map_err(|_| Fault::invalid(PARAMETER, FieldCode::Invalid, format!("has an invalid group: {index}")))?;
        Ok(Self::Indexed(index))
    }
}

/// Whether the text between brackets marks an item of a list: it is empty or a number.
fn is_item(part: &str) -> bool {
    part.chars().all(|c| c.is_ascii_digit())
}

impl Collected {
    fn add(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let wrong = || Fault::invalid(PARAMETER, FieldCode::Invalid, format!("cannot be read: {name}"));
        let parts = brackets::split(name).ok_or_else(wrong)?;
        let (group, path, operation) = match parts.as_slice() {
            [_, "__or", "", path, operation] => (Group::Alone(self.count), path, operation),
            [_, "__or", "", path, operation, item] if is_item(item) => (self.group_of_list(path, operation), path, operation),
            [_, "__or", index, path, operation] => (Group::indexed(index)?, path, operation),
            [_, "__or", index, path, operation, item] if is_item(item) => (Group::indexed(index)?, path, operation),
            [_, path, operation] if *path != "__or" => (Group::None, path, operation),
            [_, path, operation, item] if *path != "__or" && is_item(item) => (Group::None, path, operation),
            _ => return Err(wrong()),
        };
        let terms = self.terms.entry(group).or_default();
        let is_list = parts.last().is_some_and(|part| is_item(part));
        if let Some((_, _, values)) = terms.iter_mut().find(|(it, op, _)| is_list && it == path && op == operation) {
            values.push(value.to_owned());
        } else {
            terms.push(((*path).to_owned(), (*operation).to_owned(), vec![value.to_owned()]));
            self.count += 1;
        }
        if self.count > MAX_TERMS {
            return Err(Fault::invalid(PARAMETER, FieldCode::TooMany, format!("has more than {MAX_TERMS} conditions")));
        }
        Ok(())
    }

    /// The group of a list under `__or` without an index. There each condition is a group of its own, as Rack
    /// folds such pairs into one flat list; only the items of one list, `[op][]=a&[op][]=b`, are one
    /// condition together.
    fn group_of_list(&self, path: &str, operation: &str) -> Group {
        let is_same = |(group, terms): &(&Group, &Vec<RawTerm>)| {
            matches!(group, Group::Alone(_)) && terms.iter().any(|(it, op, _)| it == path && op == operation)
        };
        self.terms.iter().find(is_same).map_or(Group::Alone(self.count), |(group, _)| group.clone())
    }

    fn finish(self) -> Result<Filter, Fault> {
        let mut filter = Filter::default();
        for (group, terms) in self.terms {
            let terms = terms
                .into_iter()
                .map(|(path, operation, values)| {
                    let parameter = format!("{PARAMETER}[{path}][{operation}]");
                    let test = Test::parse(&parameter, &operation, &values.join(","))?;
                    Ok(Term { field: FieldPath::parse(&parameter, &path)?, test })
                })
                .collect::<Result<Vec<_>, Fault>>()?;
            match group {
                Group::None => filter.all = terms,
                Group::Indexed(_) | Group::Alone(_) => filter.any.push(terms),
            }
        }
        let terms = filter.all.iter().chain(filter.any.iter().flatten());
        if terms.map(|term| term.test.breadth()).sum::<usize>() > MAX_VALUES {
            return Err(Fault::invalid(PARAMETER, FieldCode::TooMany, format!("has more than {MAX_VALUES} values")));
        }
        Ok(filter)
    }
}

#[cfg(test)]
mod tests {
    use super::{Filter, MAX_TERMS};
    use crate::content::query::Test;

    fn parse(query: &[(&str, &str)]) -> Result<Filter, crate::shared::Fault> {
        Filter::parse(query.iter().copied())
    }

    #[test]
    fn conditions_are_joined_by_and() {
        let filter = parse(&[("filter_query[a.b][in]", "x,y"), ("filter_query[c][gt-int]", "5"), ("page", "1")]).unwrap();
        assert_eq!(filter.all.len(), 2);
        assert_eq!(filter.all[0].test, Test::In(vec!["x".into(), "y".into()]));
    }

    #[test]
    fn or_without_an_index_is_a_flat_list_and_with_one_a_group() {
        let flat = parse(&[("filter_query[__or][][a][in]", "1"), ("filter_query[__or][][b][in]", "2")]).unwrap();
        assert_eq!(flat.any.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
        let grouped = parse(&[
            ("filter_query[__or][0][a][in]", "1"),
            ("filter_query[__or][0][b][in]", "2"),
            ("filter_query[__or][1][c][in]", "3"),
        ]);
        assert_eq!(grouped.unwrap().any.iter().map(Vec::len).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn the_same_test_twice_in_a_flat_or_is_two_groups_and_a_list_is_one_condition() {
        for (operation, test) in [
            ("any_in_array", Test::AnyInArray as fn(Vec<String>) -> Test),
            ("all_in_array", Test::AllInArray),
            ("not_in", Test::NotIn),
        ] {
            let flat = format!("filter_query[__or][][tags][{operation}]");
            let twice = parse(&[(&flat, "a"), (&flat, "b")]).unwrap();
            let tests: Vec<Test> = twice.any.into_iter().flatten().map(|t| t.test).collect();
            assert_eq!(tests, [test(vec!["a".into()]), test(vec!["b".into()])]);
            let item = format!("{flat}[]");
            let listed = parse(&[(&item, "a"), (&item, "b")]).unwrap();
            assert_eq!(listed.any.iter().map(Vec::len).collect::<Vec<_>>(), [1]);
            assert_eq!(listed.any[0][0].test, test(vec!["a".into(), "b".into()]));
        }
    }

    #[test]
    fn lists_may_come_as_repeated_parameters() {
        let filter = parse(&[("filter_query[a][in_array][]", "x"), ("filter_query[a][in_array][]", "y")]).unwrap();
        assert_eq!(filter.all[0].test, Test::AnyInArray(vec!["x".into(), "y".into()]));
        let numbered = parse(&[("filter_query[a][in_array][0]", "x"), ("filter_query[a][in_array][1]", "y")]).unwrap();
        assert_eq!(numbered, filter);
    }

    #[test]
    fn the_values_of_all_lists_are_bounded_together_and_each_counts_once() {
        let list = |first: usize| (first..first + 400).map(|value| value.to_string()).collect::<Vec<_>>().join(",");
        let lists = [list(0), list(400), list(800)];
        let query: Vec<(&str, &str)> = lists.iter().map(|list| ("filter_query[a][all_in_array]", list.as_str())).collect();
        assert!(parse(&query[..2]).is_ok());
        assert_eq!(parse(&query).unwrap_err().details[0].field, "filter_query");
        let again = "x,".repeat(2_000) + "x";
        assert_eq!(parse(&[("filter_query[a][in]", &again)]).unwrap().all[0].test, Test::In(vec!["x".into()]));
    }

    #[test]
    fn what_cannot_be_read_is_refused_and_named() {
        for (name, value) in [
            ("filter_query[a]", "x"),
            ("filter_query[a][nope]", "x"),
            ("filter_query[a][gt_int]", "x"),
            ("filter_query[a][gt_float]", "inf"),
            ("filter_query[a][gt_date]", "soon"),
            ("filter_query[a][is]", "big"),
            ("filter_query[__or][x][a][in]", "1"),
            ("filter_query[__or][a][in]", "1"),
            ("filter_query[a[in]", "1"),
            ("filter_query[][in]", "1"),
            ("filter_query[a][in][x]", "1"),
        ] {
            let fault = parse(&[(name, value)]).unwrap_err();
            assert!(fault.details[0].field.starts_with("filter_query"), "{name}");
        }
        let many: Vec<_> = (0..=MAX_TERMS).map(|_| ("filter_query[a][like]", "x")).collect();
        assert!(parse(&many).is_err());
    }

    fn groups(query: &[(&str, &str)]) -> Vec<Vec<Test>> {
        parse(query).unwrap().any.into_iter().map(|terms| terms.into_iter().map(|term| term.test).collect()).collect()
    }

    #[test]
    fn a_filter_is_empty_without_any_condition() {
        assert!(parse(&[("page", "1")]).unwrap().is_empty());
        assert!(!parse(&[("filter_query[a][in]", "1")]).unwrap().is_empty());
        assert!(!parse(&[("filter_query[__or][][a][in]", "1")]).unwrap().is_empty());
    }

    #[test]
    fn only_items_of_the_same_field_and_operation_are_one_list() {
        let test = |value: &str| vec![value.to_owned()];
        assert_eq!(
            groups(&[
                ("filter_query[__or][][a][any_in_array][]", "1"),
                ("filter_query[__or][][a][all_in_array][]", "2"),
                ("filter_query[__or][][b][any_in_array][]", "3"),
                ("filter_query[__or][][a][any_in_array][]", "4"),
            ]),
            [
                vec![Test::AnyInArray(vec!["1".into(), "4".into()])],
                vec![Test::AllInArray(test("2"))],
                vec![Test::AnyInArray(test("3"))]
            ]
        );
        let indexed = groups(&[
            ("filter_query[__or][7][a][in][]", "1"),
            ("filter_query[__or][7][a][in][]", "2"),
            ("filter_query[__or][8][a][in][0]", "3"),
        ]);
        assert_eq!(indexed, [vec![Test::In(vec!["1".into(), "2".into()])], vec![Test::In(test("3"))]]);
    }

    #[test]
    fn a_list_outside_of_or_is_not_mixed_with_one_inside() {
        let filter = parse(&[("filter_query[a][in][]", "1"), ("filter_query[__or][][a][in][]", "2")]).unwrap();
        assert_eq!(filter.all[0].test, Test::In(vec!["1".into()]));
        assert_eq!(filter.any[0][0].test, Test::In(vec!["2".into()]));
        let indexed = parse(&[("filter_query[__or][0][a][in][]", "1"), ("filter_query[__or][][a][in][]", "2")]).unwrap();
        assert_eq!(indexed.any.iter().map(Vec::len).collect::<Vec<_>>(), [1, 1]);
    }

    #[test]
    fn a_thousand_values_and_fifty_conditions_are_allowed() {
        let list = |first: usize| (first..first + 500).map(|value| value.to_string()).collect::<Vec<_>>().join(",");
        let (first, second) = (list(0), list(500));
        assert!(parse(&[("filter_query[a][in]", &first), ("filter_query[b][not_in]", &second)]).is_ok());
        let one_more =
            [("filter_query[a][in]", first.as_str()), ("filter_query[b][in]", &second), ("filter_query[c][gt_int]", "1")];
        assert_eq!(parse(&one_more).unwrap_err().details[0].code.name(), "tooMany");
        let fifty: Vec<_> = (0..MAX_TERMS).map(|_| ("filter_query[a][like]", "x")).collect();
        assert_eq!(parse(&fifty).unwrap().all.len(), 50);
    }

    #[test]
    fn a_group_has_a_field_and_its_lists_have_numbered_items() {
        for name in [
            "filter_query[__or][in]",
            "filter_query[__or][in][]",
            "filter_query[__or][in][0]",
            "filter_query[__or][][a][in][x]",
            "filter_query[__or][0][a][in][x]",
            "filter_query[__or][0][a][in][][]",
        ] {
            let fault = parse(&[(name, "1")]).unwrap_err();
            assert_eq!((fault.details[0].field.as_str(), fault.details[0].code.name()), ("filter_query", "invalid"), "{name}");
        }
    }
}
