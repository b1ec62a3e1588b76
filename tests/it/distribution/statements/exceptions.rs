//! Statements that break a rule today, by their file and function in the storage crate, with what would have
//! to be done instead.

use super::super::{
    Exception, except,
    query::{INSERTS, JOINS, LOCKS, SPACE, SUBQUERIES},
};

/// Sweeps and workers serve all spaces at once.
const OF_ALL: &str = "looks for work in all spaces; distributed, every node would be asked for its own, and the work done with the space that it names";
/// A token is what says which space a request is about.
const BY_TOKEN: &str =
    "the space is known by the token only; distributed, the token would be read first, and its space with `$n` then";
/// People and the server's administrators are no part of a space.
const OF_PERSON: &str = "lists spaces by their owner, or all of them; distributed, every node would be asked";
const WITH_PEOPLE: &str = "shows names of accounts; distributed, those would be read in a second statement";
const OF_SUSPENDED: &str = "a token stops while its person is suspended; distributed, the token would name that, and a suspension would write it to each node";
const WITH_RECEIVERS: &str =
    "a webhook has its address and state in `receivers`; distributed, those would be read and written in a second statement";
const WITH_JOBS: &str =
    "finds imports without a job, and jobs are on the coordinator; distributed, each would be asked for in a second statement";
const ROW_WITH_TAGS: &str =
    "answers with the names of the row's tags, presets or both; distributed, the row would be written below WITH and read on top";
const IN_ONE: &str =
    "rows of one space that belong together are written in one round trip; distributed, these would be several in one transaction";

pub(in super::super) const EXCEPTIONS: &[Exception] = &[
    except(JOINS, "content/activities.rs find", WITH_PEOPLE),
    except(JOINS, "content/activities.rs list", WITH_PEOPLE),
    except(JOINS, "content/audit_log.rs list", WITH_PEOPLE),
    except(SPACE, "content/assets.rs without_row", OF_ALL),
    except(SUBQUERIES, "content/assets/write.rs change_tags", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/assets/write.rs insert", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/assets/write.rs move_to_folder", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/assets/write.rs rename", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/assets/write.rs replace", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/assets/write.rs set_all_deleted", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/assets/write.rs set_deleted", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/assets/write.rs update", ROW_WITH_TAGS),
    except(JOINS, "content/component_versions.rs list", WITH_PEOPLE),
    except(INSERTS, "content/component_versions.rs restore_deleted", IN_ONE),
    except(SUBQUERIES, "content/component_versions.rs restore_version", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/components.rs insert", ROW_WITH_TAGS),
    except(SUBQUERIES, "content/components.rs update", ROW_WITH_TAGS),
    except(SPACE, "content/delivery/read_access.rs find", BY_TOKEN),
    except(SPACE, "content/fan_out.rs list_lagging", OF_ALL),
    except(LOCKS, "content/image_results.rs evict", OF_ALL),
    except(SPACE, "content/image_results.rs evict", OF_ALL),
    except(LOCKS, "content/image_results.rs remove_stale", OF_ALL),
    except(SPACE, "content/image_results.rs remove_stale", OF_ALL),
    except(JOINS, "content/imports/jobs.rs list_abandoned", WITH_JOBS),
    except(SPACE, "content/imports/jobs.rs list_abandoned", OF_ALL),
    except(INSERTS, "content/imports/stories/insert.rs insert_rows", IN_ONE),
    except(SPACE, "content/maintenance.rs find_deleted_space", OF_ALL),
    except(LOCKS, "content/maintenance.rs remove_deleted_components", OF_ALL),
    except(SPACE, "content/maintenance.rs remove_deleted_components", OF_ALL),
    except(SPACE, "content/maintenance.rs remove_old_events", OF_ALL),
    except(JOINS, "content/maintenance.rs remove_webhooks", WITH_RECEIVERS),
    except(JOINS, "content/management_tokens.rs find_bearer", OF_SUSPENDED),
    except(SPACE, "content/management_tokens.rs find_bearer", BY_TOKEN),
    except(JOINS, "content/management_tokens.rs is_valid", OF_SUSPENDED),
    except(SPACE, "content/schedulings.rs list_due", OF_ALL),
    except(SPACE, "content/schedulings.rs next_due", OF_ALL),
    except(
        INSERTS,
        "content/spaces.rs insert",
        "a space and its counters begin together; distributed, the number of a space would be drawn first",
    ),
    except(SPACE, "content/spaces.rs insert", "the database gives a space its number; distributed, it would be drawn first"),
    except(SPACE, "content/spaces.rs list_of", OF_PERSON),
    except(INSERTS, "content/stories/editions.rs publish", IN_ONE),
    except(JOINS, "content/stories/versions.rs find", WITH_PEOPLE),
    except(JOINS, "content/stories/versions.rs find_numbered", WITH_PEOPLE),
    except(JOINS, "content/stories/versions.rs list", WITH_PEOPLE),
    except(JOINS, "content/webhooks.rs find", WITH_RECEIVERS),
    except(JOINS, "content/webhooks.rs list", WITH_RECEIVERS),
    except(JOINS, "content/webhooks.rs find_owner", WITH_RECEIVERS),
    except(
        SPACE,
        "content/webhooks.rs find_owner",
        "the space of a receiver is known by its webhook only; distributed, a receiver would name it",
    ),
    except(LOCKS, "expiry.rs delete_batch", OF_ALL),
    except(SPACE, "expiry.rs delete_batch", OF_ALL),
    except(JOINS, "shared/listed_spaces.rs find", WITH_PEOPLE),
    except(SPACE, "shared/listed_spaces.rs find", OF_PERSON),
    except(JOINS, "shared/listed_spaces.rs list", WITH_PEOPLE),
    except(SPACE, "shared/listed_spaces.rs list", OF_PERSON),
    except(JOINS, "shared/listed_tokens.rs find", WITH_PEOPLE),
    except(SPACE, "shared/listed_tokens.rs find", OF_PERSON),
    except(JOINS, "shared/listed_tokens.rs list", WITH_PEOPLE),
    except(SPACE, "shared/listed_tokens.rs list", OF_PERSON),
    except(JOINS, "shared/listed_tokens.rs newest_of", WITH_PEOPLE),
    except(SPACE, "shared/listed_tokens.rs newest_of", OF_PERSON),
    except(SPACE, "shared/member_spaces.rs has_any", OF_PERSON),
    except(SPACE, "shared/member_spaces.rs list", OF_PERSON),
    except(SPACE, "shared/owned_spaces.rs count_orphaned", OF_PERSON),
    except(SPACE, "shared/owned_spaces.rs list", OF_PERSON),
    except(JOINS, "shared/people.rs find_owner", WITH_PEOPLE),
    except(SPACE, "shared/queues/figures.rs count_schedules", OF_ALL),
    except(SPACE, "shared/space_invitations.rs find", BY_TOKEN),
];
