-- 行政处罚建议书 (监督文书 207): drafted when a notice of an authority failed its third recheck. Until it is issued only the authority knows of it.
create table rectify_penalty (
  id text primary key,
  code text,
  rectify_id text not null references rectify on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  issuer_group text not null,
  facts text not null,
  clause text not null,
  -- Whole yuan; null until the officer proposes one.
  amount_yuan int,
  issue_time timestamptz,
  issued_by text,
  drop_reason text,
  state text not null default '0' check (state in ('0', '1', '2')),
  version int not null default 0,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  check (state <> '1' or (code is not null and shown_at is not null)),
  check (state <> '2' or drop_reason is not null)
);
-- One proposal of a notice at a time.
create unique index rectify_penalty_open on rectify_penalty (rectify_id) where state in ('0', '1');
create unique index rectify_penalty_code on rectify_penalty (issuer_group, code);
call zg_by_project('rectify_penalty', 'project_code', 'corp_code');
call zg_until_shown('rectify_penalty');
