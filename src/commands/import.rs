//! `lectern import --from DIR`: imports a folder of exported JSON into a space.

use crate::{command_env::CommandEnv, components, config::Config};
use actors::{
    ActorSystem, actor_system,
    content::importer::{
        self,
        source::{Source, directory::Directory},
    },
};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use domain::{
    content::{
        Role, SpaceChange, SpaceSettings,
        import::{Findings, Import, ImportError, SourceRef, Status},
        token::ManagementKind,
    },
    shared::{Fault, RequestOrigin, SpaceId},
};
use egress::vendor::ImportMemory;
use routes::content::TokenKeys;
use secrecy::ExposeSecret;
use services::content::{Authorized, access, import::jobs::StartImport, management_tokens::CreateManagementToken, spaces};
use std::{
    fmt::Write,
    path::PathBuf,
    sync::{Arc, OnceLock},
    time::Duration,
};
use storage::content::{commit_log::AuditContext, imports::jobs};

/// How often the progress is read.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// How long the actors may take to finish.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);
/// How many findings of each list are printed.
const MAX_PRINTED: usize = 20;

/// The arguments of the command.
#[derive(Args)]
pub(super) struct Arguments {
    /// The folder: stories.json, components.json and so on, as Storyblok's Management API returns them.
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    #[command(flatten)]
    target: DatabaseTarget,
    /// Read and check everything, write nothing, and print the same report. The space has to exist.
    #[arg(long, conflicts_with = "name")]
    dry_run: bool,
    /// Tell the space's webhooks of every story that is published, taken offline or moved; the server sends
    /// it when it runs.
    #[arg(long)]
    webhooks: bool,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct DatabaseTarget {
    /// The id of the space to import into.
    #[arg(long, value_name = "ID")]
    space: Option<i64>,
    /// Create a space with this name for it, and print its tokens.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> Result<()> {
    let path = tokio::fs::canonicalize(&arguments.from).await;
    let path = path.with_context(|| format!("the folder {}", arguments.from.display()))?;
    let path = path.to_str().context("the path of the folder is no text")?.to_owned();
    let env = CommandEnv::open(config).await?;
    let outcome = match Importer::start(config, &env).await {
        Ok(importer) => {
            let outcome = import(&importer, arguments, SourceRef::Directory { path }).await;
            importer.actors.drain(STOP_TIMEOUT).await;
            outcome
        }
        Err(error) => Err(error),
    };
    env.close().await;
    outcome
}

/// The actors that import. Of all imports only those from a folder into `space` run in this process.
struct Importer<'a> {
    env: &'a CommandEnv,
    actors: ActorSystem,
    space: Arc<OnceLock<SpaceId>>,
    /// How much of the folder may be held in memory, in bytes.
    memory: usize,
}

impl<'a> Importer<'a> {
    async fn start(config: &Config, env: &'a CommandEnv) -> Result<Self> {
        let registry = prometheus::Registry::new();
        let clients = components::egress_clients(config, &env.base_url, &registry)?;
        let deliveries = components::webhook_delivery_settings(config, &env.keys, clients.client.clone());
        let blobs = env.blobs(config).await?;
        let import_env = components::imports(config, &env.keys, clients, blobs, &env.base_url);
        let space = Arc::new(OnceLock::new());
        let params = actor_system::Params {
            scope: actor_system::Scope::Imports,
            imports: importer::Settings::local(import_env, space.clone()),
            ..actor_system::Params::new(env.store.clone(), env.clock.clone(), env.entropy.clone(), deliveries)
        };
        Ok(Self { env, actors: ActorSystem::start(params, &registry).await?, space, memory: config.import_memory })
    }
}

async fn import(importer: &Importer<'_>, arguments: &Arguments, source: SourceRef) -> Result<()> {
    let env = importer.env;
    let space = match (arguments.target.space, &arguments.target.name) {
        (Some(space), _) => SpaceId(space),
        (None, name) => find_or_create_space(importer, name.as_deref().unwrap_or_default(), &source).await?,
    };
    importer.space.get_or_init(|| space);
    let open = jobs::find_open(&env.store.connection("import.find").await?, space).await?;
    let import = if let Some(open) = open {
        interrupted(open, &source, arguments)?
    } else {
        let Arguments { dry_run, webhooks, .. } = *arguments;
        let start = StartImport { source, dry_run, webhooks, sealed_token: None };
        let started = importer.actors.handles().spaces.execute(Authorized::for_command_line(space), start).await;
        started.map_err(|fault| command_error(fault, space))?
    };
    let ended = watch_progress(env, import).await?;
    print!("{}", summary(&ended));
    match (ended.status, ended.error) {
        (Status::Succeeded, _) => Ok(()),
        (_, Some(ImportError { code, message })) => bail!("the import failed ({code}): {message}"),
        (status, None) => bail!("the import is {}", status.name()),
    }
}

