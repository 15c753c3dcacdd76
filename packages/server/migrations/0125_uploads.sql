-- An upload that is still coming in, or was given up: no import yet. One at a time for a key, under a lease.
alter table imports add column upload_key_id text, add column upload_until timestamptz;
alter table imports drop constraint imports_status_check;
alter table imports add constraint imports_status_check
  check (status in ('uploading', 'abandoned', 'pending', 'running', 'completed', 'failed'));
create unique index imports_uploading on imports (account_id, upload_key_id) where status = 'uploading';
