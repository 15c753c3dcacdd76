-- A signal is about an address, a company's domain, or one lead. A signal about one lead also has the lead's address, so that it is
-- deleted with the person.
create table signals (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  name text collate "C" not null,
  email text,
  domain text,
  lead_id text collate "C",
  value jsonb,
  occurred_at timestamptz not null,
  dedupe_key text,
  created_at timestamptz not null,
  -- Rows are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table signals is 'signals: A fact about leads that another system reported.';
-- A signal with a key is stored once.
create unique index signals_dedupe on signals (account_id, environment, dedupe_key) where dedupe_key is not null;
create index signals_email on signals (account_id, environment, email, name, occurred_at desc) where email is not null;
create index signals_domain on signals (account_id, environment, domain, name, occurred_at desc) where domain is not null;
create index signals_age on signals using brin (recorded_at) with (autosummarize = on);
