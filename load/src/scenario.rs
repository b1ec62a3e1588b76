//! The requests of each scenario.

pub(crate) mod links;
pub(crate) mod logins;
pub(crate) mod oidc;
mod rounds;

use crate::{
    args::{Args, Scenario},
    client::{Client, Failure, Target},
};
use anyhow::{Context, Result, bail, ensure};
use bytes::Bytes;
use http::{Method, Request, StatusCode, header};
use http_body_util::Full;
use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use rounds::Rounds;
use serde_json::{Value, json};

/// The characters that are encoded in a path; slashes are not.
const PATH: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'%').add(b'<').add(b'>').add(b'?').add(b'`').add(b'{').add(b'}');
/// The size of the content of a written story, in bytes.
const STORY_SIZE: usize = 4_000;
/// The number of categories of written stories.
const CATEGORIES: u64 = 100;

/// Everything that the run builds its requests from.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) target: Target,
    /// The tokens, which the connections share out.
    tokens: Vec<String>,
    work: Work,
}

#[derive(Debug, Clone)]
enum Work {
    /// These paths with their queries, one after the other. The token is added.
    Read(Vec<String>),
    /// New stories, in these folders by turns.
    Write { path: String, folders: Vec<Value>, text: String },
    /// Stories that are published repeatedly.
    Fresh { path: String, reader: String },
    /// Sign-ins of these accounts by turns.
    Login(Vec<logins::Person>),
    /// Requests to the OpenID provider.
    Oidc(oidc::Party),
}

/// Where stories are written.
fn stories(args: &Args) -> Result<String> {
    Ok(format!("/api/v1/spaces/{}/stories", args.space.context("--space is missing")?))
}

/// Reads from the server what can be requested.
pub(crate) async fn prepare(args: &Args) -> Result<Plan> {
    let target = Target::parse(&args.url)?;
    if args.scenario == Scenario::Login {
        let people = logins::register(&target, args.accounts).await?;
        return Ok(Plan { target, tokens: Vec::new(), work: Work::Login(people) });
    }
    if args.scenario == Scenario::Oidc {
        let party = oidc::Party::prepare(&target, args).await?;
        return Ok(Plan { target, tokens: Vec::new(), work: Work::Oidc(party) });
    }
    let token = args.tokens.first().context("no token")?;
    let mut client = Client::new(target.clone());
    let version = if args.draft { "draft" } else { "published" };
    let work = match args.scenario {
        Scenario::Single => {
            let stories = links::fetch(&mut client, token, version, args.prefix.as_deref()).await?.stories;
            ensure!(!stories.is_empty(), "there is no {version} story to ask for");
            let path = |slug: String| format!("/api/v2/cdn/stories/{}?version={version}", utf8_percent_encode(&slug, PATH));
            Work::Read(stories.into_iter().map(path).collect())
        }
        Scenario::List => {
            let prefixes = match &args.prefix {
                Some(prefix) => vec![prefix.clone()],
                None => links::fetch(&mut client, token, version, None).await?.folders(),
            };
            let path =
                |prefix: String| format!("/api/v2/cdn/stories?version={version}&per_page=25&starts_with={}", encode(&prefix));
            Work::Read(prefixes.into_iter().map(path).collect())
        }
        Scenario::Paths => {
            let file = args.paths.as_deref().context("--paths is missing")?;
            let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
            Work::Read(
                text.lines().map(|line| format!("{line}{}version={version}", if line.contains('?') { '&' } else { '?' })).collect(),
            )
        }
        Scenario::Write => {
            let path = stories(args)?;
            let mut folders = Vec::new();
            for number in 0..args.folders {
                folders.push(make_folder(&mut client, &path, token, number).await?);
            }
            Work::Write { path, folders, text: "lorem ipsum ".repeat(STORY_SIZE / 12) }
        }
        Scenario::Drain | Scenario::Expensive | Scenario::Silent | Scenario::Login | Scenario::Oidc => {
            bail!("it makes its own requests")
        }
        Scenario::Fresh => Work::Fresh { path: stories(args)?, reader: args.reader.clone().context("--reader is missing")? },
    };
    Ok(Plan { target, tokens: args.tokens.clone(), work })
}

