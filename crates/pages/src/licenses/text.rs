//! The texts of the page about licences. The licences themselves are in the language that they were written
//! in.

use crate::text::texts;

texts! {
    LicensesText;

    Title: "Licences", "Lizenzen";
    Lead: "What this server is made of, and under which terms. The texts of the licences are below, each of them once.", "Woraus dieser Server besteht, und unter welchen Bedingungen. Die Lizenztexte stehen darunter, jeder einmal.";
    Plain: "All of it as plain text", "Alles als einfacher Text";
    Name: "Name", "Name";
    Version: "Version", "Version";
    License: "Licence", "Lizenz";
    Texts: "Texts", "Texte";
    By: "by {authors}", "von {authors}";
    Text: "Text {number}", "Text {number}";
}
