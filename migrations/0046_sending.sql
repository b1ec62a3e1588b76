-- Whether this database sends: webhooks, notices to clients, mails. A restored copy of a database must not repeat what the original sends.

create table sending (
    one_row boolean primary key default true check (one_row),
    database text,             -- the cluster and the number in it of the database that was started last; null before the first start
    paused_at timestamptz      -- since when nothing is sent
);
insert into sending default values;
