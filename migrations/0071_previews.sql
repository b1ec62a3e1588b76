-- Where a space is previewed: [{name, location}]; spaces.domain is the default place.
alter table spaces add column environments jsonb not null default '[]';

-- The text of a preview token, sealed, so that the URLs of previews can be signed with it. Gone when the token is revoked. Tokens from before have none.
alter table delivery_tokens add column sealed bytea;
alter table delivery_tokens add check (sealed is null or (kind = 'preview' and revoked_at is null));
