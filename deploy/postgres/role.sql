-- Creates the role and the database of the product. The image runs this file once, as the superuser, when the volume is empty. The
-- role is no superuser. It may create the role behind which requests see only one account. Afterwards the superuser has no password,
-- so it can log in only inside the container.
\getenv password POSTGRES_PASSWORD
create role overture login createrole password :'password';
create database overture owner overture;
alter role current_user password null;
