-- Scheduled reports: a question about the statistics that is asked again and again, and mailed to users.

create table reports (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  name text not null,
  active boolean not null,
  -- The question of GET /v2/analytics as it was sent.
  query jsonb not null,
  every text not null check (every in ('day', 'week', 'month')),
  on_day integer check (on_day between 1 and 31),
  at_time text not null,
  timezone text not null,
  -- Ids of users. A deleted user is removed.
  recipients text[] not null,
  -- Null for a paused report.
  next_run_at timestamptz,
  last_run_id text collate "C",
  created_at timestamptz not null,
  primary key (account_id, environment, id),
  check (every = 'day' or on_day is not null),
  check (not active or next_run_at is not null)
);
comment on table reports is 'reports: A question about the statistics that is mailed to users by a schedule.';

create table report_runs (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  report_id text collate "C" not null,
  -- The interval and its last day, which has one run. Null for a run by hand.
  period text collate "C",
  from_text text not null,
  to_text text not null,
  status text not null check (status in ('running', 'sent', 'announced', 'failed')),
  error text,
  created_at timestamptz not null,
  -- Rows are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id),
  foreign key (account_id, environment, report_id) references reports on delete cascade
);
comment on table report_runs is 'reports: A run of a report, and what became of it.';
-- The numbers of a period are sent once (insertRun).
create unique index report_runs_period on report_runs (account_id, environment, report_id, period);
create index report_runs_age on report_runs using brin (recorded_at) with (autosummarize = on);

create table report_deliveries (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  run_id text collate "C" not null,
  user_id text collate "C" not null,
  -- `claimed`: the mail is being sent. If the process ends now, the mail may have been sent.
  status text not null check (status in ('claimed', 'sent', 'skipped')),
  reason text check (reason in ('disabled', 'removed', 'role', 'mail_failed', 'mail_uncertain')),
  primary key (account_id, environment, run_id, user_id),
  foreign key (account_id, environment, run_id) references report_runs on delete cascade,
  check (status <> 'skipped' or reason is not null)
);
comment on table report_deliveries is 'reports: The mail of a run to one recipient.';
