//! Lists every function of this repository with the lines that it takes. The binary has no symbols, and the
//! log names the function of a panic all the same.
//!
//! The list has a line for each file, and below it one for each function: ` first last name`.

use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

type Failure = Box<dyn Error>;

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script by the environment where it may write")]
fn main() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut list = String::new();
    for folder in ["actors", "crates", "routes", "src"] {
        println!("cargo::rerun-if-changed={folder}");
        add_folder(&mut list, root, &root.join(folder))?;
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    fs::write(out.join("functions.txt"), list)?;
    Ok(())
}

fn add_folder(list: &mut String, root: &Path, folder: &Path) -> Result<(), Failure> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>, Failure>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_folder(list, root, &path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            writeln!(list, "{}", path.strip_prefix(root)?.display())?;
            add_functions(list, &fs::read_to_string(&path)?)?;
        }
    }
    Ok(())
}

/// A function ends at the first brace that stands as far to the left as its first line; rustfmt sees to that.
fn add_functions(list: &mut String, source: &str) -> Result<(), Failure> {
    let lines: Vec<(usize, &str)> = source.lines().map(|line| (line.len() - line.trim_start().len(), line.trim())).collect();
    for (first, (indent, text)) in lines.iter().enumerate() {
        let Some(name) = name_of_function(text) else { continue };
        let is_end =
            |(left, text): &(usize, &str)| left == indent && (*text == "}" || text.ends_with("{}") || text.ends_with(" }"));
        if let Some(more) = lines.iter().skip(first).position(is_end) {
            writeln!(list, " {} {} {name}", first + 1, first + more + 1)?;
        }
    }
    Ok(())
}

fn name_of_function(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let is_signature = before.split_whitespace().all(|word| {
        ["async", "const", "default", "extern", "pub", "unsafe"].contains(&word) || word.starts_with("pub(") || word.ends_with(')')
    });
    let end = after.find(|character: char| !character.is_alphanumeric() && character != '_')?;
    after.get(..end).filter(|name| is_signature && !name.is_empty())
}
