//! What people see: server-rendered pages to sign in with, as functions from a view model to HTML, their
//! texts in English and German, their style sheet and their script. No I/O and no decisions: the handlers in
//! `routes::pages` call the use cases, fill the models and send the bytes.
//!
//! Each page works without JavaScript, apart from passkeys, and under a Content-Security-Policy that allows
//! no inline script and no inline style.

pub mod account;
pub mod api;
pub mod console;
pub mod device;
pub mod docs;
pub mod error;
pub mod fault_text;
pub mod field;
pub mod files;
pub mod form_post;
pub mod frame;
pub mod interaction;
pub mod join;
pub mod licenses;
pub mod mailed_link;
mod misdirected;
pub mod own_path;
pub mod problem;
pub mod registration;
pub mod second_factor;
pub mod sign_in;
pub mod sign_out;
pub mod studio;
pub mod text;

pub use frame::{Frame, Person, Site};
pub use own_path::OwnPath;
pub use problem::Problems;
pub use text::{Text, Words};
