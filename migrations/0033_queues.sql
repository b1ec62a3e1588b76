-- What administrators see of queues, and mails that are dead but can be sent again (storage::identity::mails, storage::shared::queues).

-- The content of a dead mail is kept for a while, and erased then. A mail that was sent has none, and one that is still to be sent has some.
alter table mails drop constraint mails_check1;
alter table mails add constraint mails_content check (case when sent_at is not null then sealed is null else dead_at is not null or sealed is not null end);

alter table mails add column attempts integer not null default 0;   -- tries since it was queued, or queued again

drop index mails_open;
create index mails_open on mails (created_at) where sent_at is null and dead_at is null;
create index mails_unsent on mails (created_at, id) where sent_at is null;
create index mails_kept on mails (dead_at, id) where dead_at is not null and sealed is not null;

create index jobs_dead on jobs (queue, id) where dead_at is not null;

-- For the list of what is locked just now.
create index lockout_counters_locked on lockout_counters (locked_until) where locked_until is not null;
create index lockout_counters_day on lockout_counters (day_count) where day_count > 0;
