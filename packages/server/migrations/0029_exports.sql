-- Exports of an account: the rows of its tables as files. The files are stored here, because the API and the workers may run on
-- different machines that share only the database.

create table exports (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  id text collate "C" not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed', 'removed')),
  format text not null check (format in ('csv', 'ndjson')),
  from_at timestamptz,
  to_at timestamptz,
  -- Counts up with each worker that writes the files. A worker with an older number writes nothing more.
  run integer not null default 0,
  error text,
  created_at timestamptz not null,
  completed_at timestamptz,
  expires_at timestamptz not null,
  -- Rows are deleted by age. Real time, because a test clock may be years ahead.
  recorded_at timestamptz not null default now(),
  primary key (account_id, environment, id)
);
comment on table exports is 'exports: A request for the data of an environment as files.';
-- One export runs at a time (insertExport).
create unique index exports_running on exports (account_id, environment) where status in ('pending', 'running');
create index exports_age on exports using brin (recorded_at) with (autosummarize = on);

create table export_files (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  export_id text collate "C" not null,
  -- The table of the API whose rows the file has.
  content text collate "C" not null check (content in ('campaigns', 'templates', 'sending_accounts', 'tags', 'lists', 'list_members',
    'people', 'leads', 'suppressions', 'conversations', 'messages', 'meetings', 'tasks', 'events')),
  position integer not null,
  rows bigint not null default 0,
  bytes bigint not null default 0,
  -- SHA-256 of the uncompressed file. Null until the file is complete.
  sha256 bytea,
  primary key (account_id, environment, export_id, content),
  foreign key (account_id, environment, export_id) references exports on delete cascade
);
comment on table export_files is 'exports: A file of an export, and how far it is written.';

create table export_chunks (
  account_id text collate "C" not null,
  environment text not null check (environment in ('live', 'test')),
  export_id text collate "C" not null,
  content text collate "C" not null,
  position integer not null,
  -- A part of the file, compressed with gzip.
  packed bytea not null,
  -- The order of the download (listChunk).
  primary key (account_id, environment, export_id, content, position),
  foreign key (account_id, environment, export_id, content) references export_files on delete cascade
);
comment on table export_chunks is 'exports: A part of a file of an export.';
-- The parts are compressed already.
alter table export_chunks alter column packed set storage external;
