-- The timelines of PostgreSQL's log that were written on, of each cluster that this database has been in. A standby that is promoted begins a new one, on which the
-- numbers of a space may come again with other content, when it had not received the last writes. A replica without the row of the present primary follows
-- another one, so it is not read. The number alone would not tell: two standbys that are promoted one after the other may begin the same one.
create table timelines (
    id uuid primary key default gen_random_uuid(),
    cluster bigint not null,
    number integer not null,
    unique (cluster, number)
);
