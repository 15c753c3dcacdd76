-- A company that changed changes its people's documents in a search cluster.
create index finder_people_company on finder_people (dataset, company_id) where company_id is not null;
