//! What most tests use: `use support::prelude::*`.

pub use crate::{
    Answer, Database, MailBox, PASSWORD, PATIENCE, Person, Response, Says, Scratch, Setup, SoftKey, TestApp, browser,
    data_directory, give_passwords_up,
    owned_space::OwnedSpace,
    receiver::{Reaction, Receiver},
    scratch,
    server::Server,
    space_fixture::{Caller, SpaceFixture},
    time::StoppedTimers,
    tools,
};
pub use domain::shared::Clock;
pub use futures_util::future::join_all;
pub use jiff::{SignedDuration, Timestamp};
pub use nix::sys::signal::Signal;
pub use reqwest::Method;
pub use secrecy::ExposeSecret;
pub use serde_json::{Value, json};
pub use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};
pub use storage::{Executor, Store};
pub use tokio::{task::JoinSet, time::timeout};
pub use uuid::Uuid;
