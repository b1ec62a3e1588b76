-- How many entries of each event the audit trail of accounts got on a day (UTC) that is over. Counting ten million entries takes too long for a list; these
-- change only when a day goes by age. The janitor counts a day once it has been over for a day.
create table account_audit_days (
    day     date not null,
    event   text not null,
    entries bigint not null,
    primary key (day, event)
);
