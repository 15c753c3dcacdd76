-- A session belongs to one account, and its row is found by both, like every row of a tenant.
alter table stripe_sessions drop constraint stripe_sessions_pkey, add primary key (account_id, id);
