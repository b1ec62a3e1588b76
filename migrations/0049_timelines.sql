-- The timelines of PostgreSQL's log that were written on. A standby that is promoted begins a new one, on which the numbers of a space may come again with other
-- content, when it had not received the last writes. A replica without the primary's timeline in this table follows a former primary, so it is not read.
create table timelines (
    id integer primary key
);
