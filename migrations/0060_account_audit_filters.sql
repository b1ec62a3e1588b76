-- Filters of the accounts' audit trail: by outcome, client and address, besides event, account and time.

-- How many entries the trail got on a day (UTC) that is over, by event and outcome: of all clients together under the empty name, and of each client. Counting
-- ten million entries takes too long for a list; these change only when a day goes by age. The janitor counts a day once it has been over for an hour, and
-- begins anew with this table: until it is through, lists count what is missing themselves.
create table account_audit_counts (
    client_id text not null,
    day       date not null,
    event     text not null,
    status    text not null,
    entries   bigint not null,
    primary key (client_id, day, event, status)
);
create index account_audit_counts_day on account_audit_counts (day);
drop table account_audit_days;

-- Each event has its own part of an index, and each outcome of it, by time; and so has each client. Entries from one address are few.
create index account_audit_kind on account_audit (event, status, created_at, id);
drop index account_audit_event;
create index account_audit_client on account_audit (client_id, event, status, created_at, id) where client_id is not null;
create index account_audit_ip on account_audit (ip, created_at, id) where ip is not null;
