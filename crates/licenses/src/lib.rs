//! What is in the binary that others have written, and under which terms: every crate with the licence that
//! it names and the texts that it comes with, and the libraries in other languages that some of them bring.
//!
//! `scripts/inventory/licenses.py` writes the two files that are packed into the binary (`make licenses`),
//! from what cargo knows and from the sources of the crates. They are in the repository, so that a build
//! needs neither the network nor a further tool, and so that a change of a dependency shows in its diff under
//! which terms the new one is. A test compares them with the crates of the binary.

use flate2::read::GzDecoder;
use serde::Deserialize;
use std::{
    collections::HashMap,
    fmt::Write,
    io::{self, Read},
};

static COMPONENTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/components.json.gz"));
static TEXTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/texts.txt.gz"));

/// What begins a text in `texts.txt`, with its name after it.
const BEGIN: &str = "=== ";

/// Something that is in the binary.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Component {
    /// Its name; of a crate that of the registry.
    pub name: String,
    pub version: String,
    /// Its licence, as an SPDX expression.
    pub license: String,
    /// Where it comes from; empty for this server.
    pub url: String,
    /// Those who wrote it, where it comes without a text that says so. Its texts are the standard ones of its
    /// licence then.
    pub authors: Vec<String>,
    /// The names of its texts.
    pub texts: Vec<String>,
}

/// A text that one or more components come with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Its name, which follows from its words.
    pub name: String,
    pub text: String,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inventory {
    /// The components: this server first, then the others by their names.
    pub components: Vec<Component>,
    /// Each text once, in the order in which the components name them.
    pub texts: Vec<Text>,
}

impl Inventory {
    /// Unpacks it.
    pub fn unpack() -> io::Result<Self> {
        let mut components: Vec<Component> = serde_json::from_str(&text_of(COMPONENTS)?)?;
        // The standard library is that of the compiler, which no file knows.
        for component in components.iter_mut().filter(|component| component.version.is_empty()) {
            env!("RUST_VERSION").clone_into(&mut component.version);
        }
        let packed = text_of(TEXTS)?;
        let mut known: HashMap<&str, String> = HashMap::new();
        let mut name = "";
        for line in packed.split_inclusive('\n') {
            if let Some(next) = line.strip_prefix(BEGIN) {
                name = next.trim_end();
            } else {
                known.entry(name).or_default().push_str(line);
            }
        }
        let mut texts = Vec::new();
        for name in components.iter().flat_map(|component| &component.texts) {
            if let Some(text) = known.remove(name.as_str()) {
                texts.push(Text { name: name.clone(), text });
            }
        }
        Ok(Self { components, texts })
    }

    /// All of it as plain text: the components, and then the texts.
    pub fn plain(&self) -> String {
        let mut plain = "What is in Lectern, and under which terms. The licence texts are below, each of them once.\n".to_owned();
        for component in &self.components {
            // Writing into a text never fails.
            let _ = write!(plain, "\n{} {}\n  {}\n", component.name, component.version, component.license);
            if !component.url.is_empty() {
                let _ = writeln!(plain, "  {}", component.url);
            }
            if !component.authors.is_empty() {
                let _ = writeln!(plain, "  by {}", component.authors.join(", "));
            }
            let _ = writeln!(plain, "  texts: {}", component.texts.join(", "));
        }
        for text in &self.texts {
            let _ = write!(plain, "\n{}\nText {}\n{}\n\n{}", "-".repeat(78), text.name, self.users(text), text.text);
        }
        plain
    }

    /// The components that come with a text, as one line.
    pub fn users(&self, text: &Text) -> String {
        let users = self.components.iter().filter(|component| component.texts.contains(&text.name));
        users.map(|component| format!("{} {}", component.name, component.version)).collect::<Vec<_>>().join(", ")
    }
}

fn text_of(packed: &[u8]) -> io::Result<String> {
    let mut text = String::new();
    GzDecoder::new(packed).read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::Inventory;
    use std::collections::HashSet;

    #[test]
    fn each_component_has_its_texts_and_each_text_its_components() {
        let inventory = Inventory::unpack().unwrap();
        let known: HashSet<&str> = inventory.texts.iter().map(|text| text.name.as_str()).collect();
        let named: HashSet<&str> = inventory.components.iter().flat_map(|one| one.texts.iter().map(String::as_str)).collect();
        assert_eq!(known, named);
        for component in &inventory.components {
            assert!(!component.texts.is_empty() && !component.license.is_empty() && !component.version.is_empty(), "{component:?}");
        }
        assert!(inventory.texts.iter().all(|text| !text.text.trim().is_empty()));
    }

    #[test]
    fn what_comes_without_a_text_names_its_authors() {
        let inventory = Inventory::unpack().unwrap();
        let standard = inventory.components.iter().filter(|component| !component.authors.is_empty());
        assert!(standard.clone().any(|component| component.name == "maud"));
        for component in standard {
            let texts = component.texts.iter().filter_map(|name| inventory.texts.iter().find(|text| text.name == *name));
            let is_standard = |text: &str| {
                ["MIT License", "BSD 3-Clause License", "Apache License", "Mozilla Public License"]
                    .iter()
                    .any(|title| text.trim_start().starts_with(title))
            };
            assert!(texts.clone().any(|text| is_standard(&text.text)), "{component:?}");
        }
    }

    #[test]
    fn the_plain_text_has_every_component_and_every_text() {
        let inventory = Inventory::unpack().unwrap();
        let plain = inventory.plain();
        for component in &inventory.components {
            assert!(plain.contains(&format!("\n{} {}\n  {}\n", component.name, component.version, component.license)));
        }
        assert!(inventory.texts.iter().all(|text| plain.contains(&text.text)));
    }
}
