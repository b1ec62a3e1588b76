-- The keys that the OpenID provider signs tokens with (storage::identity::oidc::signing_keys).

create table signing_keys (
    kid          text primary key,               -- the JWK thumbprint (RFC 7638)
    algorithm    text not null check (algorithm in ('RS256', 'ES256', 'EdDSA')),
    public_jwk   jsonb not null,                 -- as it is published
    private_key  bytea,                          -- PKCS#8, sealed; null once the key is retired
    created_at   timestamptz not null,           -- published since
    activated_at timestamptz,                    -- signs since
    retired_at   timestamptz,                    -- signs no more
    check (retired_at is null or activated_at is not null),
    check ((private_key is null) = (retired_at is not null))
);

-- Of each algorithm one key signs, and one at most is published to follow it.
create unique index signing_keys_next on signing_keys (algorithm) where activated_at is null;
create unique index signing_keys_active on signing_keys (algorithm) where activated_at is not null and retired_at is null;
