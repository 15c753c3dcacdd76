create table meeting_availability (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  -- The name of the booking page, unique among all accounts.
  slug text not null,
  settings jsonb not null,
  -- Sealed (AES-256-GCM): {calComSecret, calendlySigningKey, calendarUrl}.
  integrations bytea,
  -- The busy times of the calendar: [start, end] in milliseconds since 1970, at most 5,000.
  busy_times jsonb not null default '[]',
  busy_read_at timestamptz,
  -- Why the calendar could not be read the last time.
  busy_error text,
  -- Null until the account sets its availability. Before that, it has no public page.
  updated_at timestamptz,
  primary key (account_id, environment)
);
comment on table meeting_availability is 'meetings: The times at which meetings can be booked, and the name of the booking page.';
-- The account of a booking page, read before the account is known.
create unique index meeting_availability_slug on meeting_availability (slug);

create table meetings (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  lead_id text collate "C",
  campaign_id text collate "C",
  status text not null check (status in ('booked', 'rescheduled', 'completed', 'canceled', 'no_show')),
  source text not null check (source in ('booking_page', 'calendar_invite', 'cal_com', 'calendly', 'manual')),
  title text not null,
  start_at timestamptz not null,
  end_at timestamptz not null,
  timezone text not null,
  join_url text,
  attendees jsonb not null default '[]',
  -- The UID of the calendar event, ours or another calendar's, and the SEQUENCE that was last seen or sent.
  calendar_uid text not null,
  calendar_sequence integer not null default 0,
  -- Whether we sent an invitation. Its recipients get the changes too.
  invited boolean not null default false,
  sending_account_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- How often the meeting was moved by its link.
  page_moves integer not null default 0,
  primary key (account_id, environment, id),
  check (start_at < end_at)
);
comment on table meetings is 'meetings: A meeting from the booking page, a calendar or another service.';
-- Two visitors never get the same start. Bookings also take a lock; this is the second guard.
create unique index meetings_booked_start on meetings (account_id, environment, start_at)
  where source = 'booking_page' and status in ('booked', 'rescheduled');
-- The meeting of a calendar event.
create unique index meetings_calendar on meetings (account_id, environment, calendar_uid);
-- The meetings of a lead, and the list.
create index meetings_lead on meetings (account_id, environment, lead_id, created_at desc);
create index meetings_start on meetings (account_id, environment, start_at desc, id desc);

-- A reminder is sent once, however often its job runs. An address that a visitor typed into a public page gets a bounded number of mails.
-- Rows are kept for a month, and addresses as keyed hashes.
create table meeting_notices (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  key text not null,
  kind text not null check (kind in ('confirmation', 'booked', 'rescheduled', 'canceled', 'reminder')),
  address_hash bytea not null,
  queued_at timestamptz not null,
  primary key (account_id, environment, key, address_hash)
);
comment on table meeting_notices is 'meetings: A mail about a meeting to an address.';
-- The number of mails to an address.
create index meeting_notices_address on meeting_notices (account_id, environment, address_hash, queued_at);
-- Rows are deleted by age.
create index meeting_notices_age on meeting_notices (account_id, environment, queued_at);
