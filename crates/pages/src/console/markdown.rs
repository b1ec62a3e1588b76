//! The Markdown of the configuration's catalogue: text with code and links, on one line. Everything else is
//! text as it stands; a test of the server looks whether a description has more.

use crate::docs;
use maud::{Markup, html};

/// A piece of a line.
#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    Code(&'a str),
    /// What it says, and the address as it is written.
    Link(&'a str, &'a str),
}

/// A line as HTML. A link to another document leads to its page; one that leads nowhere on this server is
/// text.
pub(super) fn line(text: &str) -> Markup {
    html! {
        @for piece in pieces(text) {
            @match piece {
                Piece::Text(text) => { (text) }
                Piece::Code(code) => { code { (code) } }
                Piece::Link(words, address) => {
                    @match target(address) { Some(target) => { a href=(target) { (words) } } None => { (words) } }
                }
            }
        }
    }
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), text);
    while let Some(at) = rest.find(['`', '[']) {
        let (before, from) = rest.split_at(at);
        let Some((piece, after)) = code(from).or_else(|| link(from)) else {
            // A mark alone is a mark.
            let (plain, after) = from.split_at(1);
            pieces.extend([Piece::Text(before), Piece::Text(plain)]);
            rest = after;
            continue;
        };
        pieces.extend([Piece::Text(before), piece]);
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces.retain(|piece| *piece != Piece::Text(""));
    pieces
}

fn code(from: &str) -> Option<(Piece<'_>, &str)> {
    let (code, after) = from.strip_prefix('`')?.split_once('`')?;
    Some((Piece::Code(code), after))
}

fn link(from: &str) -> Option<(Piece<'_>, &str)> {
    let (words, after) = from.strip_prefix('[')?.split_once("](")?;
    let (address, after) = after.split_once(')')?;
    Some((Piece::Link(words, address), after))
}

/// Where a link of a document in `docs` leads.
fn target(address: &str) -> Option<String> {
    if address.starts_with("https://") || address.starts_with("http://") {
        return Some(address.to_owned());
    }
    let (file, anchor) = address.split_once('#').map_or((address, String::new()), |(file, anchor)| (file, format!("#{anchor}")));
    let name = file.strip_suffix(".md")?;
    let document = docs::all().iter().find(|document| document.name == name)?;
    Some(format!("{}{anchor}", document.path()))
}

#[cfg(test)]
mod tests {
    use super::{Piece, line, pieces};
    use proptest::prelude::*;

    #[test]
    fn code_and_links_are_marked_up_and_the_rest_is_text() {
        let html = |text: &str| line(text).into_string();
        assert_eq!(html("`a<b>` or `c`, see"), "<code>a&lt;b&gt;</code> or <code>c</code>, see");
        assert_eq!(
            html("see [docs/clients.md](clients.md#libraries)."),
            "see <a href=\"/docs/clients#libraries\">docs/clients.md</a>."
        );
        assert_eq!(html("[RFC](https://example.org/?a=1&b)"), "<a href=\"https://example.org/?a=1&amp;b\">RFC</a>");
        assert_eq!(html("[gone](none.md) [x](javascript:alert(1))"), "gone x)");
        assert_eq!(html("an array [1] and a ` alone"), "an array [1] and a ` alone");
    }

    #[test]
    fn a_bracket_in_code_is_code() {
        assert_eq!(pieces("`[a](b)`"), [Piece::Code("[a](b)")]);
    }

    proptest! {
        #[test]
        fn no_text_is_lost_and_nothing_is_markup_of_its_own(text in "[a-z<>`\\[\\]()& ]{0,40}") {
            let html = line(&text).into_string();
            let own = html.replace("<code>", "").replace("</code>", "");
            prop_assert!(!own.contains('<'), "{}", html);
        }
    }
}
