//! Random stories and queries. Few names and values, so that they meet often.

use super::model::Model;
use proptest::{collection::vec, option, prelude::*, sample::select};
use support::prelude::*;

/// Stories with every kind of value in their fields; always the same ones.
pub(super) fn stories() -> Vec<Value> {
    let values = [
        json!(null),
        json!(""),
        json!("x"),
        json!("X"),
        json!("xy"),
        json!("ü_%*"),
        json!("true"),
        json!("5"),
        json!("9.50"),
        json!(true),
        json!(false),
        json!(5),
        json!(-3),
        json!(9.5),
        json!(100),
        json!([]),
        json!(["x", "y"]),
        json!(["y", 5, true, null, ["x"]]),
        json!({}),
        json!({ "k": "v" }),
        json!("2026-03-01 08:05"),
        json!("2026-03-01T08:06:30"),
        json!("2025-12-31"),
        json!("z".repeat(250)),
        json!(format!("{}x", "z".repeat(10_000))),
    ];
    let components = ["page", "post", "odd name"];
    (0..60_usize)
        .map(|number| {
            let value = |step: usize| values[(number * step + step) % values.len()].clone();
            let mut content = json!({
                "component": (components[number % 3]),
                "b": value(3),
                "seo": { "title": value(5), "0": value(7) },
                "body": [{ "component": "c", "_uid": "u", "n": value(11) }, { "component": "c", "_uid": "v", "n": value(13), "list": [value(2), value(17)] }],
            });
            if number % 7 != 0 {
                content["a"] = value(1);
            }
            let tags: Vec<&str> = ["red", "green", "a b"].into_iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1).map(|value| value.1).collect();
            json!({
                "name": (["Beta", "alpha", "Übung", "beta"][number % 4]),
                "slug": format!("{}{number}", (["s", "t_", "u-"][number % 3])),
                "position": (number % 5) * 10,
                "tag_list": tags,
                "sort_by_date": if number % 3 == 0 { json!(null) } else { json!(format!("2026-01-{:02}", number % 28 + 1)) },
                "path": if number % 2 == 0 { json!(null) } else { json!(format!("p{}", number % 4)) },
                "content": content,
            })
        })
        .collect()
}

/// A query of some conditions on content and one or two on the story itself.
pub(super) fn queries(model: &Model) -> impl Strategy<Value = Vec<(String, String)>> + use<> {
    let on_content = prop_oneof![8 => filter_query(), 1 => grouped(), 1 => flat(), 1 => flat_of_one_field()];
    let on_story = prop_oneof![
        2 => pair("starts_with", &["s", "t_", "u-1", "S", "%", ""]),
        2 => pair("by_slugs", &["s*", "*1", "t_1,u-2", "s0", "t*4", "nope", "s1*,t_1,*9", "s*,t_*", "*", "S*,u-*,u-2"]),
        1 => pair("excluding_slugs", &["s*", "*1,*2", "t_1", "s1*,t_1,*9", "s*,t_*", "*", "nope"]),
        2 => pair("content_type", &["page", "odd name", "Page"]),
        2 => pair("with_tag", &["red", "a b", "red,green", "nope", "nope, green"]),
        1 => pair("is_startpage", &["0", "1"]),
        1 => pair("level", &["1", "2"]),
        1 => pair("in_workflow_stages", &["5"]),
        1 => listed("by_uuids", model.members("uuid")),
        1 => listed("by_uuids_ordered", model.members("uuid")),
        1 => listed("by_ids", model.members("id")),
        1 => listed("excluding_ids", model.members("id")),
    ];
    let paging = (option::weighted(0.3, 1_u32..4), option::weighted(0.5, select(vec![1_u32, 7, 100])));
    (vec(on_content, 0..3), vec(on_story, 0..2), option::of(sort_by()), paging).prop_map(
        |(on_content, on_story, order, (page, per_page))| {
            let mut query: Vec<(String, String)> = on_content.into_iter().chain(on_story).flatten().collect();
            query.extend(order.map(|order| ("sort_by".to_owned(), order)));
            query.extend(page.map(|page| ("page".to_owned(), page.to_string())));
            query.extend(per_page.map(|per_page| ("per_page".to_owned(), per_page.to_string())));
            query
        },
    )
}

type Pairs = BoxedStrategy<Vec<(String, String)>>;

