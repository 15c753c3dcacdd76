-- The campaigns whose events a webhook gets; empty: whatever happens in the environment.
alter table webhooks add column campaign_ids text[] not null default '{}';
