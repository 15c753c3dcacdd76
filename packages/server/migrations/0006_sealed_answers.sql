-- Answers kept under an idempotency key are sealed: some hold what was paid for or is masked elsewhere. `body` is read
-- of answers from before, for the day that they are kept.
alter table idempotency_keys add column sealed_body bytea;
