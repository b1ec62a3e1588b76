//! The texts around the documents, which are English themselves.

use crate::text::texts;

texts! {
    DocsText;

    Documents: "Documentation", "Dokumentation";
    OnThisPage: "On this page", "Auf dieser Seite";
}
