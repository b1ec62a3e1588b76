//! The rows of passwords: what they must be like, and what their hashes cost.

use super::{DefaultValue::Text, Variable, row};

pub(super) const PASSWORDS: &[Variable] = &[
    row(
        "APP_PASSWORD_MIN_LENGTH",
        "8 to 64",
        Text("8"),
        "How many characters a new password must have. Very common passwords, and ones that contain the person's name or address, are refused whatever their length.",
        "15",
    ),
    row(
        "APP_PASSWORD_REQUIRE_UPPERCASE",
        "`true` or `false`",
        Text("false"),
        "Whether a new password must have an upper-case letter.",
        "true",
    ),
    row(
        "APP_PASSWORD_REQUIRE_LOWERCASE",
        "`true` or `false`",
        Text("false"),
        "Whether a new password must have a lower-case letter.",
        "true",
    ),
    row("APP_PASSWORD_REQUIRE_DIGIT", "`true` or `false`", Text("false"), "Whether a new password must have a digit.", "true"),
    row("APP_PASSWORD_REQUIRE_SYMBOL", "`true` or `false`", Text("false"), "Whether a new password must have a symbol.", "true"),
    row(
        "APP_ARGON2_MEMORY_KIB",
        "8 to 1048576, and at least 8 for each lane",
        Text("19456"),
        "The memory of one password hash (argon2id); each core keeps as much. A password whose hash has other costs is hashed again at the next sign-in.",
        "65536",
    ),
    row("APP_ARGON2_ITERATIONS", "1 to 16", Text("2"), "The number of passes of a password hash over its memory.", "3"),
];

pub(super) const LANES: &[Variable] =
    &[row("APP_ARGON2_PARALLELISM", "1 to 16", Text("1"), "The number of lanes of a password hash.", "4")];
