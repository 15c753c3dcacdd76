-- A key ends with the key that made it; null: made by the operator, or before this was kept.
alter table api_keys add column parent_id text collate "C";
create index api_keys_parent on api_keys (account_id, parent_id) where parent_id is not null;
