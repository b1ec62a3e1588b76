-- Dead letters have one name: what was given up for good is dead, as in mails.
alter table jobs rename column buried_at to dead_at;
alter table delivery_queue rename column buried_at to dead_at;
