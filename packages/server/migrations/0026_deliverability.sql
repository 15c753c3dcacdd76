create table dmarc_reports (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  -- The domain whose policy applied. It may be above the domain that sends.
  policy_domain text not null,
  org_name text not null,
  report_id text not null,
  policy text not null check (policy in ('none', 'quarantine', 'reject')),
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  -- The messages of the account's domains. Rows about other domains are not kept.
  messages bigint not null,
  spf_aligned bigint not null,
  dkim_aligned bigint not null,
  received_at timestamptz not null,
  -- Rows are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table dmarc_reports is 'deliverability: An aggregate report that was read. The row keeps a second copy from being counted.';
create unique index dmarc_reports_once on dmarc_reports (account_id, environment, policy_domain, org_name, report_id);
-- The last policy of a domain, and the number of its reports within a day.
create index dmarc_reports_domain on dmarc_reports (account_id, environment, policy_domain, received_at);
create index dmarc_reports_age on dmarc_reports using brin (recorded_at) with (autosummarize = on);

-- A row adds up the reports of all receivers for a day, so the table grows with addresses and not with reports.
create table dmarc_sources (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  -- The domain of the account that the messages name as their sender.
  domain text not null,
  -- The day in UTC on which the report begins.
  day date not null,
  -- Empty for the addresses beyond the limit of one report.
  source_ip text not null,
  disposition text not null check (disposition in ('none', 'quarantine', 'reject')),
  spf_aligned boolean not null,
  dkim_aligned boolean not null,
  messages bigint not null,
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, domain, day, source_ip, disposition, spf_aligned, dkim_aligned)
);
comment on table dmarc_sources is 'deliverability: Messages per day, sending address and result, as receivers reported them.';
create index dmarc_sources_age on dmarc_sources using brin (recorded_at) with (autosummarize = on);

create table recipient_domains (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  domain text not null,
  provider text not null check (provider in ('google', 'microsoft', 'yahoo', 'apple', 'gateway', 'other', 'unknown')),
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, domain)
);
comment on table recipient_domains is 'deliverability: The provider that accepts the mail of a domain, by its MX records.';
create index recipient_domains_age on recipient_domains using brin (recorded_at) with (autosummarize = on);

-- Leads that wait for a sender at their provider (updateProviderHolds).
create index lead_progress_provider_mismatch on lead_progress (account_id, environment)
  where blocked_reason = 'provider_mismatch';
