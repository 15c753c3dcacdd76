-- An id belongs to one account: an index that begins with it finds the same rows as one that begins with account and
-- environment, in two thirds of the bytes. What makes rows unique keeps the account, as do the indexes that list all of it.
create index events_by_campaign on events (campaign_id, tx_id, position);
drop index events_campaign;
alter index events_by_campaign rename to events_campaign;

create index events_by_lead on events (lead_id, position);
drop index events_lead;
alter index events_by_lead rename to events_lead;

create index lead_profiles_by_own_id on lead_profiles (id);
drop index lead_profiles_by_id;
alter index lead_profiles_by_own_id rename to lead_profiles_by_id;

create index lead_progress_due_first on lead_progress (campaign_id, sending_account_id, attempt_at, lead_id)
  where status in ('pending', 'active') and attempt_at is not null;
drop index lead_progress_due;
alter index lead_progress_due_first rename to lead_progress_due;

create index message_heads_by_thread on message_heads (thread_id);
drop index message_heads_thread;
alter index message_heads_by_thread rename to message_heads_thread;
