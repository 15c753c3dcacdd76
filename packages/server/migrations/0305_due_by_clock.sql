-- What is due by a clock that was moved is looked for in its account, kind by kind (listDueTestJobs): there, too, thousands of one
-- lie in front of no other.
create index jobs_due_clock on jobs (account_id, kind, run_at) where dead_at is null and environment = 'test' and clock = 'tenant';
