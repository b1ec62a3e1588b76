//! The codes of what is wrong with one field.

use serde::{Serialize, Serializer};
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
    BadPattern = "badPattern",
    Blank = "blank",
    BlockedTarget = "blocked_target",
    Client = "client",
    Common = "common",
    ComponentNotAllowed = "componentNotAllowed",
    Cycle = "cycle",
    Default = "default",
    DefaultNotPublished = "defaultNotPublished",
    DigitRequired = "digitRequired",
    DuplicateRole = "duplicateRole",
    Excluded = "excluded",
    ExternalUrlNotAllowed = "externalUrlNotAllowed",
    FileTypeNotAllowed = "fileTypeNotAllowed",
    Fixed = "fixed",
    Folder = "folder",
    Future = "future",
    Invalid = "invalid",
    InvalidCharacters = "invalidCharacters",
    Late = "late",
    LinkTypeNotAllowed = "linkTypeNotAllowed",
    LocalPartNotAscii = "localPartNotAscii",
    LowercaseRequired = "lowercaseRequired",
    Missing = "missing",
    NotAFolder = "notAFolder",
    NotAMultiple = "notAMultiple",
    NotANumber = "notANumber",
    NotDeleted = "notDeleted",
    NotEditable = "notEditable",
    NotPublished = "notPublished",
    NotRegistered = "notRegistered",
    NotSupported = "notSupported",
    OtherComponent = "otherComponent",
    OutsideFolder = "outsideFolder",
    Over = "over",
    Passkey = "passkey",
    Password = "password",
    Past = "past",
    PatternMismatch = "patternMismatch",
    PatternUndecided = "patternUndecided",
    Personal = "personal",
    Present = "present",
    Repeated = "repeated",
    Reserved = "reserved",
    StoryTypeNotAllowed = "storyTypeNotAllowed",
    SymbolRequired = "symbolRequired",
    Taken = "taken",
    TimeNotAllowed = "timeNotAllowed",
    TimedOut = "timedOut",
    TooDeep = "tooDeep",
    TooEarly = "tooEarly",
    TooFew = "tooFew",
    TooLarge = "tooLarge",
    TooLong = "tooLong",
    TooMany = "tooMany",
    TooManyRoles = "tooManyRoles",
    TooPrecise = "tooPrecise",
    TooShort = "tooShort",
    TooSmall = "tooSmall",
    Unavailable = "unavailable",
    Unchanged = "unchanged",
    Unknown = "unknown",
    UnknownClient = "unknownClient",
    UnknownComponent = "unknownComponent",
    UnknownCondition = "unknownCondition",
    UnknownField = "unknownField",
    UnknownOption = "unknownOption",
    UnknownPerson = "unknownPerson",
    UnknownRole = "unknownRole",
    UnknownRoleGroup = "unknownRoleGroup",
    UnknownStory = "unknownStory",
    Unsupported = "unsupported",
    UppercaseRequired = "uppercaseRequired",
    Wrong = "wrong",
    WrongType = "wrongType",
}

impl Serialize for FieldCode {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

impl fmt::Display for FieldCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
