-- Dust checks (六个百分百): a row of site_check with the items and what the platform itself knew.
create table dust_check (
  check_id text primary key references site_check on delete cascade,
  project_code text not null references project on delete cascade,
  -- Null: it concerns the whole site.
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  -- Dictionaries dustResponseLevel, weather.
  response_level text,
  weather text,
  pm10 numeric(8, 1),
  -- [{code, result, note, photos}]
  items jsonb not null default '[]',
  fail_codes text[] not null default '{}',
  pass_rate numeric(5, 2),
  -- Dictionary checkResult; null for a draft.
  result text,
  -- What the platform knew when it was submitted.
  evidence jsonb,
  -- The station raised an alarm about dust within an hour of a check in which everything fitted.
  contradicted boolean not null default false
);
create index dust_check_project on dust_check (project_code) where contradicted;
call zg_by_project('dust_check', 'project_code', 'corp_code');
call zg_until_shown('dust_check');
