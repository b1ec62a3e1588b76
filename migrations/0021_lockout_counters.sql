-- The counters of the lockout are called so.

alter table guesses rename to lockout_counters;
alter index guesses_pkey rename to lockout_counters_pkey;
alter index guesses_age rename to lockout_counters_age;

update jobs set key = 'lockoutCounters' where queue = 'janitor' and key = 'guesses';
