-- Texts of first steps that are not known to be sent: how many lie ready bounds how many more are written.
alter table step_drafts add column spent boolean not null default false;
create index step_drafts_unspent on step_drafts (account_id, environment, campaign_id, step_id) where not spent;
