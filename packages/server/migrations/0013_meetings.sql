create table meeting_availability (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null check (environment in ('live', 'test')),
  -- The name of the booking page, among all accounts.
  slug text not null,
  settings jsonb not null,
  -- AES-256-GCM, {calComSecret, calendlySigningKey}
  integrations bytea,
  -- Null until the account has set its availability: only then is there a page for everybody.
  updated_at timestamptz,
  primary key (account_id, environment)
);
comment on table meeting_availability is 'meetings: When meetings can be booked, and under which name.';
-- Whose page it is: the one look that knows no account yet.
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
  -- UID of the calendar event, ours or another calendar's, and the SEQUENCE last seen or sent.
  calendar_uid text not null,
  calendar_sequence integer not null default 0,
  -- Whether we sent an invitation, so that a change is told to whoever got it.
  invited boolean not null default false,
  sending_account_id text collate "C",
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- How often the meeting was moved by its link.
  page_moves integer not null default 0,
  primary key (account_id, environment, id),
  check (start_at < end_at)
);
comment on table meetings is 'meetings: Meetings from the booking page, calendars and other services.';
-- Second wall behind the lock that bookings take: two visitors never get the same start.
create unique index meetings_booked_start on meetings (account_id, environment, start_at)
  where source = 'booking_page' and status in ('booked', 'rescheduled');
-- The meeting of a calendar's event.
create unique index meetings_calendar on meetings (account_id, environment, calendar_uid);
-- Those of a lead, and the list.
create index meetings_lead on meetings (account_id, environment, lead_id, created_at desc);
create index meetings_start on meetings (account_id, environment, start_at desc, id desc);

-- A reminder is sent once, however often its job runs, and an address that somebody typed into a public page gets a bounded
-- number. Addresses as keyed hashes; kept for a month.
create table meeting_notices (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  key text not null,
  kind text not null check (kind in ('confirmation', 'booked', 'rescheduled', 'canceled', 'reminder')),
  address_hash bytea not null,
  queued_at timestamptz not null,
  primary key (account_id, environment, key, address_hash)
);
comment on table meeting_notices is 'meetings: Mails about meetings, by what they say.';
-- How many an address had, and what may be forgotten.
create index meeting_notices_address on meeting_notices (account_id, environment, address_hash, queued_at);
create index meeting_notices_age on meeting_notices (account_id, environment, queued_at);
