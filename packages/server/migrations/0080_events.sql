-- Readers of the log, and the statistics made from it.

-- The whole log in commit-safe order, for readers that serve every account.
create index events_feed on events (tx_id, position);
create unique index events_id on events (account_id, environment, id);
create index events_recorded on events (recorded_at);

-- A campaign's feed walks in the same order as the log, so that its cursor skips nothing either.
drop index events_campaign;
create index events_campaign on events (account_id, environment, campaign_id, tx_id, position);
create index events_campaign_time on events (account_id, environment, campaign_id, occurred_at);

-- How far each reader of the whole log has come.
create table event_cursors (
  name text primary key,
  tx_id xid8 not null default '0',
  position bigint not null default 0
);
insert into event_cursors (name) values ('statistics'), ('webhooks');

-- Counts by quarter of an hour: some zones stand 30 or 45 minutes off, and their days must be exact too.
-- Empty string: no campaign, step, variant or sender.
create table stat_quarter_hours (
  account_id text collate "C" not null,
  environment text not null,
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
  primary key (account_id, environment, campaign_id, quarter, step_id, variant_id, sending_account_id)
);

-- The same without time, so that stats and summary read one row a campaign.
create table stat_totals (
  account_id text collate "C" not null,
  environment text not null,
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
  primary key (account_id, environment, campaign_id)
);

create index messages_uncertain on messages (account_id, environment, campaign_id) where status = 'uncertain';