impl Plan {
    /// The request with this number, on the connection with this number.
    pub(crate) fn request(&self, number: u64, connection: usize) -> Result<Request<Full<Bytes>>> {
        if let Work::Login(people) = &self.work {
            return pick(people, usize::try_from(number).unwrap_or_default()).context("no account to sign in with")?.login();
        }
        if let Work::Oidc(party) = &self.work {
            return party.request();
        }
        let token = pick(&self.tokens, connection).context("no token")?;
        match &self.work {
            Work::Read(paths) => {
                let position = usize::try_from(number).unwrap_or_default();
                let path = pick(paths, position).context("nothing to ask for")?;
                Ok(Request::get(format!("{path}&token={}", encode(token))).body(Full::default())?)
            }
            Work::Write { path, folders, text } => {
                let turn = usize::try_from(number).unwrap_or_default();
                let folder = pick(folders, turn).context("nowhere to write to")?;
                send(Method::POST, path, token, &json!({ "story": story(number, folder, text), "publish": 1 }))
            }
            Work::Fresh { .. } | Work::Login(_) | Work::Oidc(_) => bail!("a round is more than one request"),
        }
    }

    /// The rounds of the connection with this number, where a round depends on the one before or is more than one request.
    pub(crate) async fn rounds(&self, client: &mut Client, connection: usize) -> Result<Option<Round>> {
        match &self.work {
            Work::Fresh { path, reader } => {
                let token = pick(&self.tokens, connection).context("no token")?;
                Ok(Some(Round::Publish(Rounds::begin(client, path, token, reader, connection).await?)))
            }
            Work::Oidc(party) => Ok(party.flow(client).await?.map(Round::Oidc)),
            _ => Ok(None),
        }
    }
}

/// Rounds of one connection.
pub(crate) enum Round {
    Publish(Rounds),
    /// Exchanges with the OpenID provider.
    Oidc(oidc::Flow),
}

impl Round {
    /// Does one. Returns the status and the size of its last response.
    pub(crate) async fn next(&mut self, client: &mut Client) -> Result<Result<(StatusCode, u64), Failure>> {
        match self {
            Self::Publish(rounds) => rounds.next(client).await,
            Self::Oidc(flow) => flow.next(client).await,
        }
    }
}

/// The story with this number, with one of a hundred categories and fifty tags, and a price.
fn story(number: u64, folder: &Value, text: &str) -> Value {
    let slug = format!("story-{number}");
    json!({
        "name": slug,
        "slug": slug,
        "parent_id": folder,
        "tag_list": [format!("tag-{}", number % 50)],
        "content": {
            "component": "page",
            "title": "Written by lectern-load",
            "category": format!("category-{}", number % CATEGORIES),
            "price": number.wrapping_mul(7_919) % 100_003,
            "text": text,
        },
    })
}

/// Each run writes into folders of its own, named after the process, so that they can be deleted afterwards.
async fn make_folder(client: &mut Client, path: &str, token: &str, number: u32) -> Result<Value> {
    let slug = format!("load-{}-{number}", std::process::id());
    let request = send(Method::POST, path, token, &json!({ "story": { "name": slug, "slug": slug, "is_folder": true } }))?;
    let Ok((status, body)) = client.send(request).await else { bail!("the server does not answer") };
    ensure!(status == StatusCode::CREATED, "the folder {slug} cannot be made: {status} {}", String::from_utf8_lossy(&body));
    let answer: Value = serde_json::from_slice(&body)?;
    answer.pointer("/story/id").cloned().context("the answer names no story")
}

pub(crate) fn send(method: Method, path: &str, token: &str, body: &Value) -> Result<Request<Full<Bytes>>> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::AUTHORIZATION, format!("Bearer {token}"));
    Ok(request.body(Full::from(serde_json::to_vec(body)?))?)
}

/// One of the items, by turns.
fn pick<T>(items: &[T], turn: usize) -> Option<&T> {
    items.get(turn.checked_rem(items.len())?)
}

pub(crate) fn encode(text: &str) -> impl std::fmt::Display {
    utf8_percent_encode(text, NON_ALPHANUMERIC)
}

#[cfg(test)]
mod tests {
    use super::{Plan, Work};
    use crate::client::Target;
    use serde_json::json;

    fn plan(work: Work) -> Plan {
        Plan { target: Target::parse("http://localhost").unwrap(), tokens: vec!["a b".into(), "c".into()], work }
    }

    #[test]
    fn reads_take_the_paths_in_turn_and_the_token_of_the_connection() {
        let plan = plan(Work::Read(vec!["/x?v=1".into(), "/y?v=1".into()]));
        let uri = |number, connection| plan.request(number, connection).unwrap().uri().to_string();
        assert_eq!([uri(0, 0), uri(1, 1), uri(2, 2)], ["/x?v=1&token=a%20b", "/y?v=1&token=c", "/x?v=1&token=a%20b"]);
    }

    #[test]
    fn each_write_is_a_story_of_its_own() {
        let plan = plan(Work::Write { path: "/stories".into(), folders: vec![json!(7)], text: "text".into() });
        let request = plan.request(3, 1).unwrap();
        assert_eq!((request.method().as_str(), request.uri().path()), ("POST", "/stories"));
        assert_eq!(request.headers()["authorization"], "Bearer c");
    }
}
