-- Who did what to whom: entries of administrators, clients and provisioning tokens join those of the people themselves.

alter table account_audit
    add actor_type text not null default 'system' check (actor_type in ('user', 'admin', 'client', 'provisioning', 'system')),
    add actor_id   text,                           -- the account, client or provisioning token; null for the system, and for a stranger who signs in to no account
    add target_id  text,                           -- what somebody else did it to: an account, a key, a space
    add client_id  text;                           -- the OpenID Connect client that it was done at

update account_audit set actor_type = 'user', actor_id = user_id::text
where event not in ('admin.user.updated', 'mail.dead_lettered', 'oidc.backchannel_logout.failed', 'webhook.dead_letter');
update account_audit set target_id = user_id::text where actor_type = 'system';
update account_audit set client_id = details ->> 'clientId' where details ? 'clientId';

-- The entries of which a person is the actor, and lists by time and event.
create index account_audit_activity on account_audit (actor_id, id desc)
    where event in ('auth.login.success', 'auth.login.failure', 'auth.login.new_device', 'auth.login.suspicious', 'auth.password.changed',
                    'auth.password.set', 'auth.password.removed', 'auth.password.reset', 'account.exported', 'webauthn.counter_regression');
create index account_audit_actor on account_audit (actor_id, id desc);
create index account_audit_time on account_audit (created_at, id);
create index account_audit_event on account_audit (event, created_at, id);
drop index account_audit_age;

-- Append-only, whoever asks. Two things pass: the personal columns of an entry of somebody who is gone become empty, and entries go by age, which is at least
-- a day (the least that APP_ACCOUNT_AUDIT_DAYS takes).
create function account_audit_is_append_only() returns trigger language plpgsql as $$
declare
    blank account_audit;
    actor uuid;
begin
    if tg_op = 'DELETE' then
        if old.created_at < now() - interval '1 day' then
            return old;
        end if;
    elsif tg_op = 'UPDATE' then
        blank := old;
        blank.ip := null;
        blank.user_agent := null;
        blank.details := '{}';
        if old.actor_type in ('user', 'admin') then
            actor := old.actor_id::uuid;
        end if;
        if new is not distinct from blank and (
            (old.user_id is not null and not exists (select from users where id = old.user_id))
            or (actor is not null and not exists (select from users where id = actor))
        ) then
            return new;
        end if;
    end if;
    raise exception 'account_audit is append-only' using errcode = 'insufficient_privilege';
end $$;

create trigger account_audit_append_only before update or delete on account_audit
    for each row execute function account_audit_is_append_only();
create trigger account_audit_never_truncated before truncate on account_audit
    for each statement execute function account_audit_is_append_only();
