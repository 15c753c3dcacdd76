-- Mails about meetings, by what they say: a reminder is sent once, however often its job runs, and an address that
-- somebody typed into a public page gets a bounded number. Addresses as keyed hashes; kept for a month.
create table meeting_notices (
  account_id text collate "C" not null,
  environment text not null,
  key text not null,
  kind text not null check (kind in ('confirmation', 'booked', 'rescheduled', 'canceled', 'reminder')),
  address_hash bytea not null,
  queued_at timestamptz not null,
  primary key (account_id, environment, key, address_hash)
);
create index meeting_notices_address on meeting_notices (account_id, environment, address_hash, queued_at);
create index meeting_notices_age on meeting_notices (account_id, environment, queued_at);

-- How often the meeting was moved by its link.
alter table meetings add column page_moves integer not null default 0;

-- Null until the account has set its availability: only then is there a page for everybody.
alter table meeting_availability alter column updated_at drop not null;

-- A notice to an address that its owner has not given us: suppressions hold it back.
alter table messages add column to_stranger boolean not null default false;
