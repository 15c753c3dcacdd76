-- Finds the delivery that waits for its first retry, and holds back what comes after it, without looking at the others.
create index webhook_deliveries_first_retry on webhook_deliveries
  (account_id, environment, webhook_id, tx_id, position) where status = 'pending' and attempts = 1;
