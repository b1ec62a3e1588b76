//! The measurements of `scripts/bench*.sh`: one kind of request over many connections, to tell what it costs
//! the server.

mod drain;
mod exchanges;
mod expensive;
mod links;
mod mirror;
mod report;
mod silent;

use super::{
    drive::{Phases, Stage, drive},
    people::Person,
    scenarios::{logins::Visitor, publish_read::Publisher},
    site::{Space, story},
    user::{Group, Pace, TimedClient, TurnFuture, User},
};
use crate::{
    args::{Args, Scenario},
    client::{Client, Target, encode, get},
};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use exchanges::Asker;
use http::{Method, Request};
use http_body_util::Full;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use report::Report;
use serde_json::json;
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// The characters that are encoded in a path; slashes are not.
const PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`').add(b'{').add(b'}');

/// Runs a measurement and prints its report. Returns whether any request failed.
pub(crate) async fn measure(args: &Args) -> Result<bool> {
    let target = Target::parse(&args.url)?;
    target.guard(args.allow_remote).await?;
    match args.scenario {
        Scenario::Drain => return drain::drain(args, target).await,
        Scenario::Expensive => return expensive::measure(args, target).await,
        Scenario::Silent => return silent::silent(args, target).await,
        _ => {}
    }
    if let Some(address) = args.mirror {
        mirror::serve(address, target.clone(), first_request(args, &target).await?, args.mirror_on_one_thread).await?;
        return Ok(false);
    }
    let report = run(args, target).await?;
    if args.json {
        println!("{}", report.to_json());
    } else {
        println!("{report}");
    }
    Ok(report.has_failures())
}

async fn run(args: &Args, target: Target) -> Result<Report> {
    let users = Box::pin(users(args, &target)).await?;
    let mut stage = Stage { turns: Some("turn"), ..Stage::unseen(target) };
    stage.probe.watch(&args.pids, args.children)?;
    let pace = args.rate.map_or(Pace::Closed(Duration::ZERO), |rate| Pace::Open(rate.into()));
    let before = stage.probe.sample().await.cpu_seconds;
    drive(&mut stage, vec![Group { pace, users }], &phase("steady", args.duration(), args.requests)).await?;
    let cpu = stage.probe.sample().await.cpu_seconds.zip(before).map(|(after, before)| after - before);
    let turns = stage.recorder.operations().into_iter().next();
    Ok(Report::new(args, turns.as_ref(), stage.recorder.seconds().iter().map(|second| second.lasted).sum(), cpu))
}

/// One phase, without a ramp.
fn phase(name: &'static str, length: Duration, turns: Option<u64>) -> Phases {
    Phases { ramp: ("ramp", Duration::ZERO), steady: (name, length), turns: turns.unwrap_or(u64::MAX) }
}

/// One user for each connection, who has done what comes before the first measured request, such as signing
/// in.
async fn users(args: &Args, target: &Target) -> Result<Vec<Box<dyn User>>> {
    let mut client = Client::new(target.clone());
    let mut users: Vec<Box<dyn User>> = Vec::new();
    let turn = Arc::new(AtomicUsize::new(0));
    match args.scenario {
        Scenario::Login => {
            let people: Arc<[Person]> = Person::register(target, args.accounts).await?.into();
            users.extend((0..args.connections).map(|number| -> Box<dyn User> { Box::new(Visitor::new(&people, number)) }));
        }
        Scenario::Oidc => {
            let asker = Asker::new(args, target).await?;
            for _ in 0..args.connections {
                users.push(match &asker {
                    Some(asker) => Box::new(asker.clone()),
                    None => exchanges::flow(args, target).await?,
                });
            }
        }
        Scenario::Write => {
            let space = space_of(args, 0)?;
            let mut folders = Vec::new();
            for number in 0..args.folders {
                // Each run writes into folders of its own, named after the process, so that they can be
                // deleted afterwards.
                let slug = format!("load-{}-{number}", std::process::id());
                let folder = json!({ "name": slug, "slug": slug, "is_folder": true });
                folders.push(space.write(&mut client, &folder, false).await?.id);
            }
            let folders: Arc<[i64]> = folders.into();
            for number in 0..args.connections {
                users.push(Box::new(Writer { space: space_of(args, number)?, folders: folders.clone(), turn: turn.clone() }));
            }
        }
        Scenario::Fresh => {
            for number in 0..args.connections {
                let space = space_of(args, number)?;
                let slug = format!("fresh-{}-{number}", std::process::id());
                let draft = json!({ "name": slug, "slug": slug, "content": { "component": "page" } });
                let own = space.write(&mut client, &draft, false).await?;
                users.push(Box::new(Publisher::new(space, own)));
            }
        }
        _ => {
            let paths: Arc<[String]> = paths(args, &mut client).await?.into();
            for number in 0..args.connections {
                let token = pick(&args.tokens, number as usize).context("no token")?;
                users.push(Box::new(Reader { paths: paths.clone(), token: encode(token).to_string(), turn: turn.clone() }));
            }
        }
    }
    Ok(users)
}

/// What `--mirror` asks for once.
async fn first_request(args: &Args, target: &Target) -> Result<Request<Full<Bytes>>> {
    if args.scenario == Scenario::Oidc {
        return Asker::new(args, target).await?.context("a flow is more than one request")?.request();
    }
    let paths = paths(args, &mut Client::new(target.clone())).await?;
    let token = encode(args.tokens.first().context("no token")?).to_string();
    get(&format!("{}&token={token}", paths.first().context("nothing to ask for")?))
}

/// The space that the connection with this number writes to, with its token.
fn space_of(args: &Args, connection: u32) -> Result<Space> {
    let token = pick(&args.tokens, connection as usize).context("no token")?;
    let id = args.space.context("--space is missing")?;
    Ok(Space {
        id: i64::try_from(id)?,
        public: args.reader.clone().unwrap_or_default(),
        preview: String::new(),
        admin: token.clone(),
    })
}

/// The paths that are read, one after the other. The token is added.
async fn paths(args: &Args, client: &mut Client) -> Result<Vec<String>> {
    let token = args.tokens.first().context("no token")?;
    let version = if args.draft { "draft" } else { "published" };
    let paths: Vec<String> = match args.scenario {
        Scenario::Single => {
            let stories = links::fetch(client, token, version, args.prefix.as_deref()).await?.stories;
            let path = |slug: String| format!("/api/v2/cdn/stories/{}?version={version}", utf8_percent_encode(&slug, PATH));
            stories.into_iter().map(path).collect()
        }
        Scenario::List => {
            let prefixes = match &args.prefix {
                Some(prefix) => vec![prefix.clone()],
                None => links::fetch(client, token, version, None).await?.folders(),
            };
            let path =
                |prefix: String| format!("/api/v2/cdn/stories?version={version}&per_page=25&starts_with={}", encode(&prefix));
            prefixes.into_iter().map(path).collect()
        }
        _ => {
            let file = args.paths.as_deref().context("--paths is missing")?;
            let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
            let joint = |line: &str| if line.contains('?') { '&' } else { '?' };
            text.lines().map(|line| format!("{line}{}version={version}", joint(line))).collect()
        }
    };
    ensure!(!paths.is_empty(), "there is nothing {version} to ask for");
    Ok(paths)
}

/// One of the items, by turns.
fn pick<T>(items: &[T], turn: usize) -> Option<&T> {
    items.get(turn.checked_rem(items.len())?)
}

/// Reads the paths, which the connections share out.
struct Reader {
    paths: Arc<[String]>,
    token: String,
    turn: Arc<AtomicUsize>,
}

impl User for Reader {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let path = pick(&self.paths, self.turn.fetch_add(1, Ordering::Relaxed)).context("nothing to ask for")?;
            client.send("read", get(&format!("{path}&token={}", self.token))?).await;
            Ok(())
        })
    }
}

/// Publishes new stories, in the folders by turns.
struct Writer {
    space: Space,
    folders: Arc<[i64]>,
    turn: Arc<AtomicUsize>,
}

impl User for Writer {
    fn turn<'a>(&'a mut self, client: &'a mut TimedClient) -> TurnFuture<'a> {
        Box::pin(async move {
            let number = self.turn.fetch_add(1, Ordering::Relaxed);
            let folder = pick(&self.folders, number).context("nowhere to write to")?;
            let story = story(&format!("story-{number}"), u32::try_from(number)?, *folder);
            let body = json!({ "story": story, "publish": 1 });
            client.send("write", self.space.manage(Method::POST, "/stories", &body)?).await;
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests;
