-- Limits by address, by mail address and by account are counted for all processes together, too. A row is removed soon after its bucket is full again.
--
-- Unlogged: counting writes nothing that a disk or a standby waits for. After a crash of PostgreSQL, and at a standby that takes over, all buckets are full.
alter table rate_limits set unlogged;
