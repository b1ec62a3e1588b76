//! A row for each variable: the text of `docs/configuration.md`, and the defaults that the server uses. The rows of a topic are in the file of its name.

mod accounts;
mod assets;
mod delivery;
mod imports;
mod limits;
mod mail;
mod network;
mod oidc;
mod passkeys;
mod passwords;
mod server;
mod telemetry;
mod webhooks;

/// The value of a variable that is not set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// This text, parsed like any other value.
    Text(&'static str),
    /// A value that depends on others; the text describes it in the documentation.
    Depends(&'static str),
}

/// A variable.
#[derive(Debug, Clone, Copy)]
pub struct Variable {
    pub name: &'static str,
    /// The syntax of its value.
    pub form: &'static str,
    pub default: DefaultValue,
    /// Whether its value must not be shown. It may then also come from a file, named by the variable with the suffix `_FILE`.
    pub secret: bool,
    pub about: &'static str,
    /// An example of a value.
    pub example: &'static str,
}

const fn row(
    name: &'static str,
    form: &'static str,
    default: DefaultValue,
    about: &'static str,
    example: &'static str,
) -> Variable {
    Variable { name, form, default, secret: false, about, example }
}

const fn secret(
    name: &'static str,
    form: &'static str,
    default: DefaultValue,
    about: &'static str,
    example: &'static str,
) -> Variable {
    Variable { secret: true, ..row(name, form, default, about, example) }
}

/// The rows, in the order of the documentation. A topic that stands in several places there has a slice for each.
const PARTS: &[&[Variable]] = &[
    server::PROCESS,
    delivery::RELATIONS,
    server::ROOT,
    network::NETWORK,
    imports::IMPORTS,
    telemetry::TELEMETRY,
    accounts::SESSIONS,
    passwords::PASSWORDS,
    accounts::AUDIT_TRAIL,
    passwords::LANES,
    passkeys::PASSKEYS,
    oidc::CLIENTS,
    accounts::PROVISIONING,
    oidc::TOKENS,
    accounts::PEOPLE,
    delivery::DELIVERY,
    assets::ASSETS,
    limits::LIMITS,
    webhooks::WEBHOOKS,
    server::STOPPING,
    mail::MAIL,
];

/// Every variable.
pub const VARIABLES: &[Variable] = &ALL;

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports an index out of bounds")]
const COUNT: usize = {
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        count += PARTS[part].len();
        part += 1;
    }
    count
};

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports an index out of bounds")]
const ALL: [Variable; COUNT] = {
    let mut all = [PARTS[0][0]; COUNT];
    let (mut count, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut at = 0;
        while at < PARTS[part].len() {
            all[count] = PARTS[part][at];
            count += 1;
            at += 1;
        }
        part += 1;
    }
    all
};

/// The row of a variable.
pub fn find(name: &str) -> Option<&'static Variable> {
    VARIABLES.iter().find(|variable| variable.name == name)
}
