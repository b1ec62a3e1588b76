-- What the list of people needs to stay fast with a million of them: one column to search in, indexes in the orders of the list, and the totals.

-- The names and the address in lower case. A line break keeps a search for one from running over into the next; first and last name are one line.
alter table users add column search_text text generated always as (
    lower(email || E'\n' || first_name || ' ' || coalesce(last_name, '') || E'\n' || coalesce(display_name, ''))
) stored;

create index users_created on users (created_at, id);
create index users_administrators on users (created_at, id) where is_admin;
create index users_suspended on users (created_at, id) where suspended_at is not null;
create index users_unverified on users (created_at, id) where not email_verified;

-- A search inside of words needs the extension pg_trgm. Where it cannot be made, the search reads the whole table; the server says so when it starts.
do $$
begin
    create extension if not exists pg_trgm;
exception when others then
    raise notice 'pg_trgm cannot be created: %', sqlerrm;
end;
$$;
do $$
declare
    home text;
begin
    select nspname into home from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
    if found then
        execute format('create index users_search on users using gin (search_text %I.gin_trgm_ops)', home);
    end if;
end;
$$;

-- How many accounts there are of each kind. Counting a million rows takes too long for a list, so triggers count every change, in the same transaction.
-- A connection adds to the rows of its own shard, so that two registrations rarely wait for each other; one row may be negative, their sum never is.
create table account_counts (
    shard          integer not null,
    email_verified boolean not null,
    is_admin       boolean not null,
    is_suspended   boolean not null,
    number         bigint not null,
    primary key (shard, email_verified, is_admin, is_suspended)
);

insert into account_counts
select 0, email_verified, is_admin, suspended_at is not null, count(*) from users group by 2, 3, 4;

create function count_inserted_accounts() returns trigger language plpgsql as $$
begin
    insert into account_counts as counts (shard, email_verified, is_admin, is_suspended, number)
    select pg_backend_pid() % 16, email_verified, is_admin, suspended_at is not null, count(*) from inserted group by 2, 3, 4 order by 2, 3, 4
    on conflict (shard, email_verified, is_admin, is_suspended) do update set number = counts.number + excluded.number;
    return null;
end;
$$;

create function count_deleted_accounts() returns trigger language plpgsql as $$
begin
    insert into account_counts as counts (shard, email_verified, is_admin, is_suspended, number)
    select pg_backend_pid() % 16, email_verified, is_admin, suspended_at is not null, -count(*) from deleted group by 2, 3, 4 order by 2, 3, 4
    on conflict (shard, email_verified, is_admin, is_suspended) do update set number = counts.number + excluded.number;
    return null;
end;
$$;

create function count_changed_account() returns trigger language plpgsql as $$
begin
    insert into account_counts as counts (shard, email_verified, is_admin, is_suspended, number)
    values (pg_backend_pid() % 16, old.email_verified, old.is_admin, old.suspended_at is not null, -1),
           (pg_backend_pid() % 16, new.email_verified, new.is_admin, new.suspended_at is not null, 1)
    on conflict (shard, email_verified, is_admin, is_suspended) do update set number = counts.number + excluded.number;
    return null;
end;
$$;

create trigger users_count_inserted after insert on users referencing new table as inserted
    for each statement execute function count_inserted_accounts();
create trigger users_count_deleted after delete on users referencing old table as deleted
    for each statement execute function count_deleted_accounts();
create trigger users_count_changed after update of email_verified, is_admin, suspended_at on users
    for each row
    when ((old.email_verified, old.is_admin, old.suspended_at is null) is distinct from (new.email_verified, new.is_admin, new.suspended_at is null))
    execute function count_changed_account();
