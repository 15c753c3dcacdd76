-- A keyed job that is enqueued again while it runs, runs again at that time.
alter table jobs drop column again;
alter table jobs add column again_at timestamptz;

-- What is due by real time, and what is due by a test environment's own clock.
drop index jobs_due;
create index jobs_due on jobs (run_at) where dead_at is null and (environment = 'live' or clock = 'real');
create index jobs_due_test on jobs (run_at) where dead_at is null and environment = 'test' and clock = 'tenant';
create index jobs_due_tenant on jobs (account_id, environment, run_at) where dead_at is null;
create index jobs_leased on jobs (lease_token) where lease_token is not null;
