-- Entries of the accounts' audit trail about requests that name no client, or an address that the client has not registered. Any page can make browsers send such
-- requests, so all processes together write at most 60 entries a minute. Each row here is one of these turns, and may be taken again a minute later.
create table refusal_turns (
    number   smallint primary key,
    taken_at timestamptz not null default '-infinity'
);
insert into refusal_turns (number) select generate_series(1, 60);
