-- Quality patrols say of a problem which 通病 it is, and what was measured against what is allowed.
alter table site_check_problem add column quality_problem text, add column measured text, add column standard text;
create index site_check_problem_quality on site_check_problem (project_code, quality_problem, corp_code) where quality_problem is not null;

-- What a quality patrol looked at: one sub-item (dictionary qualityCheckItem) with its result.
create table quality_check_item (
  check_id text not null references site_check on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  item_code text not null,
  -- Dictionary itemResult.
  result text not null,
  measured text,
  standard text,
  note text,
  primary key (check_id, seq)
);
create index quality_check_item_code on quality_check_item (item_code, check_id);
call zg_by_project('quality_check_item', 'project_code', 'corp_code');
call zg_until_shown('quality_check_item');

-- 质量改进单: several findings of one 通病, their cause, what is mended, what keeps it from coming again, and when that is verified.
-- Mending goes through a notice of rectification, whose state it has.
create table quality_improvement (
  id text primary key,
  code text,
  project_code text not null references project on delete cascade,
  -- The responsible company.
  corp_code text not null references corporation,
  shown_at timestamptz,
  groups text[] not null,
  author_group text not null,
  author_group_name text not null,
  title text not null,
  -- Dictionary qualityProblem.
  quality_problem text not null,
  -- Where its findings come from: a kind of source.
  source_kind text not null,
  -- Groups of causes (人机料法环), and what was found in each.
  causes text[] not null,
  cause_texts text[] not null,
  whys text[] not null default '{}',
  prevention text not null,
  -- What is mended: one entry per line of the notice.
  line_parts text[] not null,
  line_words text[] not null,
  line_persons text[] not null,
  deadline date not null,
  recheck_after date not null,
  target_rate int,
  rectify_id text references rectify on delete set null,
  close_time timestamptz,
  verdict text check (verdict in ('effective', 'ineffective')),
  verdict_opinion text,
  verdict_by text,
  verdict_at timestamptz,
  -- The improvement that did not work.
  follows text references quality_improvement on delete set null,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index quality_improvement_project on quality_improvement (project_code, state, deadline);
create unique index quality_improvement_code on quality_improvement (project_code, code);
create index quality_improvement_notice on quality_improvement (rectify_id) where rectify_id is not null;
call zg_by_project('quality_improvement', 'project_code', 'corp_code');
call zg_until_shown('quality_improvement');

-- A finding that an improvement is about, as it was when it was picked.
create table quality_finding (
  improvement_id text not null references quality_improvement on delete cascade,
  seq int not null,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  shown_at timestamptz,
  groups text[] not null,
  source_kind text not null,
  source_id text not null,
  code text,
  part text not null,
  text text not null,
  measured text,
  found_at timestamptz not null,
  photos text[] not null default '{}',
  primary key (improvement_id, seq)
);
create index quality_finding_source on quality_finding (source_kind, source_id);
call zg_by_project('quality_finding', 'project_code', 'corp_code');
call zg_until_shown('quality_finding');

-- An issued improvement has the state and the deadline of its notice. Whoever moves the notice may not see the improvement.
create function zg_improvement_state() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update quality_improvement i set state = new.state, deadline = new.deadline, close_time = new.close_time where i.rectify_id = new.id;
  return null;
end $$;
create trigger improvement_state after update of state, deadline, close_time on rectify for each row
  when (new.source_kind = 'qualityImprovement') execute function zg_improvement_state();
