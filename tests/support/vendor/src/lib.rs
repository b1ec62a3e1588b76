//! A stand-in for Storyblok's API over folders of JSON files, for tests: management and delivery API, asset
//! files, paging, rate limits, and faults on demand.
//!
//! ```text
//! let vendor = StandIn::start(Options { rate: Some(6), ..Options::of([folder]) }).await;      in the process of the test
//! vendor.control.fault(Fault::of("/stories/", What::Status { code: 500, retry_after: None }).each(10));
//! vendor.control.counters().admitted
//!
//! vendor-stand-in --rate 6 FOLDER …                                                           as a process of its own
//! curl -X PUT $URL/_control/faults -d '[{"path":"/stories/","each":10,"what":{"kind":"status","code":500}}]'
//! curl -X PUT $URL/_control/rate -d '6'      curl $URL/_control/counters      curl -X DELETE $URL/_control/faults
//! ```
//!
//! One management token reads all spaces; the delivery tokens of a space are those of its `api_keys.json`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::missing_panics_doc,
    reason = "a part of the tests fails as tests do"
)]

mod answer;
pub mod control;
mod delivery;
mod language;
mod management;
mod query;
mod server;
mod space;

pub use control::{Control, Counters, Fault, What};

use space::Space;
use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, sync::Arc};
use tokio::{net::TcpListener, task::JoinSet};

/// The default management token.
pub const TOKEN: &str = "vendor-personal-token";

/// The options of a stand-in.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folders of the spaces.
    pub folders: Vec<PathBuf>,
    /// The address to listen on; port 0 takes a free one.
    pub listen: SocketAddr,
    pub token: String,
    /// The number of requests per second and token; `None` for no limit.
    pub rate: Option<u32>,
    /// The origin of asset URLs: `self` for this server, `None` for the URLs in the files.
    pub assets: Option<String>,
}

impl Options {
    /// The defaults for these folders.
    pub fn of(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            folders: folders.into_iter().collect(),
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            token: TOKEN.to_owned(),
            rate: None,
            assets: None,
        }
    }
}

/// A running stand-in. It stops on drop.
pub struct StandIn {
    /// The address it listens on.
    pub address: SocketAddr,
    /// Limits, faults and counters.
    pub control: Arc<Control>,
    serving: JoinSet<()>,
}

/// The data that is served.
struct World {
    spaces: BTreeMap<i64, Arc<Space>>,
    token: String,
    control: Arc<Control>,
}

impl StandIn {
    /// Reads the folders and listens.
    pub async fn start(options: Options) -> Self {
        let listener = TcpListener::bind(options.listen).await.unwrap();
        let address = listener.local_addr().unwrap();
        let assets = options.assets.map(|asset| if asset == "self" { format!("http://{address}") } else { asset });
        let spaces = options.folders.iter().map(|folder| Arc::new(Space::read(folder, assets.as_deref())));
        let control = Arc::new(Control::new(options.rate));
        let spaces = spaces.map(|space| (space.id, space)).collect();
        let world = Arc::new(World { spaces, token: options.token, control: control.clone() });
        let mut serving = JoinSet::new();
        serving.spawn(server::serve(listener, world));
        Self { address, control, serving }
    }

    /// Its origin, for both APIs.
    pub fn origin(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Stops, after which another stand-in can listen on its address.
    pub async fn stop(mut self) {
        self.serving.shutdown().await;
    }

    /// Serves until the process ends.
    pub async fn run(mut self) {
        let _ = self.serving.join_next().await;
    }
}
