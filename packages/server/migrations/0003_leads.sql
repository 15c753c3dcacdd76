-- What holds a whole campaign back just now, written by the planner: lead lists tell it without planning each lead.
alter table campaigns add column hold_reason text, add column hold_until timestamptz;
alter table campaigns drop column open_lead_count;

-- Finds at once whether a campaign has anything left to do. A lead without a value, or suppressed, keeps none open.
create index leads_open on leads (account_id, environment, campaign_id)
  where status in ('pending', 'active', 'paused') and coalesce(blocked_reason, '') not in ('missing_variable', 'suppressed');

create table imports (
  account_id text collate "C" not null,
  environment text not null,
  id text collate "C" not null,
  campaign_id text collate "C" not null,
  on_duplicate text not null,
  header text[] not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  rows_read integer not null default 0,
  added integer not null default 0,
  updated integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (account_id, environment, id)
);

-- The uploaded rows until they are taken over, and those refused until the import is purged.
create table import_rows (
  account_id text collate "C" not null,
  environment text not null,
  import_id text collate "C" not null,
  row_number integer not null,
  fields text[] not null,
  reason text,
  primary key (account_id, environment, import_id, row_number)
);
