-- DPoP (RFC 9449): the keys that tokens are bound to, each by its SHA-256 thumbprint in base64url (RFC 7638), and the proofs that were shown.

alter table oidc_access_tokens add column dpop_jkt text;
alter table oidc_refresh_tokens add column dpop_jkt text;

create table dpop_proofs (
    hash       bytea primary key check (octet_length(hash) = 32),  -- SHA-256 of the thumbprint and the claim jti
    expires_at timestamptz not null
);

create index dpop_proofs_expiry on dpop_proofs (expires_at);
