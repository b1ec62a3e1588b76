//! Which function a line of the source belongs to: for panics in the log, because the binary has no symbols.
//! `build.rs` writes the list.

/// The function with a line of a file, as panics name them: `routes/src/dispatch.rs`. `None` for the standard
/// library and other crates.
pub(super) fn containing(file: &str, line: u32) -> Option<&'static str> {
    find(include_str!(concat!(env!("OUT_DIR"), "/functions.txt")), file, line)
}

/// Functions are listed by their first lines, so the last one with the line is the innermost.
fn find<'a>(list: &'a str, file: &str, line: u32) -> Option<&'a str> {
    let functions = list.lines().skip_while(|entry| *entry != file).skip(1).map_while(|entry| entry.strip_prefix(' '));
    let around = functions.filter_map(|function| {
        let (begin, rest) = function.split_once(' ')?;
        let (end, name) = rest.split_once(' ')?;
        (begin.parse::<u32>().ok()?..=end.parse().ok()?).contains(&line).then_some(name)
    });
    around.last()
}

#[cfg(test)]
mod tests {
    use super::{containing, find};

    #[test]
    fn a_line_belongs_to_the_innermost_function_around_it() {
        let list = "a.rs\n 1 9 outer\n 3 5 inner\n 12 12 short\nb.rs\n 1 2 other\n";
        let found = [1, 4, 6, 9, 10, 12].map(|line| find(list, "a.rs", line));
        assert_eq!(found, [Some("outer"), Some("inner"), Some("outer"), Some("outer"), None, Some("short")]);
        assert_eq!((find(list, "b.rs", 2), find(list, "c.rs", 1)), (Some("other"), None));
    }

    #[test]
    fn the_list_has_the_functions_of_this_file() {
        assert_eq!(containing(file!(), line!()), Some("the_list_has_the_functions_of_this_file"));
        assert_eq!(containing("/rustc/library/core/src/panicking.rs", 80), None);
    }
}
