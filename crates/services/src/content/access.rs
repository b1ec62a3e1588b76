//! Who may do what in a space. Every command of a space is handed an [`Authorized`], which only this module
//! makes: so none can run for a space that was not authorised, nor with a role that does not suffice.
//!
//! ```text
//! token   -> find_bearer -> Authorized::by_token      session -> Authorized::by_membership
//! row of a schedule, an import, a delivery; the command line -> Authorized::for_…
//! router.execute(authorized, Publish { id }) -> command::execute: authorized.require(Publish::NEEDS) -> the transaction
//! ```

use domain::{
    content::{Right, Role, import::Import},
    shared::{Actor, Code, Fault, RequestOrigin, SpaceId, UserId},
};
use storage::{
    Executor, Store,
    content::{
        management_tokens::{self, Bearer},
        members,
        schedulings::Due,
    },
};

/// The proof that an actor may do something in a space.
#[derive(Debug, Clone)]
pub struct Authorized {
    space: SpaceId,
    role: Role,
    actor: Actor,
    person: Option<UserId>,
    intent: Intent,
    origin: RequestOrigin,
}

/// What a request is for. A browser sends the cookie of a session with every link that leads here, so a
/// request that was not checked to come from our own pages only reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Intent {
    /// It reads: no command runs for it.
    Read,
    /// It changes something.
    Change,
}

/// The valid token of a hash; 401 when there is none.
pub async fn find_bearer(store: &Store, hash: &[u8; 32]) -> Result<Bearer, Fault> {
    let connection = store.connection("token.find").await?;
    management_tokens::find_bearer(&connection, hash).await?.ok_or_else(Fault::unauthorized)
}

impl Authorized {
    /// What a management token may do in a space. 404 when it belongs to another space, so that spaces cannot
    /// be probed.
    pub fn by_token(bearer: &Bearer, space: SpaceId, origin: RequestOrigin) -> Result<Self, Fault> {
        if bearer.space != space {
            return Err(Fault::not_found());
        }
        let actor = Actor { kind: "token", id: bearer.id.to_string(), label: bearer.name.clone() };
        Ok(Self { space, role: bearer.role, actor, person: bearer.created_by, intent: Intent::Change, origin })
    }

    /// What a signed-in person may do, by the role that they have in the space. 404 for one who is no member.
    /// `intent` is what the request was checked for.
    pub async fn by_membership(
        executor: &impl Executor,
        user: UserId,
        space: SpaceId,
        intent: Intent,
        origin: RequestOrigin,
    ) -> Result<Self, Fault> {
        let role = members::find_role(executor, space, user).await?.ok_or_else(Fault::not_found)?;
        Ok(Self { space, role, actor: person(user), person: Some(user), intent, origin })
    }

    /// For a scheduled action that is due. Its row was written by an authorised command.
    pub fn for_schedule(due: &Due) -> Self {
        Self::system(due.space, Role::Editor, "scheduler")
    }

    /// For writing the records of an import, on behalf of its starter.
    pub fn for_import(import: &Import) -> Self {
        Self { actor: import.by.clone(), ..Self::for_job_of_import(import.space) }
    }

    /// For ending an import that was authorised when it started.
    pub fn for_job_of_import(space: SpaceId) -> Self {
        Self::system(space, Role::Admin, "import")
    }

    /// For deliveries of the webhooks of a space.
    pub fn for_deliveries(space: SpaceId) -> Self {
        Self::system(space, Role::Admin, "webhooks")
    }

    /// For the command line, whose user may do anything.
    pub fn for_command_line(space: SpaceId) -> Self {
        Self { actor: command_line(), ..Self::system(space, Role::Admin, "") }
    }

    fn system(space: SpaceId, role: Role, part: &str) -> Self {
        let actor = Actor::system(part);
        Self { space, role, actor, person: None, intent: Intent::Change, origin: RequestOrigin::default() }
    }

    /// Where it may be done.
    pub fn space(&self) -> SpaceId {
        self.space
    }

    /// On whose behalf it is done, as the audit log names it.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// The person who does it, or for whom a token does it; `None` when there is none.
    pub fn person(&self) -> Option<UserId> {
        self.person
    }

    /// The request that asked for it.
    pub fn origin(&self) -> RequestOrigin {
        self.origin
    }

    /// Whether the role has the right.
    pub fn may(&self, right: Right) -> bool {
        self.role.may(right)
    }

    /// 403 unless the role has the right.
    pub fn require(&self, right: Right) -> Result<(), Fault> {
        if self.may(right) { Ok(()) } else { Err(Fault::forbidden(format!("The role {} may not do this", self.role.into_str()))) }
    }

    /// 403 unless it is for a change, and the role has the right.
    pub(super) fn require_change(&self, right: Right) -> Result<(), Fault> {
        match self.intent {
            Intent::Read => Err(Fault::of(Code::CsrfInvalid)),
            Intent::Change => self.require(right),
        }
    }
}

/// A signed-in person as the audit log names them: by their number, never by their address.
pub fn person(user: UserId) -> Actor {
    Actor { kind: "user", id: user.to_string(), label: "member".to_owned() }
}

/// The command line as the audit log names it.
pub fn command_line() -> Actor {
    Actor::system("command line")
}
