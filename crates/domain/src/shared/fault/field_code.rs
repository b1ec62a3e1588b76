//! The codes of what is wrong with one field.

use std::fmt;

macro_rules! field_codes {
    ($($variant:ident = $name:literal,)*) => {
        /// The machine-readable code of what is wrong with a field.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum FieldCode { $(#[doc = concat!("`", $name, "`")] $variant,)* }

        impl FieldCode {
            /// Every code.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Its name in answers.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

field_codes! {
    AlreadyMember = "alreadyMember",
    AttemptsLeft = "attemptsLeft",
    Blank = "blank",
    BlockedTarget = "blocked_target",
    Client = "client",
    Common = "common",
    Cycle = "cycle",
    Default = "default",
    DefaultNotPublished = "defaultNotPublished",
    DigitRequired = "digitRequired",
    DuplicateRole = "duplicateRole",
    Excluded = "excluded",
    Fixed = "fixed",
    Folder = "folder",
    Future = "future",
    Invalid = "invalid",
    InvalidCharacters = "invalidCharacters",
    Late = "late",
    LocalPartNotAscii = "localPartNotAscii",
    LowercaseRequired = "lowercaseRequired",
    Missing = "missing",
    NotAFolder = "notAFolder",
    NotDeleted = "notDeleted",
    NotEditable = "notEditable",
    NotPublished = "notPublished",
    NotRegistered = "notRegistered",
    NotSupported = "notSupported",
    OtherComponent = "otherComponent",
    Over = "over",
    Passkey = "passkey",
    Password = "password",
    Past = "past",
    Personal = "personal",
    Present = "present",
    Repeated = "repeated",
    Reserved = "reserved",
    SymbolRequired = "symbolRequired",
    Taken = "taken",
    TooDeep = "tooDeep",
    TooEarly = "tooEarly",
    TooLong = "tooLong",
    TooMany = "tooMany",
    TooManyRoles = "tooManyRoles",
    TooShort = "tooShort",
    Unavailable = "unavailable",
    Unchanged = "unchanged",
    Unknown = "unknown",
    UnknownClient = "unknownClient",
    UnknownField = "unknownField",
    UnknownPerson = "unknownPerson",
    UnknownRole = "unknownRole",
    UnknownRoleGroup = "unknownRoleGroup",
    Unsupported = "unsupported",
    UppercaseRequired = "uppercaseRequired",
    Wrong = "wrong",
    WrongType = "wrongType",
}

impl fmt::Display for FieldCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
