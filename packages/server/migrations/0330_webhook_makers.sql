-- The person who made an endpoint; null: a key without a person, or made earlier. The endpoint stays when the person goes, and
-- whoever removes them is shown it.
alter table webhooks add column created_by text collate "C";
