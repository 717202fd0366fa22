-- Spoken notes of a problem, beside its photographs: ids of stored files.
alter table site_check_problem add column voices text[] not null default '{}';
alter table rectify_line add column voices text[] not null default '{}';
