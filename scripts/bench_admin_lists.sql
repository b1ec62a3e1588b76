-- A million accounts and ten million entries of the audit trail over 400 days, in the order of time, for scripts/bench_admin_lists.sh.
\set firsts 200

-- Indexes are made once all rows are there, which takes a tenth of the time.
create temporary table dropped as
    select indexname, indexdef from pg_indexes
    where tablename = 'account_audit' and indexname <> 'account_audit_pkey' or indexname in ('users_search', 'users_created', 'users_unverified');
select format('drop index %I', indexname) from dropped \gexec

insert into users (id, email, first_name, last_name, display_name, locale, email_verified, suspended_at, created_at, last_login_at)
select md5('user' || n)::uuid, lower(first || '.' || last || n || '@mail' || n % 8 || '.example'), first, last, case when n % 3 = 0 then first || n end, 'en', n % 5 <> 0,
       case when n % 1000 = 0 then now() end, now() - (1000000 - n) * interval '30 seconds', null
from (
    select n, initcap(substr(translate(md5('f' || n % :firsts), '0123456789', 'aeiouaeiou'), 1, 4 + n % :firsts % 5)) as first,
           initcap(substr(translate(md5('l' || n::bigint * 7919 % 20011), '0123456789', 'aeiouaeiou'), 1, 6 + n % 5)) as last
    from generate_series(1, 1000000) n
) names;

-- Most entries are sign-ins, a few are what administrators do.
insert into account_audit (user_id, event, status, ip, user_agent, request_id, details, created_at, actor_type, actor_id, target_id)
select md5('user' || user_number)::uuid, event, case when event like '%failure' then 'failure' else 'success' end, '10.0.0.0'::inet + n % 65536,
       'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36', gen_random_uuid(), '{}',
       now() - interval '400 days' + n * (interval '400 days' / 10000000), case when event like 'admin.%' then 'admin' else 'user' end,
       md5('user' || user_number)::uuid::text, null
from (
    select n, 1 + (n * 7919::bigint) % 1000000 as user_number, case
        when n % 1000 = 0 then 'admin.user.suspended' when n % 1000 = 1 then 'admin.user.updated' when n % 100 < 3 then 'auth.password.changed'
        when n % 100 < 20 then 'auth.login.failure' when n % 100 < 40 then 'auth.logout' else 'auth.login.success' end as event
    from generate_series(1, 10000000) n
) entries;

set maintenance_work_mem = '1GB';
select indexdef from dropped \gexec
