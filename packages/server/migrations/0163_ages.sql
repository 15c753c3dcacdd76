-- What is forgotten by its age is found by it.
create index generations_age on generations (created_at);
create index jobs_dead on jobs (dead_at) where dead_at is not null;
