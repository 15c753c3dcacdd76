-- Whose campaigns and conversations are, so that people find their own. Nobody's once that user has gone.
alter table campaigns add column owner_id text collate "C";
create index campaigns_owner on campaigns (account_id, owner_id) where owner_id is not null;
alter table threads add column owner_id text collate "C";
create index threads_owner on threads (account_id, owner_id) where owner_id is not null;
