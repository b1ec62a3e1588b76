-- Whether the browser keeps a session when it is closed. Null for a session that a former version started: one that lives for longer than a day is kept.
alter table sessions add column is_remembered boolean;
