//! Makes HTML of README.md and docs/*.md, which becomes part of the binary: the pages at `/docs`.
//!
//! What these pages could not show fails the build: HTML in a document, an image, and a link to a file that
//! does not exist.

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

type Failure = Box<dyn Error>;

/// A document as HTML.
struct Document {
    /// The name of its file without `.md`; empty for README.md.
    name: String,
    title: String,
    /// The anchor and the text of each heading of the second level.
    sections: Vec<(String, String)>,
    html: String,
}

#[expect(clippy::disallowed_methods, reason = "cargo tells a build script by the environment where it may write")]
fn main() -> Result<(), Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for watched in ["README.md", "docs"] {
        println!("cargo::rerun-if-changed={}", root.join(watched).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let mut code = String::from("pub(super) static DOCUMENTS: &[Document] = &[\n");
    for file in files(&root)? {
        let text = fs::read_to_string(root.join(&file))?;
        let document = Rendering::new(&root, &file).run(&text).map_err(|error| format!("{file}: {error}"))?;
        let written = format!("{}.html", file.replace('/', "-"));
        fs::write(out.join(&written), &document.html)?;
        let Document { name, title, sections, .. } = document;
        let html = format!("include_str!(concat!(env!(\"OUT_DIR\"), {:?}))", format!("/{written}"));
        writeln!(code, "    Document {{ name: {name:?}, title: {title:?}, sections: &{sections:?}, html: {html} }},")?;
    }
    fs::write(out.join("documents.rs"), code + "];\n")?;
    Ok(())
}

/// README.md, and the documents in the order in which it names them last, which is its list of them. What it
/// does not name comes at the end.
fn files(root: &Path) -> Result<Vec<String>, Failure> {
    let readme = fs::read_to_string(root.join("README.md"))?;
    let mut found = Vec::new();
    for entry in fs::read_dir(root.join("docs"))? {
        let name = entry?.file_name().into_string().map_err(|_| "a name that is no text")?;
        if Path::new(&name).extension().is_some_and(|extension| extension == "md") {
            let path = format!("docs/{name}");
            found.push((readme.rfind(&format!("]({path}")).unwrap_or(usize::MAX), path));
        }
    }
    found.sort();
    Ok(std::iter::once("README.md".to_owned()).chain(found.into_iter().map(|(_, path)| path)).collect())
}

/// A document while it is made.
struct Rendering<'a> {
    root: &'a Path,
    /// Its path below the root.
    file: &'a str,
    events: Vec<Event<'a>>,
    title: String,
    sections: Vec<(String, String)>,
    anchors: Vec<String>,
    /// The heading that is open: where it begins in `events`, and its text so far.
    heading: Option<(usize, String)>,
    /// The cell of a head of a table that is open, by where it begins in `events`.
    head_cell: Option<usize>,
    is_in_head: bool,
    /// For each open link, whether it stays one.
    links: Vec<bool>,
}

impl<'a> Rendering<'a> {
    fn new(root: &'a Path, file: &'a str) -> Self {
        Self {
            root,
            file,
            events: Vec::new(),
            title: String::new(),
            sections: Vec::new(),
            anchors: Vec::new(),
            heading: None,
            head_cell: None,
            is_in_head: false,
            links: Vec::new(),
        }
    }

