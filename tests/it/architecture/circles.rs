//! Circles of files: a file of a circle is understood only with all the others.

use std::collections::{BTreeMap, BTreeSet};

/// The place of a file among the modules of its crate; empty for the root.
type Module = Vec<String>;

/// The files of a crate.
#[derive(Default)]
struct Crate<'a> {
    paths: BTreeMap<Module, &'a str>,
    uses: BTreeMap<Module, Vec<Vec<String>>>,
    /// What a module exports under which name, by the path that it has it from.
    exports: BTreeMap<Module, BTreeMap<String, Vec<String>>>,
}

/// Files that use items of each other, in a line for each circle. A file may use those in its own folder and
/// be used by them: they are parts of it.
pub fn circles(sources: &[(String, String)]) -> Vec<String> {
    let mut crates: BTreeMap<&str, Crate<'_>> = BTreeMap::new();
    for (path, text) in sources {
        let Some(at) = path
            .strip_suffix(".rs")
            .and_then(|_| if path.starts_with("src/") { Some(0) } else { path.find("/src/").map(|at| at + 1) })
        else {
            continue;
        };
        let (folder, file) = path.split_at(at);
        crates.entry(folder).or_default().read(path, file, text);
    }
    crates.values().flat_map(Crate::circles).collect()
}

impl<'a> Crate<'a> {
    fn read(&mut self, path: &'a str, file: &str, text: &str) {
        let names = file.trim_start_matches("src/").trim_end_matches(".rs").split('/').map(str::to_owned);
        let module: Module = names.filter(|name| !["lib", "main"].contains(&name.as_str())).collect();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let code: String = code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
        let (mut uses, mut exports) = (Vec::new(), BTreeMap::new());
        for statement in code.split(';') {
            let Some((before, tree)) =
                statement.split_once("use ").filter(|(before, _)| before.is_empty() || before.ends_with([' ', '\n']))
            else {
                continue;
            };
            let is_export = before.lines().last().is_some_and(|line| line.trim_start().starts_with("pub"));
            for used in expand(tree) {
                if is_export {
                    exports.insert(used.last().cloned().unwrap_or_default(), used.clone());
                }
                uses.push(used);
            }
        }
        let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':').filter(|word| word.contains("::"));
        uses.extend(words.map(|word| word.split("::").map(str::to_owned).collect::<Vec<_>>()));
        self.paths.insert(module.clone(), path);
        self.exports.insert(module.clone(), exports);
        self.uses.insert(module, uses);
    }

    fn circles(&self) -> Vec<String> {
        let edges: BTreeMap<&Module, BTreeSet<Module>> = self.uses.keys().map(|module| (module, self.used_by(module))).collect();
        let reached: BTreeMap<&Module, BTreeSet<Module>> = edges.keys().map(|module| (*module, reach(module, &edges))).collect();
        let circle = |module: &Module| -> BTreeSet<&str> {
            let others = reached[module].iter().filter(|other| reached[*other].contains(module));
            others.map(|other| self.paths[other]).collect()
        };
        let all: BTreeSet<BTreeSet<&str>> =
            reached.keys().map(|module| circle(module)).filter(|circle| !circle.is_empty()).collect();
        all.into_iter().map(|circle| format!("use each other: {}", circle.into_iter().collect::<Vec<_>>().join(", "))).collect()
    }

    /// The modules whose items a module uses, but for those that it is a part of and its own parts.
    fn used_by(&self, module: &Module) -> BTreeSet<Module> {
        let uses = &self.uses[module];
        // Modules that have a name of their own here: `use super::files;` and then `files::read`.
        let named = uses.iter().filter_map(|path| Some((path.last()?, self.absolute(module, path)?)));
        let named: BTreeMap<&String, Module> = named.filter(|(_, whole)| self.paths.contains_key(whole)).collect();
        let resolved = uses.iter().filter_map(|path| {
            let whole = self.absolute(module, path).or_else(|| Some([named.get(path.first()?)?, path.get(1..)?].concat()))?;
            self.home(&whole, 0)
        });
        resolved.filter(|used| !used.starts_with(module) && !module.starts_with(used)).collect()
    }

    /// A path from the root of the crate; `None` for one into another crate, and for a name that is not
    /// known.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Vec<String>> {
        let mut base = module.clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (base, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|name| name == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
            }
            child => {
                base.push(child.to_owned());
                let is_child = self.paths.contains_key(&base);
                base.pop();
                return is_child.then(|| [base.as_slice(), path].concat());
            }
        }
        let rest = rest.iter().filter(|name| *name != "self").cloned();
        base.extend(rest);
        Some(base)
    }

    /// The module that has the item at a path, behind all re-exports.
    fn home(&self, path: &[String], depth: usize) -> Option<Module> {
        let mut module = Module::new();
        for (at, name) in path.iter().enumerate() {
            module.push(name.clone());
            if self.paths.contains_key(&module) {
                continue;
            }
            module.pop();
            let Some(exported) = self.exports.get(&module).and_then(|exports| exports.get(name)).filter(|_| depth < 8) else {
                break;
            };
            let whole = self.absolute(&module, exported)?;
            return self.home(&[whole.as_slice(), &path[at + 1..]].concat(), depth + 1);
        }
        Some(module)
    }
}

/// What can be reached from a module.
fn reach(from: &Module, edges: &BTreeMap<&Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let mut reached = BTreeSet::new();
    let mut left: Vec<&Module> = edges[from].iter().collect();
    while let Some(module) = left.pop() {
        if reached.insert(module.clone()) {
            left.extend(edges.get(module).into_iter().flatten());
        }
    }
    reached
}

/// The paths of a tree of `use`, without what they are called here.
fn expand(tree: &str) -> Vec<Vec<String>> {
    let tree = tree.trim();
    let Some((head, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default().trim();
        return if path.is_empty() { Vec::new() } else { vec![path.split("::").map(|name| name.trim().to_owned()).collect()] };
    };
    let (mut depth, mut parts) = (0_usize, vec![String::new()]);
    for c in inner.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            _ => {}
        }
        match (c, depth) {
            (',', 0) => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(c),
        }
    }
    parts
        .iter()
        .flat_map(|part| expand(part))
        .map(|path| [expand(head.trim().trim_end_matches("::")).concat(), path].concat())
        .collect()
}

#[test]
fn a_circle_is_found_through_reexports_and_names_of_modules() {
    let file = |path: &str, text: &str| (format!("crates/x/src/{path}.rs"), text.to_owned());
    let mut sources = vec![
        file("lib", "mod a;\nmod b;\npub use a::{One, inner::Two};\n"),
        file("a", "mod inner;\nuse super::b;\nfn f() { b::g(); }\n"),
        file("a/inner", "use super::One;\n"),
        file("b", "fn g() {}\n#[cfg(test)]\nmod tests {\n    use crate::One;\n}\n"),
    ];
    assert_eq!(circles(&sources), [""; 0]);
    sources[3] = file("b", "use crate::{One as Other};\nfn g() {}\n");
    assert_eq!(circles(&sources), ["use each other: crates/x/src/a.rs, crates/x/src/b.rs"]);
}
