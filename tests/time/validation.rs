//! How long the validation of a story takes.

use domain::content::validation::{ComponentSource, Schemas, Surroundings, begin, validate};
use std::hint::black_box;
use support::{prelude::*, spaces::example_space};

/// How many times as long as to parse a content it may take to validate it.
const MOST: u32 = 4;

/// 447 blocks, in both passes of a validation. The goal is 5 ms; what the test compares with is the time that
/// the content needs to be parsed. It is parsed so many times in one piece, because a busy machine interrupts
/// a longer piece more often: one time would seldom be interrupted.
#[test]
#[ignore = "reads the example spaces beside the repository: make shared-tests"]
fn a_large_story_is_validated_in_little_more_time_than_it_is_parsed() {
    let folder = example_space("energy-site");
    let records = |file: &str| {
        let text = std::fs::read_to_string(folder.join(format!("{file}.json"))).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()[file].as_array().unwrap().clone()
    };
    let stories = records("stories");
    let content = &stories.iter().find(|story| story["slug"] == "page-enroll").unwrap()["content"];
    let (text, components) = (content.to_string(), records("components"));
    let names = Schemas::names(content);
    let used: Vec<&Value> = components.iter().filter(|component| names.contains(component["name"].as_str().unwrap())).collect();
    let (mut parsing, mut validating) = (Vec::new(), Vec::new());
    for _ in 0..50 {
        let began = Instant::now();
        for _ in 0..MOST {
            black_box(serde_json::from_str::<Value>(&text).unwrap());
        }
        parsing.push(began.elapsed());
        let sources: Vec<_> = used.iter().map(|component| source(component)).collect();
        let began = Instant::now();
        let schemas = Schemas::new(sources, &[]);
        black_box(begin(content, &schemas));
        black_box(validate(content, &schemas, &Surroundings::default()));
        validating.push(began.elapsed());
    }
    let [parsing, validating] = [parsing, validating].map(|mut took| {
        took.sort();
        took[took.len() / 2]
    });
    println!("{} bytes: parsed {MOST} times in {parsing:?}, validated in {validating:?}", text.len());
    assert!(validating < parsing, "{validating:?} beside {parsing:?}");
}

fn source(component: &Value) -> ComponentSource {
    ComponentSource {
        name: component["name"].as_str().unwrap().to_owned(),
        schema: component["schema"].as_object().unwrap().clone(),
        group: None,
        tags: Vec::new(),
    }
}
