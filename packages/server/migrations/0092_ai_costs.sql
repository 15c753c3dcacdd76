-- From what a text was made, so that a changed lead or preset has it made again, and what it cost.
alter table step_drafts
  add column preset_version integer,
  add column facts_digest text,
  add column revision integer not null default 0,
  add column generation_id text collate "C";

-- Every call of a model that was charged, whatever for: the ledger's reference is its id.
alter table generations
  add column step_id text collate "C",
  add column message_id text collate "C";
create index generations_of_campaign on generations (account_id, environment, campaign_id, id);
drop index generations_campaign;
create index generations_of_lead on generations (account_id, environment, lead_id) where lead_id is not null;
