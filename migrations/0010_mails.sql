-- Mails to people (storage::identity::mails): written by the transaction that causes them, carried out by a job of the queue "mail".

create table mails (
    id         uuid primary key,                   -- its Message-ID is made of it, so that copies can be known as such
    user_id    uuid not null references users (id) on delete cascade,
    template   text not null,
    locale     text not null,
    sealed     bytea,                              -- to whom it goes and what it says; gone as soon as it is sent or given up
    deferrals  integer not null default 0,         -- how often the mail server put off just this mail
    created_at timestamptz not null,
    sent_at    timestamptz,
    dead_at    timestamptz,                        -- given up
    reason     text,                               -- why it was given up, as a code
    answer     text,                               -- what the mail server said last, if it did not take it
    check (sent_at is null or dead_at is null),
    check ((sealed is null) = (sent_at is not null or dead_at is not null)),
    check ((dead_at is null) = (reason is null))
);

create index mails_user on mails (user_id);
create index mails_open on mails (created_at) where sealed is not null;
create index mails_sent on mails (sent_at) where sent_at is not null;
create index mails_dead on mails (dead_at) where dead_at is not null;