/// The open import of a space, if it is one of the same folder with the same options that an earlier run did
/// not finish; this run continues it.
fn interrupted(open: Import, source: &SourceRef, arguments: &Arguments) -> Result<Import> {
    if open.source != *source || (open.dry_run, open.webhooks) != (arguments.dry_run, arguments.webhooks) {
        bail!("another import into space {} is not over; wait for it, or cancel it", open.space);
    }
    eprintln!("going on with import {}, which was cut off", open.id);
    Ok(open)
}

fn command_error(fault: Fault, space: SpaceId) -> anyhow::Error {
    match fault.kind() {
        domain::shared::Kind::NotFound => anyhow!("there is no space {space}"),
        _ => fault.into(),
    }
}

/// Finds the space with an unfinished import of the same folder; otherwise creates one, if the folder is
/// readable.
async fn find_or_create_space(importer: &Importer<'_>, name: &str, source: &SourceRef) -> Result<SpaceId> {
    let session = importer.env.store.connection("import.find").await?;
    if let Some(import) = jobs::find_open_of(&session, source, name).await? {
        println!("space {}", import.space);
        return Ok(import.space);
    }
    drop(session);
    if let SourceRef::Directory { path } = source {
        let memory = ImportMemory::new(importer.memory);
        Directory::new(path, memory).open().await.map_err(|error| anyhow!("{}", error.message))?;
    }
    create_space(importer, name).await
}

/// Creates a space without an owner, and prints its tokens, which are not stored in plain text.
async fn create_space(importer: &Importer<'_>, name: &str) -> Result<SpaceId> {
    let env = importer.env;
    let settings = SpaceChange::named(Some(name.to_owned())).apply(SpaceSettings::default())?;
    let keys = TokenKeys::new(&env.keys);
    let entropy = env.entropy.as_ref();
    let audit = AuditContext { actor: access::command_line(), origin: RequestOrigin::default(), at: env.clock.now() };
    let created = spaces::create_space(&env.store, entropy, &keys.delivery, &settings, None, &audit).await?;
    let space = created.id;
    let kind = ManagementKind::Role;
    let admin = crypto::token::generate(kind.prefix(), entropy);
    let hash = keys.management.hash(admin.expose_secret());
    let write = CreateManagementToken { kind, role: Role::Admin, name: "import".to_owned(), hash, created_by: None, notice: None };
    importer.actors.handles().spaces.execute(Authorized::for_command_line(space), write).await?;
    println!("space {space}");
    for (kind, secret) in &created.tokens {
        println!("  {:<11}{}", format!("{}:", kind.into_str()), secret.expose_secret());
    }
    println!("  management:{}\n  (shown this one time)\n", admin.expose_secret());
    Ok(space)
}

/// Prints the progress until the import ends.
async fn watch_progress(env: &CommandEnv, import: Import) -> Result<Import> {
    let mut last_line = String::new();
    loop {
        let session = env.store.connection("import.find").await?;
        let now = jobs::find(&session, import.space, import.id).await?.context("the import is gone")?;
        drop(session);
        let total = now.total.map_or(String::new(), |total| format!(" of {total}"));
        let left = now.seconds_left().map_or(String::new(), |seconds| format!(", {seconds} s left"));
        let line = format!("{}: {}{total} records, {:.0} a second{left}", now.phase.name(), now.done, now.rate);
        if line != last_line {
            eprintln!("{line}");
            last_line = line;
        }
        if now.status.is_over() {
            return Ok(now);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// The report as text.
fn summary(import: &Import) -> String {
    let report = &import.report;
    let mut text = format!("{}{}\n", if import.dry_run { "dry run " } else { "" }, import.status.name());
    let _ = writeln!(text, "{:<18}{:>9}{:>9}{:>11}{:>9}{:>8}", "", "created", "updated", "unchanged", "skipped", "failed");
    for (kind, count) in &report.counts {
        let name = kind.name();
        let _ = writeln!(
            text,
            "{name:<18}{:>9}{:>9}{:>11}{:>9}{:>8}",
            count.created, count.updated, count.unchanged, count.skipped, count.failed
        );
    }
    for (title, findings) in
        [("failures", &report.failures), ("warnings", &report.warnings), ("broken references", &report.broken_references)]
    {
        print_findings(&mut text, title, findings);
    }
    text
}

fn print_findings(text: &mut String, title: &str, findings: &Findings) {
    if findings.total == 0 {
        return;
    }
    let _ = writeln!(text, "{title}: {}", findings.total);
    for finding in findings.items.iter().take(MAX_PRINTED) {
        let _ = writeln!(text, "  {} {} {} {}: {}", finding.code, finding.kind.name(), finding.id, finding.label, finding.message);
    }
    if findings.items.len() > MAX_PRINTED {
        let _ = writeln!(text, "  … (the import's report has more)");
    }
}
