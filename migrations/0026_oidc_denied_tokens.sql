-- JWT access tokens that were revoked before they expired. They are not stored when they are issued, so the ones that count no more are.
create table oidc_denied_tokens (
    jti        text primary key,
    expires_at timestamptz not null
);

create index oidc_denied_tokens_expiry on oidc_denied_tokens (expires_at);
