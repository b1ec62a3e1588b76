//! What both services need: identifiers, failures, time, randomness, deliveries, and the parsing of requests.

pub mod actor;
pub mod backoff;
pub mod clock;
pub mod csv;
pub mod delivery;
pub mod email;
pub mod entropy;
pub mod fault;
pub mod id;
pub mod json;
pub mod language;
pub mod listed_space;
pub mod listed_token;
pub mod member_space;
pub mod network;
pub mod normal_form;
pub mod origin;
pub mod page;
pub mod parameters;
pub mod person;
pub mod precondition;
pub mod proof;
pub mod rate;
pub mod repetition;
pub mod role;
pub mod space_invitation;
pub mod timestamp;
pub mod trace_parent;

pub use actor::{Actor, Authorship, RequestOrigin};
pub use backoff::Backoff;
pub use clock::{Clock, SharedClock};
pub use delivery::DeliveryId;
pub use email::Email;
pub use entropy::{Entropy, SharedEntropy};
pub use fault::{BlockDetail, Challenge, Code, Detail, Fault, FieldCode, Kind, Reader, Severity};
pub use id::{
    AssetFolderId, AssetId, ComponentId, DatasourceId, DimensionId, EntryId, GroupId, ImportId, InternalTagId, JobId, MailId,
    MemberId, NumericId, PasskeyId, PresetId, ReceiverId, SchedulingId, SessionId, SpaceId, StoryId, TokenId, UserId, WebhookId,
};
pub use language::Language;
pub use listed_space::{ListedSpace, SpaceFilter};
pub use listed_token::{ListedToken, TokenFilter, TokenKind};
pub use member_space::MemberSpace;
pub use network::Network;
pub use page::{Page, PageRequest};
pub use parameters::Parameters;
pub use person::{Author, Person};
pub use precondition::Precondition;
pub use proof::{ProofMethods, ProofRule};
pub use rate::Rate;
pub use repetition::Repetition;
pub use role::Role;
pub use space_invitation::SpaceInvitation;
pub use trace_parent::TraceParent;
