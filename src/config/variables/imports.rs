//! The rows of imports from Storyblok.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row,
};

pub(super) const IMPORTS: &[Variable] = &[
    row(
        "APP_VENDOR_MAPI_URL",
        "http or https URL without a path",
        Depends("that of Storyblok, by region"),
        "The origin of Storyblok's Management API for imports, without `/v1`: for a proxy, or for a test. It does not pass the guard.",
        "https://mapi.storyblok.com",
    ),
    row(
        "APP_VENDOR_CDN_URL",
        "http or https URL without a path",
        Depends("that of Storyblok, by region"),
        "The origin of Storyblok's Content Delivery API for imports, without `/v2`. It does not pass the guard.",
        "https://api.storyblok.com",
    ),
    row(
        "APP_IMPORT_MEMORY_MB",
        "16 to 1048576",
        Text("256"),
        "How much of its source one import may hold in memory, in megabytes: its lists, which take 0.7 KB for a story or folder, the records that are read, and the page that is made of them. An import that needs more fails (`importTooLarge`). What is written meanwhile takes up to twice as much again.",
        "1024",
    ),
];
