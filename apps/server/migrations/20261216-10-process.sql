-- Records with states of their own (notices, checks, permits): what all kinds share.

-- A row that is not yet disclosed belongs to the groups it names; from shown_at on, project and company decide as everywhere else.
create procedure zg_until_shown(target regclass) language plpgsql as $$
begin
  execute format(
    'create policy until_shown on %s as restrictive to zg_some, zg_wide using (
       (select zg_outside()) or shown_at is not null or (select zg_setting(''app.group'')) = any (groups))',
    target);
end $$;

create table process_log (
  id text primary key,
  kind text not null,
  object_id text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  action text not null,
  from_state text,
  to_state text not null,
  by_id text not null,
  by_name text not null,
  group_name text not null,
  opinion text,
  at timestamptz not null
);
create index process_log_object on process_log (kind, object_id, at);
call zg_by_project('process_log', 'project_code', 'corp_code');
call zg_until_shown('process_log');

-- Who has to act on a record now, and until when. Written and removed in the transaction that changes its state.
create table process_todo (
  id text primary key,
  kind text not null,
  object_id text not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  -- Whose turn it is, by the word of the kind; `for_group` where it is one group.
  turn text not null,
  for_group text,
  -- The permission codes of which the doer needs one.
  codes text[] not null,
  title text not null,
  link text not null,
  since timestamptz not null,
  due date,
  -- The deadline ladder: steps taken, and when the next one is due.
  step int not null default 0,
  next_at timestamptz
);
create index process_todo_object on process_todo (kind, object_id);
create index process_todo_project on process_todo (project_code, due);
create index process_todo_next on process_todo (next_at) where next_at is not null;
call zg_by_project('process_todo', 'project_code', 'corp_code');
call zg_until_shown('process_todo');

-- Numbers of papers by owner, type and year: drawn in the transaction that issues, so without gaps. The owner is the issuing group, or a
-- project whose issuers share one series.
create table document_number (
  owner text not null,
  doc_type text not null,
  year int not null,
  last int not null,
  primary key (owner, doc_type, year)
);
call zg_open('document_number');
create policy own_numbers on document_number to zg_some, zg_wide
  using (owner = (select zg_setting('app.group')) or owner = any ((select zg_list('app.projects'))::text[]));

create table rectify (
  id text primary key,
  code text,
  origin text not null check (origin in ('gov', 'site')),
  project_code text not null references project on delete cascade,
  -- The responsible company.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  issuer_group text not null,
  issuer_group_name text not null,
  issuer_id text not null,
  issuer_name text not null,
  source_type text not null,
  notice_type text not null,
  category text not null,
  level text not null,
  major_clause text,
  check_date date not null,
  deadline date not null,
  responsible_person text not null,
  issue_time timestamptz,
  receiver text,
  receive_time timestamptz,
  deemed boolean not null default false,
  reply_time timestamptz,
  replier_id text,
  returns int not null default 0,
  extend_count int not null default 0,
  urged_at timestamptz,
  close_time timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index rectify_project on rectify (project_code, state, deadline);
create index rectify_issuer on rectify (issuer_group, state);
create unique index rectify_code on rectify (issuer_group, code) where origin = 'gov';
create unique index rectify_site_code on rectify (project_code, code) where origin = 'site';
call zg_by_project('rectify', 'project_code', 'corp_code');
call zg_until_shown('rectify');

create table rectify_line (
  id text primary key,
  rectify_id text not null references rectify on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  seq int not null,
  description text not null,
  part text not null,
  clause text,
  requirement text not null,
  person text,
  photos text[] not null default '{}',
  state text not null default 'open' check (state in ('open', 'answered', 'passed'))
);
create unique index rectify_line_seq on rectify_line (rectify_id, seq);
call zg_by_project('rectify_line', 'project_code', 'corp_code');
call zg_until_shown('rectify_line');

-- One answer to one problem in one round, with the verdicts of 监理 and of the issuer. A draft is replaced until it is sent.
create table rectify_answer (
  line_id text not null references rectify_line on delete cascade,
  round int not null,
  rectify_id text not null references rectify on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  measure text not null,
  photos text[] not null default '{}',
  done_date date,
  person text,
  by_id text not null,
  by_name text not null,
  at timestamptz not null,
  draft boolean not null,
  review_passed boolean,
  review_opinion text,
  recheck_passed boolean,
  recheck_opinion text,
  primary key (line_id, round)
);
create index rectify_answer_notice on rectify_answer (rectify_id);
call zg_by_project('rectify_answer', 'project_code', 'corp_code');
call zg_until_shown('rectify_answer');

create table rectify_extension (
  id text primary key,
  rectify_id text not null references rectify on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  until_day date not null,
  reason text not null,
  by_name text not null,
  at timestamptz not null,
  agreed boolean,
  opinion text,
  decided_by text
);
create index rectify_extension_notice on rectify_extension (rectify_id);
call zg_by_project('rectify_extension', 'project_code', 'corp_code');
call zg_until_shown('rectify_extension');
