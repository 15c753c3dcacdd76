-- Kinds of jobs have places of their own: what is due is read by kind, and thousands of one lie in front of no other.
drop index jobs_due;
create index jobs_due on jobs (kind, run_at) where dead_at is null and (environment = 'live' or clock = 'real');
drop index jobs_due_test;
create index jobs_due_test on jobs (kind, run_at) where dead_at is null and environment = 'test' and clock = 'tenant';
