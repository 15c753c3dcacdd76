-- Quarter-hours, because some time zones are 30 or 45 minutes off the hour and their days must be exact too.
-- An empty string means no campaign, step, variant or sender.
create table stat_quarter_hours (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  quarter timestamptz not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  sending_account_id text collate "C" not null,
  leads integer not null,
  contacted integer not null,
  sent integer not null,
  opened integer not null,
  unique_opened integer not null,
  machine_opened integer not null,
  clicked integer not null,
  unique_clicked integer not null,
  machine_clicked integer not null,
  replied integer not null,
  unique_replied integer not null,
  auto_replied integer not null,
  bounced integer not null,
  unsubscribed integer not null,
  interested integer not null,
  meetings_booked integer not null,
  failed integer not null,
  uncertain integer not null,
  handed_over integer not null default 0,
  returned integer not null default 0,
  verified_bounced integer not null default 0,
  primary key (account_id, environment, campaign_id, quarter, step_id, variant_id, sending_account_id)
);
comment on table stat_quarter_hours is 'analytics: The numbers of events in a quarter of an hour.';

-- Statistics and summaries of all time read one row per campaign.
create table stat_totals (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  leads bigint not null,
  contacted bigint not null,
  sent bigint not null,
  opened bigint not null,
  unique_opened bigint not null,
  machine_opened bigint not null,
  clicked bigint not null,
  unique_clicked bigint not null,
  machine_clicked bigint not null,
  replied bigint not null,
  unique_replied bigint not null,
  auto_replied bigint not null,
  bounced bigint not null,
  unsubscribed bigint not null,
  interested bigint not null,
  meetings_booked bigint not null,
  failed bigint not null,
  uncertain bigint not null,
  handed_over bigint not null default 0,
  returned bigint not null default 0,
  verified_bounced bigint not null default 0,
  primary key (account_id, environment, campaign_id)
);
comment on table stat_totals is 'analytics: The numbers of a campaign''s events of all time.';

create table stat_variants (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  campaign_id text collate "C" not null,
  step_id text collate "C" not null,
  variant_id text collate "C" not null,
  sent bigint not null,
  bounced bigint not null,
  unique_replied bigint not null,
  primary key (account_id, environment, campaign_id, step_id, variant_id)
);
comment on table stat_variants is 'analytics: The results of a variant, by which variants are chosen.';
