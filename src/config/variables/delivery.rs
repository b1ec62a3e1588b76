//! The rows of the Delivery API, and of the memory for responses.

use super::{
    DefaultValue::{Depends, Text},
    Variable, row,
};

pub(super) const RELATIONS: &[Variable] = &[row(
    "APP_RESOLVE_LIMIT",
    "1 to 1000",
    Text("50"),
    "How many relations, or linked stories, one response of the Delivery API resolves. Above that it names their UUIDs, and clients fetch them.",
    "500",
)];

pub(super) const DELIVERY: &[Variable] = &[
    row(
        "APP_DELIVERY_CACHE_MB",
        "0 to 1048576",
        Text("64"),
        "The size of the cache of the Delivery API in megabytes. With 0 each read queries the database.",
        "512",
    ),
    row(
        "APP_DELIVERY_LIST_KEYS_MB",
        "0 to 65536",
        Text("16"),
        "How many megabytes of keys of lists are kept: with them, the second page of a list of the Delivery API and every further one costs the look-up of its own stories. A list takes 8 bytes for each story that matches. Spaces whose stories would take more than a quarter of it do without, and so does every space with 0.",
        "64",
    ),
    row(
        "APP_DELIVERY_AT_ONCE",
        "1 to 1000",
        Depends("4 for each core"),
        "How many responses of the Delivery API that are not in the cache are rendered at a time. Others wait, at most 2 seconds. More help when the database is far away. A quarter of the connections of `APP_DB_POOL_SIZE`, two at least, is kept free of them, and one space has at most half of them.",
        "12",
    ),
    row(
        "APP_DELIVERY_STATEMENT_TIMEOUT",
        "1 to 30 seconds",
        Text("2"),
        "How long PostgreSQL may work on a response of the Delivery API. A query that takes longer, or would by an estimate, is refused with 422. The map of all links of a space may take five times as long.",
        "5",
    ),
    row(
        "APP_RESPONSE_MEMORY_MB",
        "1 to 1048576",
        Text("256"),
        "How many megabytes of responses may be under way to clients beside the cache of the Delivery API. At that size a further one takes the memory of one that its client does not read, of the address that has the most, or waits 2 seconds and is refused with 503. Responses from the cache need none of it.",
        "1024",
    ),
    row(
        "APP_RESPONSE_MAX_MB",
        "1 to 1024",
        Text("64"),
        "How large a response of the content service may be, in megabytes, and what is read from the database for it. A larger one is refused with 422. The map of all links of 100,000 stories has 40 MB.",
        "128",
    ),
];
