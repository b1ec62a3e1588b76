//! The shell: the document of the application, with what its first screen shows.

use super::text::StudioText;
use crate::{Frame, files};
use maud::{DOCTYPE, html};

/// The shell of a space.
#[derive(Debug, Clone, Copy)]
pub struct ShellView<'a> {
    /// The name of the space.
    pub space: &'a str,
    /// The URLs of the script, of the texts in the language of the page, and of the style sheet.
    pub script: &'a str,
    pub texts: &'a str,
    pub style: &'a str,
    /// What the first screen shows, as JSON.
    pub data: &'a str,
}

/// The document. The data is an attribute and no script, so that nothing in the document runs.
pub fn shell(frame: &Frame<'_>, view: ShellView<'_>) -> String {
    let ShellView { space, script, texts, style, data } = view;
    let document = html! {
        (DOCTYPE)
        html lang=(frame.language.tag()) class="studio" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="robots" content="noindex";
                title { (space) " · " (frame.t(StudioText::Studio)) " · " (frame.site.name) }
                link rel="icon" href=(files::url("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(style);
                link rel="modulepreload" href=(texts);
                script type="module" src=(script) {}
            }
            body {
                div #studio data-shell=(data) {
                    main .opening {
                        h1 { (frame.fill(StudioText::Loading, &[("space", space)])) }
                        // The script shows it when it cannot load what it needs.
                        p data-failed hidden {
                            (frame.t(StudioText::NotLoaded)) " "
                            a href=(frame.path.as_str()) { (frame.t(StudioText::LoadAgain)) }
                        }
                        noscript { p { (frame.t(StudioText::NeedsScript)) } }
                    }
                }
            }
        }
    };
    document.into_string()
}
