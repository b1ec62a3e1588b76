//! The code blocks of a document.

use support::prelude::*;

/// A block between fences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The document and the line of the first fence: `docs/load.md:5`.
    pub place: String,
    /// What stands behind the first fence: `sh`, `json`.
    pub language: String,
    /// The lines without the indentation of the fence.
    pub text: String,
}

/// Every block of a document.
pub fn of(document: &str) -> Vec<Block> {
    read(document, &tools::text_of(document))
}

/// Those that a reader is to run.
pub fn commands(document: &str) -> Vec<Block> {
    of(document).into_iter().filter(|block| block.language == "sh").collect()
}

fn read(document: &str, text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // The indentation of the block that is open.
    let mut open: Option<usize> = None;
    for (index, line) in text.lines().enumerate() {
        let inner = line.trim_start();
        match (inner.strip_prefix("```"), open) {
            (Some(language), None) => {
                open = Some(line.len() - inner.len());
                blocks.push(Block {
                    place: format!("{document}:{}", index + 1),
                    language: language.to_owned(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => open = None,
            (None, Some(indentation)) => {
                let block = blocks.last_mut().unwrap();
                block.text.push_str(line.get(indentation..).unwrap_or_default());
                block.text.push('\n');
            }
            (None, None) => {
                assert!(!line.starts_with("    "), "{document}:{}: a block without fences, which no test would find", index + 1);
            }
        }
    }
    assert_eq!(open, None, "{document}: a block that does not end");
    blocks
}

#[test]
fn a_block_is_what_stands_between_fences() {
    let text = "Text\n```sh\nmake run\n```\n1. First\n   ```json\n   {\n     \"a\": 1\n   }\n   ```\n";
    let read = read("a.md", text);
    let places: Vec<(&str, &str, &str)> =
        read.iter().map(|block| (block.place.as_str(), block.language.as_str(), block.text.as_str())).collect();
    assert_eq!(places, [("a.md:2", "sh", "make run\n"), ("a.md:6", "json", "{\n  \"a\": 1\n}\n")]);
}
