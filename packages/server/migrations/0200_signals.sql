-- What others told of leads: by address, by company, or of one lead alone. A signal of one lead holds its address, too, so that it
-- goes with the person.
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
  -- By the database's clock: how long it is kept is no matter of a virtual one.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table signals is 'signals: What others told of leads: a name, of whom, and when.';
create unique index signals_dedupe on signals (account_id, environment, dedupe_key) where dedupe_key is not null;
create index signals_email on signals (account_id, environment, email, name, occurred_at desc) where email is not null;
create index signals_domain on signals (account_id, environment, domain, name, occurred_at desc) where domain is not null;
create index signals_age on signals using brin (recorded_at) with (autosummarize = on);

-- Whom a signal of a company speaks of: by the company's domain, or the address's where none was given.
create index lead_profiles_company on lead_profiles (account_id, environment, (coalesce(company_domain, email_domain)));
