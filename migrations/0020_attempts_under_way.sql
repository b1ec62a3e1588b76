-- Attempts at a password or a code that are being checked. They are no failures yet; an attempt that is never concluded becomes one later.

alter table guesses add column under_way timestamptz[] not null default '{}';    -- when each of them was registered
