-- What an analysis of a pour says for the next one of the same bay: read before that begins.
create table pour_advice (
  id text primary key,
  project_code text not null references project on delete cascade,
  bay_name text not null,
  text text not null,
  by_name text not null,
  at timestamptz not null
);
create index pour_advice_bay on pour_advice (project_code, bay_name, at desc);
call zg_by_project('pour_advice');