fn pair(name: &'static str, values: &'static [&'static str]) -> Pairs {
    select(values).prop_map(move |value| vec![(name.to_owned(), value.to_owned())]).boxed()
}

fn listed(name: &'static str, values: Vec<String>) -> Pairs {
    vec(select(values), 1..6).prop_map(move |some| vec![(name.to_owned(), some.join(","))]).boxed()
}

fn condition() -> impl Strategy<Value = (String, String, String)> {
    let field = select(vec!["a", "a", "b", "seo.title", "seo.0", "body.0.n", "body.1.n", "body.*.n", "body.*.list.*", "nope"]);
    let listed = select(vec!["x", "X", "x,y", "", ",x", "true", "5", "9.5", "9.50", "-3", "[]", "v,100"]);
    let pattern = select(vec!["x*", "*Y", "x", "", "*", "ü_*", "*%*", "z*X", "z**z"]);
    let keyword = select(vec!["empty", "not_empty", "empty_array", "not_empty_array", "true", "false", "null", "not_null"]);
    let whole = select(vec!["5", "-4", "9", "1000"]);
    let broken = select(vec!["9.49", "5.0", "-3"]);
    let date = select(vec!["2026-03-01 08:05", "2026-01-01", "2027-01-01 00:00"]);
    let test = prop_oneof![
        4 => (select(vec!["in", "not_in"]), listed.clone()),
        2 => (select(vec!["any_in_array", "all_in_array"]), listed.clone()),
        1 => (select(vec!["in_array", "not-in", "all-in-array"]), listed),
        3 => (select(vec!["like", "not_like"]), pattern),
        2 => (select(vec!["gt_int", "lt_int"]), whole),
        2 => (select(vec!["gt_float", "lt-float"]), broken),
        2 => (select(vec!["gt_date", "lt_date"]), date),
        3 => (Just("is"), keyword),
        1 => (Just("exists"), select(vec!["true", "0"])),
    ];
    (field, test).prop_map(|(field, (operation, value))| (field.to_owned(), operation.to_owned(), value.to_owned()))
}

fn filter_query() -> Pairs {
    condition().prop_map(|(field, operation, value)| vec![(format!("filter_query[{field}][{operation}]"), value)]).boxed()
}

fn grouped() -> Pairs {
    vec((0..2_u8, condition()), 1..4)
        .prop_map(|conditions| {
            let name = |(group, (field, operation, value)): (u8, (String, String, String))| {
                (format!("filter_query[__or][{group}][{field}][{operation}]"), value)
            };
            conditions.into_iter().map(name).collect()
        })
        .boxed()
}

/// Groups of one condition each.
fn flat() -> Pairs {
    vec(condition(), 1..4).prop_map(|conditions| conditions.into_iter().map(alone).collect()).boxed()
}

/// The same test of the same field, with other operands.
fn flat_of_one_field() -> Pairs {
    let field = select(vec!["a", "b", "body.0.n"]);
    let operation = select(vec!["in", "not_in", "any_in_array", "all_in_array", "in_array", "all-in-array"]);
    let operands = vec(select(vec!["x", "y", "x,y", "y,x,y", "5", "5,true", ""]), 2..4);
    (field, operation, operands)
        .prop_map(|(field, operation, operands)| {
            operands.into_iter().map(|operand| alone((field.to_owned(), operation.to_owned(), operand.to_owned()))).collect()
        })
        .boxed()
}

fn alone((field, operation, value): (String, String, String)) -> (String, String) {
    (format!("filter_query[__or][][{field}][{operation}]"), value)
}

fn sort_by() -> impl Strategy<Value = String> {
    let by = select(vec![
        "name",
        "slug",
        "path",
        "position",
        "sort_by_date",
        "id",
        "uuid",
        "full_slug",
        "created_at",
        "published_at",
        "content.a",
        "content.b",
        "content.seo.title",
        "content.nope",
    ]);
    let key = (by, any::<bool>(), select(vec!["", ":int", ":float"]), select(vec!["", ":nulls_first", ":nulls_last"]));
    vec(key, 1..3).prop_map(|keys| {
        let text = |(by, descending, cast, nulls): (&str, bool, &str, &str)| {
            let cast = if by.starts_with("content.") { cast } else { "" };
            format!("{by}:{}{cast}{nulls}", if descending { "desc" } else { "asc" })
        };
        keys.into_iter().map(text).collect::<Vec<_>>().join(",")
    })
}
