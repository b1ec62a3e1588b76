//! Makes the table of endpoints from the configuration and the running parts.

use crate::{
    VERSION,
    components::{Components, Foundation, issuer},
    config::Config,
    data_dir, telemetry,
};
use actors::{content::RemoteFiles, identity::mail_diagnostics::MailDiagnostics};
use crypto::{oidc::DpopNonces, passkeys::Passkeys, seal::Seal};
use domain::shared::Fault;
use routes::{
    content::{Assets, Content, ExternalOptions, ImageService, TokenKeys, delivery::DeliveryCache},
    description::Description,
    dispatch::Dispatch,
    docs::Docs,
    identity::Identity,
    licenses::Licenses,
    ops::{self, Facts, Ops},
    pages::Pages,
    studio::{Bundle, BundleFile, Studio},
    web::session::{Sessions, SiteSettings},
};
use services::content::{administration::AdministeredSpaces, limits::ContentLimits};
use services::identity::{
    IdentityContext, IdentityLimits, LoginCounters, MailQueue, Secrets,
    notices::QueuedSpaceMails,
    oidc::{OidcContext, OidcSettings, TokenCounters},
    provisioning,
};
use std::sync::Arc;

/// Every endpoint that this process serves.
pub fn dispatch(config: &Config, components: &Components) -> Result<Dispatch, Fault> {
    let dispatch = Dispatch::default().with_https_only(config.cookie_secure).with_locales(config.identity.settings.locales.clone());
    let metrics = components.metrics.registry();
    telemetry::process::register(metrics).map_err(|error| Fault::internal(format!("metrics: {error}")))?;
    let ops = operations(config, components);
    let (description, docs) = (Description::default(), Docs::default());
    let mut dispatch = docs.add_endpoints(description.add_endpoints(dispatch.with(ops::endpoints(&ops))));
    let site = SiteSettings {
        base_url: components.base_url.clone(),
        cookie_secure: config.cookie_secure,
        admin_session_max_age: config.identity.admin_session_max_age,
        proofs: config.identity.proofs,
    };
    let sessions = Sessions::new(
        components.store.clone(),
        components.actors.last_seen.clone(),
        &components.keys,
        components.clock.clone(),
        &site,
    );
    let has_both = config.services.identity && config.services.content;
    let mut pages = None;
    if config.services.identity {
        let identity = identity(config, components, sessions.clone())?;
        let shown = Pages::new(identity.clone(), ops);
        let shown = if has_both { shown.with_studio() } else { shown };
        dispatch = shown.add_endpoints(identity.add_endpoints(dispatch, &components.metrics));
        pages = Some(shown);
    }
    if config.services.content {
        let content = content(config, components, sessions)?;
        dispatch = content.add_endpoints(dispatch, &components.metrics);
        if let Some(pages) = pages {
            let studio = Studio::new(pages, content, &components.keys, &components.base_url, components.studio.clone());
            dispatch = studio.add_endpoints(dispatch);
        }
    }
    dispatch = Licenses::new(dispatch.site()).add_endpoints(dispatch);
    description.complete(&dispatch, &components.base_url, VERSION);
    docs.complete(&dispatch);
    Ok(dispatch)
}

/// Composes mails; a process without the identity service leaves them to one that has it.
fn mail_queue(config: &Config, components: &Components) -> MailQueue {
    let Foundation { base_url, keys, clock, entropy, .. } = &**components;
    MailQueue::new(config.mail.smtp.is_some(), base_url, keys, clock.clone(), entropy.clone())
}

