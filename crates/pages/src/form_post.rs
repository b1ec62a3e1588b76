//! The page that posts an authorization response to a client (OAuth 2.0 Form Post Response Mode). It is shown
//! for a moment, so it has no frame.

use maud::{DOCTYPE, PreEscaped, html};

/// A form with these fields for a URI, which the script submits; without JavaScript a button does.
pub fn form_post_page(uri: &str, fields: &[(&str, String)], script: &'static str) -> String {
    html! {
        (DOCTYPE)
        html lang="en" {
            head { meta charset="utf-8"; title { "Signing in" } }
            body {
                form method="post" action=(uri) {
                    @for (name, value) in fields {
                        input type="hidden" name=(name) value=(value);
                    }
                    noscript { button { "Continue" } }
                }
                script { (PreEscaped(script)) }
            }
        }
    }
    .into_string()
}
