-- Passkeys; and the rule that an account which can be signed in to never loses its last way in.

alter table users add column webauthn_handle bytea unique check (octet_length(webauthn_handle) = 32);  -- what authenticators call the account; random, and kept for ever

create table passkeys (
    id            uuid primary key,
    user_id       uuid not null references users (id) on delete cascade,
    credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
    credential    jsonb not null,                  -- as it was registered: the public key and what the authenticator told of itself
    sign_count    bigint not null,                 -- as it was heard last; 0 for ever where nobody counts
    is_synced     boolean not null,                -- it may be on several devices
    is_backed_up  boolean not null,                -- it is, as it was heard last
    transports    text[] not null,
    aaguid        uuid,
    name          text not null,
    created_at    timestamptz not null,
    last_used_at  timestamptz
);

create index passkeys_user on passkeys (user_id, created_at);

-- An account has a password or a passkey, or never had either (it was made for somebody who has not come yet). Whoever takes one away waits here for
-- whoever takes another one away from the same account at this moment, and then sees what is left.
create function account_keeps_a_factor() returns trigger language plpgsql as $$
declare
    account uuid;
begin
    if tg_table_name = 'users' then
        account := new.id;
    else
        account := old.user_id;
    end if;
    perform 1 from users where id = account for no key update;
    if not found then
        return null;                               -- the account itself goes
    end if;
    if exists (select 1 from users where id = account and password_hash is not null)
       or exists (select 1 from passkeys where user_id = account) then
        return null;
    end if;
    raise exception 'an account keeps a password or a passkey' using errcode = 'check_violation', constraint = 'account_keeps_a_factor';
end;
$$;

create trigger users_keep_a_factor after update of password_hash on users
    for each row when (old.password_hash is not null and new.password_hash is null) execute function account_keeps_a_factor();
create trigger passkeys_keep_a_factor after delete on passkeys
    for each row execute function account_keeps_a_factor();