fn identity(config: &Config, components: &Components, sessions: Sessions) -> Result<Identity, Fault> {
    let settings = &config.identity;
    let site = settings.passkeys.relying_party(&components.base_url).map_err(|problem| Fault::internal(problem.to_string()))?;
    let limits =
        IdentityLimits::new(settings.limits, &components.keys, &components.clock, |limit| components.metrics.rate_limited(limit));
    let ctx = IdentityContext {
        store: components.store.clone(),
        passwords: components.passwords.clone(),
        passkeys: Arc::new(Passkeys::new(&site, &settings.settings.name)?),
        clock: components.clock.clone(),
        entropy: components.entropy.clone(),
        settings: Arc::new(settings.settings.clone()),
        limits: Arc::new(limits),
        mail_queue: mail_queue(config, components),
        secrets: Arc::new(Secrets::new(&components.keys)),
        counters: LoginCounters::new(components.metrics.registry())
            .map_err(|error| Fault::internal(format!("metrics: {error}")))?,
        spaces: Arc::new(AdministeredSpaces),
    };
    let provider = components.provider.clone().ok_or_else(|| Fault::internal("the identity service has no signing keys"))?;
    let oidc = OidcContext {
        identity: ctx.clone(),
        clients: Arc::clone(&settings.settings.clients),
        secrets: Arc::new(settings.oidc.client_secrets(&components.keys)),
        dpop_nonces: Arc::new(DpopNonces::new(&components.keys)),
        keys: provider.key_ring,
        settings: Arc::new(OidcSettings {
            issuer: issuer(&components.base_url).to_owned(),
            resource_audiences: settings.oidc.resource_audiences.clone(),
            jwt_access_ttl: settings.oidc.jwt_access_ttl,
            refresh_grace: settings.oidc.refresh_grace,
        }),
        counters: TokenCounters::new(components.metrics.registry())
            .map_err(|error| Fault::internal(format!("metrics: {error}")))?,
    };
    let provisioning = provisioning::ProvisioningContext {
        identity: ctx.clone(),
        tokens: Arc::new(provisioning::Tokens::new(&settings.settings.provisioning_tokens, &components.keys)),
        counters: provisioning::ProvisioningCounters::new(components.metrics.registry())
            .map_err(|error| Fault::internal(format!("metrics: {error}")))?,
    };
    let mail = MailDiagnostics::new(
        components.mail.clone(),
        config.mail.templates.clone(),
        &components.base_url,
        components.clock.clone(),
        components.entropy.clone(),
    );
    Ok(Identity {
        ctx,
        sessions,
        oidc,
        provisioning,
        mail,
        actors: components.actors.clone(),
        config: Arc::clone(&config.catalogue),
    })
}

/// The studio that this binary holds.
pub fn studio_bundle() -> Option<Bundle> {
    let bundle = studio::BUNDLE.as_ref()?;
    let files = bundle.files.iter().map(|file| BundleFile { name: file.name, gzip: file.gzip, brotli: file.brotli });
    Some(Bundle {
        script: bundle.script,
        style: bundle.style,
        texts: bundle.texts.to_vec(),
        files: files.collect(),
        relays: bundle.relays.to_vec(),
    })
}

fn content(config: &Config, components: &Components, sessions: Sessions) -> Result<Content, Fault> {
    let delivery_cache = DeliveryCache::new(
        config.reads,
        components.memory.clone(),
        &components.actors,
        components.clock.clone(),
        &components.metrics,
    )?;
    let images = ImageService::start(config.images, components.memory.clone(), &components.actors, &components.metrics)?;
    Ok(Content {
        images,
        store: components.store.with_max_result(config.reads.max_response),
        spaces: components.actors.spaces.clone(),
        deliveries: components.actors.deliveries.clone(),
        delivery_cache,
        sessions,
        clock: components.clock.clone(),
        entropy: components.entropy.clone(),
        mails: Arc::new(QueuedSpaceMails(mail_queue(config, components))),
        token_keys: Arc::new(TokenKeys::new(&components.keys)),
        remote_files: RemoteFiles::new(components.fetcher.clone()),
        external_options: ExternalOptions::default(),
        limits: Arc::new(ContentLimits::new(config.identity.limits.enabled, &components.clock, |limit| {
            components.metrics.rate_limited(limit)
        })),
        import_seal: Seal::new(components.keys.derive(services::content::import::source_token::SEAL)),
        stopping: components.draining.clone(),
        assets: Arc::new(Assets::new(components.blobs.clone(), components.base_url.clone(), &components.keys)),
        resolve_limit: config.resolve_limit,
    })
}

/// The endpoints for operators work with this.
pub fn operations(config: &Config, components: &Components) -> Ops {
    let settings = &config.identity.settings;
    let rules = &settings.password_rules;
    components.metrics.watch(&components.passwords);
    Ops {
        store: components.store.clone(),
        database_timeout: components.database_timeout,
        blobs: components.blobs.clone(),
        passwords: components.passwords.clone(),
        draining: components.draining.clone(),
        metrics: components.metrics.clone(),
        memory: components.memory.clone(),
        metrics_token: config.metrics_token.clone(),
        free_bytes: data_dir::free_bytes(components.data.clone()),
        data_is_there: components.data_is_there.clone(),
        facts: Facts {
            version: VERSION,
            registration_enabled: settings.registration_enabled,
            smtp_enabled: config.mail.smtp.is_some(),
            cookie_secure: config.cookie_secure,
            // The ring of keys is opened with a key for every algorithm, or not at all.
            oidc_configured: components.provider.is_some() && !settings.clients.is_empty(),
            password_rules: ops::ready::PasswordRules {
                min_length: rules.min_length,
                max_length: domain::identity::password::MAX_LENGTH,
                require_uppercase: rules.uppercase,
                require_lowercase: rules.lowercase,
                require_digit: rules.digit,
                require_symbol: rules.symbol,
                breached_check: true,
            },
        },
    }
}
