//! Tests at places where `make test` does not look: it runs those of libraries and of the package of the
//! tests. To look further would mean to read every crate once more for examples in comments, and to link
//! every program once more.

use super::{assert_none, rules::is_rust, sources};
use support::tools::root;

#[test]
fn every_test_is_run() {
    let sources = sources(root());
    let rust: Vec<_> = sources.iter().filter(|(path, _)| is_rust(path)).collect();
    assert!(rust.iter().any(|(path, _)| is_program(path)));
    assert_none(rust.into_iter().flat_map(|(path, source)| unrun(path, source)).collect());
}

/// The file of a program. That of the integration tests is none.
fn is_program(path: &str) -> bool {
    path.ends_with("src/main.rs")
}

fn unrun(path: &str, source: &str) -> Vec<String> {
    let test = is_program(path) && source.lines().any(|line| line.trim_end().ends_with("test]"));
    let test = test.then(|| format!("{path}: a test of a program; move what it tests to the library"));
    let code = examples(source);
    let code = code.map(|number| format!("{path}:{number}: an example in a comment; call it text, and test it in a test"));
    test.into_iter().chain(code).collect()
}

/// The numbers of the lines at which rustdoc finds an example: a block that is not called text, or a
/// paragraph that is only indented.
fn examples(source: &str) -> impl Iterator<Item = usize> {
    let (mut is_in_block, mut is_after_paragraph) = (false, false);
    source.lines().zip(1..).filter_map(move |(line, number)| {
        let documentation = line.trim_start().strip_prefix("//").and_then(|comment| comment.strip_prefix(['/', '!']));
        let words = documentation.unwrap_or_default();
        let begins_indented = !is_in_block && !is_after_paragraph && words.starts_with("     ");
        is_after_paragraph = !words.trim().is_empty();
        let begins = match words.trim().strip_prefix("```") {
            Some(language) => {
                is_in_block = !is_in_block;
                is_in_block && language != "text"
            }
            None => begins_indented && is_after_paragraph,
        };
        begins.then_some(number)
    })
}

#[test]
fn a_test_of_a_program_and_an_example_in_a_comment_are_not_run() {
    let test = "#[tokio::test]\nasync fn it_starts() {}\n";
    assert_eq!(unrun("load/src/main.rs", test).len(), 1);
    assert_eq!(unrun("load/src/lib.rs", test), [""; 0]);
    let example = "/// Adds:\n/// ```\n/// assert_eq!(add(1, 1), 2);\n/// ```\n//! ```rust,ignore\n//! ```\n";
    assert_eq!(unrun("a.rs", example).iter().map(|line| &line[..7]).collect::<Vec<_>>(), ["a.rs:2:", "a.rs:5:"]);
    assert_eq!(unrun("a.rs", "/// Adds:\n///\n///     assert_eq!(add(1, 1), 2);\n///     // and\n").len(), 1);
    assert_eq!(unrun("a.rs", "/// ```text\n///\n///     a -> b\n/// ```\n// ```\n/// - a point\n///     goes on\n"), [""; 0]);
}
