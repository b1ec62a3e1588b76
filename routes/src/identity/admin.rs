//! `/api/admin…`: what administrators see and do.

mod actors;
pub(crate) mod audit_logs;
mod blocks;
mod clients;
mod config;
pub(crate) mod email;
mod keys;
mod queues;
mod spaces;
mod stats;
pub(crate) mod tokens;
mod users;

pub use config::ConfigVariable;

use super::Identity;
use crate::web::{ByAdministrator, Endpoints, ErrorFormat, endpoint::without_body, proved};
use users::{access, roles};

/// The endpoints below `/api/admin`. Acts on a person and on keys need a recent proof, as they do in the
/// console.
pub(super) fn endpoints(identity: &Identity) -> Endpoints<Identity> {
    let proved = || proved(ByAdministrator);
    Endpoints::new(identity, ErrorFormat::Identity)
        .get("/api/admin/stats", ByAdministrator, stats::stats)
        .get("/api/admin/users", ByAdministrator, users::list)
        .post("/api/admin/users", ByAdministrator, users::create)
        .get("/api/admin/users/{id}", ByAdministrator, users::read)
        .patch("/api/admin/users/{id}", ByAdministrator, users::update)
        .delete("/api/admin/users/{id}", proved(), without_body(users::delete))
        .get_that_writes("/api/admin/users/{id}/export", proved(), users::export)
        .post("/api/admin/users/{id}/suspend", proved(), without_body(access::suspend))
        .post("/api/admin/users/{id}/unsuspend", proved(), without_body(access::unsuspend))
        .post("/api/admin/users/{id}/reset-two-factor", proved(), without_body(access::reset_factors))
        .post("/api/admin/users/{id}/force-logout", proved(), access::force_logout)
        .post("/api/admin/users/{id}/invite-link", proved(), without_body(access::invite_link))
        .post("/api/admin/users/{id}/reset-link", proved(), without_body(access::reset_link))
        .get("/api/admin/users/{id}/roles", ByAdministrator, roles::list)
        .put("/api/admin/users/{id}/roles", ByAdministrator, roles::replace)
        .post("/api/admin/roles/rekey", proved(), roles::rekey)
        .get("/api/admin/spaces", ByAdministrator, spaces::list)
        .put("/api/admin/spaces/{space}/owner", ByAdministrator, spaces::set_owner)
        .post("/api/admin/spaces/{space}/undelete", ByAdministrator, without_body(spaces::undelete))
        .get("/api/admin/tokens", ByAdministrator, tokens::list)
        .delete("/api/admin/tokens/{kind}/{id}", proved(), without_body(tokens::revoke))
        .get("/api/admin/clients", ByAdministrator, clients::list)
        .get_that_writes("/api/admin/clients/{clientId}/secret", proved(), clients::secret)
        .get("/api/admin/audit-logs", ByAdministrator, audit_logs::list)
        .post("/api/admin/audit-logs/anonymize-orphans", proved(), without_body(audit_logs::anonymize_orphans))
        .get("/api/admin/config", ByAdministrator, config::read)
        .get("/api/admin/email/status", ByAdministrator, email::status::status)
        .get("/api/admin/email/preview", ByAdministrator, email::preview::preview)
        .post("/api/admin/email/test", ByAdministrator, email::test::send)
        .get("/api/admin/email/queue", ByAdministrator, email::queue::list)
        .post("/api/admin/email/queue/retry", ByAdministrator, without_body(email::queue::retry_all))
        .post("/api/admin/email/queue/{id}/retry", ByAdministrator, without_body(email::queue::retry))
        .get("/api/admin/actors", ByAdministrator, actors::list)
        .get("/api/admin/blocks", ByAdministrator, blocks::list)
        .delete("/api/admin/blocks/{id}", ByAdministrator, without_body(blocks::lift))
        .get("/api/admin/queues", ByAdministrator, queues::list)
        .get("/api/admin/queues/{name}/dead", ByAdministrator, queues::dead)
        .post("/api/admin/queues/{name}/retry", ByAdministrator, without_body(queues::retry_queue))
        .post("/api/admin/queues/{name}/{id}/retry", ByAdministrator, without_body(queues::retry))
        .get("/api/admin/keys", ByAdministrator, keys::list)
        .post("/api/admin/keys/rotate", proved(), keys::rotate)
        .post("/api/admin/force-logout-all", proved(), access::force_logout_all)
}
