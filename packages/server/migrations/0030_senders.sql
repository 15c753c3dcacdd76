-- What the sender workers look for across accounts, and what deleting a sender asks.
create index sending_accounts_retry on sending_accounts (retry_at) where status = 'connection_error';
create index threads_sender on threads (account_id, environment, sending_account_id) where has_inbound and not archived;
