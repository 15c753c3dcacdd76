-- Leads that nothing was sent to, counted by what holds them without a look at their rows: in a campaign of 10,000 that was
-- 600 pages, read from the disk where the database is larger than the memory. Equal entries are kept together, so that a lead
-- takes some eight bytes; one that is sent to leaves the index.
create index lead_progress_unsent on lead_progress (account_id, environment, campaign_id, status, blocked_reason, attempt_at)
  where current_step = 0;
-- Only of pages that were vacuumed an index is believed. Leads come by thousands and lie still: those of a campaign are a small
-- part of a large table, and would wait for the next million.
alter table lead_progress set (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_insert_threshold = 5000);
