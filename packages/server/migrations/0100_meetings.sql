-- Meetings, and when there is time for them.

create table meeting_availability (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
  slug text not null,
  settings jsonb not null,
  -- AES-256-GCM, {calComSecret, calendlySigningKey}
  integrations bytea,
  updated_at timestamptz not null,
  primary key (account_id, environment)
);
create unique index meeting_availability_slug on meeting_availability (slug);

create table meetings (
  account_id text collate "C" not null references accounts on delete cascade,
  environment text not null,
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
  primary key (account_id, environment, id),
  check (start_at < end_at)
);
create unique index meetings_calendar on meetings (account_id, environment, calendar_uid);
create index meetings_start on meetings (account_id, environment, start_at desc, id desc);
create index meetings_lead on meetings (account_id, environment, lead_id, created_at desc);
-- Second wall behind the lock that bookings take: two visitors never get the same start.
create unique index meetings_booked_start on meetings (account_id, environment, start_at)
  where source = 'booking_page' and status in ('booked', 'rescheduled');