    fn run(mut self, text: &'a str) -> Result<Document, Failure> {
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            self.take(event)?;
        }
        if self.title.is_empty() {
            return Err("no title".into());
        }
        let name = self.file.strip_prefix("docs/").and_then(|name| name.strip_suffix(".md")).unwrap_or_default().to_owned();
        let mut html = String::new();
        html::push_html(&mut html, self.events.into_iter());
        Ok(Document { name, title: self.title, sections: self.sections, html })
    }

    fn take(&mut self, event: Event<'a>) -> Result<(), Failure> {
        if let (Some((_, text)), Event::Text(part) | Event::Code(part)) = (&mut self.heading, &event) {
            text.push_str(part);
        }
        match event {
            // A comment is for those who edit the file.
            Event::Html(html) | Event::InlineHtml(html) => {
                let html = html.trim();
                if !(html.starts_with("<!--") && html.ends_with("-->")) {
                    return Err(format!("HTML: {html}").into());
                }
            }
            Event::Start(Tag::HtmlBlock) | Event::End(TagEnd::HtmlBlock) => {}
            Event::Start(Tag::Image { dest_url, .. }) => return Err(format!("an image: {dest_url}").into()),
            Event::Start(Tag::Heading { .. }) => {
                self.heading = Some((self.events.len(), String::new()));
                self.events.push(raw(String::new()));
            }
            Event::End(TagEnd::Heading(level)) => self.end_heading(level),
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                if self.heading.is_some() {
                    return Err(format!("a link in a heading: {dest_url}").into());
                }
                let address = self.address(&dest_url)?;
                self.links.push(address.is_some());
                if let Some(address) = address {
                    self.events.push(Event::Start(Tag::Link { link_type, dest_url: address.into(), title, id }));
                }
            }
            Event::End(TagEnd::Link) => {
                if self.links.pop() == Some(true) {
                    self.events.push(event);
                }
            }
            // A wide table scrolls by itself, also by the keyboard.
            Event::Start(Tag::Table(_)) => self.events.extend([raw("<div class=\"wide\" tabindex=\"0\">\n"), event]),
            Event::End(TagEnd::Table) => self.events.extend([event, raw("</div>\n")]),
            Event::Start(Tag::TableHead) | Event::End(TagEnd::TableHead) => {
                self.is_in_head = !self.is_in_head;
                self.events.push(event);
            }
            Event::Start(Tag::TableCell) if self.is_in_head => {
                self.head_cell = Some(self.events.len());
                self.events.push(raw("<th scope=\"col\">"));
            }
            Event::End(TagEnd::TableCell) if self.is_in_head => self.end_head_cell(),
            event => self.events.push(event),
        }
        Ok(())
    }

    /// A heading has an anchor, which it also leads to, so that the address of a section can be copied.
    fn end_heading(&mut self, level: HeadingLevel) {
        let Some((start, text)) = self.heading.take() else { return };
        let anchor = self.anchor(&text);
        if let Some(first) = self.events.get_mut(start) {
            *first = raw(format!("<{level} id=\"{anchor}\"><a href=\"#{anchor}\">"));
        }
        self.events.push(raw(format!("</a></{level}>\n")));
        match level {
            HeadingLevel::H1 if self.title.is_empty() => self.title = text,
            HeadingLevel::H2 => self.sections.push((anchor, text)),
            _ => {}
        }
    }

    /// The anchor of a heading, by the rules of GitHub: letters, digits, `-` and `_` in lower case, a dash
    /// for each blank, a number behind one that is taken.
    fn anchor(&mut self, text: &str) -> String {
        let kept = text.to_lowercase().replace(' ', "-");
        let plain: String = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let is_free = |anchor: &String| !self.anchors.contains(anchor);
        let numbered = (1..).map(|number| format!("{plain}-{number}"));
        let anchor = std::iter::once(plain.clone()).chain(numbered).find(is_free).unwrap_or_default();
        self.anchors.push(anchor.clone());
        anchor
    }

    /// A cell without a text heads nothing.
    fn end_head_cell(&mut self) {
        match self.head_cell.take() {
            Some(start) if start + 1 == self.events.len() => {
                self.events.pop();
                self.events.push(raw("<td></td>"));
            }
            _ => self.events.push(raw("</th>")),
        }
    }

    /// Where a link leads on the server; `None` for a file of the repository, which the server does not have.
    fn address(&self, link: &str) -> Result<Option<String>, Failure> {
        if link.starts_with('#') || ["http://", "https://"].iter().any(|scheme| link.starts_with(scheme)) {
            return Ok(Some(link.to_owned()));
        }
        let (path, anchor) = link.find('#').map_or((link, ""), |at| link.split_at(at));
        let mut resolved: Vec<&str> = self.file.split('/').collect();
        resolved.pop();
        for segment in path.split('/') {
            match segment {
                ".." => drop(resolved.pop()),
                "" | "." => {}
                name => resolved.push(name),
            }
        }
        let file = resolved.join("/");
        if !self.root.join(&file).exists() {
            return Err(format!("a link to {file}, which does not exist").into());
        }
        let document = file.strip_prefix("docs/").and_then(|name| name.strip_suffix(".md")).filter(|name| !name.contains('/'));
        Ok(match (file.as_str(), document) {
            ("README.md", _) => Some(format!("/docs{anchor}")),
            (_, Some(name)) => Some(format!("/docs/{name}{anchor}")),
            (file, None) if file == "docs/openapi" || file.starts_with("docs/openapi/") => Some("/api/docs".to_owned()),
            _ => None,
        })
    }
}

fn raw<'a>(html: impl Into<CowStr<'a>>) -> Event<'a> {
    Event::Html(html.into())
}
