-- Misconduct of companies, people, teams and experts: proposed, decided, published, appealed, repaired. One table for the four targets.
create table misconduct (
  id text primary key,
  -- Drawn when it is submitted.
  code text,
  -- Null only for an expert: his record belongs to the library.
  project_code text references project on delete cascade,
  -- The company that answers: the target itself, or whose person or team it is. Null for an expert.
  corp_code text references corporation,
  -- Set by the decision: before it only the groups of proposer and decider know of the record.
  shown_at timestamptz,
  groups text[] not null,
  -- Dictionary badActionTarget: 1 person, 2 team, 3 company, 4 expert.
  target_type text not null check (target_type in ('1', '2', '3', '4')),
  worker_id text references worker,
  team_id text,
  expert_id text references expert on delete cascade,
  target_name text not null,
  type text not null,
  level text not null check (level in ('1', '2', '3')),
  degree text not null,
  occurrence_date date,
  fact text not null default '',
  basis text not null default '',
  score numeric(4, 1) not null check (score between 0 and 20),
  source text not null,
  source_id text,
  -- Drafted by the system; it never decides by itself.
  system boolean not null default false,
  apart boolean not null default false,
  files text[] not null default '{}',
  propose_group text not null,
  propose_group_name text not null,
  proposer_id text,
  proposer_name text,
  propose_time timestamptz,
  -- The groups of the company and of the site that answer for the target; null without an account.
  party_group text,
  site_group text,
  decide_group text,
  decide_group_name text,
  decider_id text,
  decider_name text,
  decide_time timestamptz,
  decide_opinion text,
  -- Number of the 认定书.
  doc_code text,
  appeal_days int,
  appeal_until date,
  months int,
  receiver text,
  receive_time timestamptz,
  serve_files text[] not null default '{}',
  publish_start date,
  publish_end date,
  -- Points that were taken from the company's credit score, and when they were given back.
  deducted numeric(4, 1),
  returned_at timestamptz,
  worker_bad_id text,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now(),
  constraint misconduct_project check (project_code is not null or target_type = '4')
);
create index misconduct_list on misconduct (project_code, state, occurrence_date desc);
create index misconduct_groups on misconduct using gin (groups);
create index misconduct_expert on misconduct (expert_id) where expert_id is not null;
create index misconduct_corp on misconduct (corp_code, occurrence_date) where corp_code is not null;
create index misconduct_ends on misconduct (publish_end) where state = '2';
-- The system drafts one record for a notice; a rejected or cancelled one does not stand in the way of another.
create unique index misconduct_notice on misconduct (source_id) where source_id is not null and system and state not in ('3', '7');
call zg_by_project('misconduct', 'project_code', 'corp_code');
call zg_until_shown('misconduct');
call zg_without_project('misconduct');

-- Appeals and applications for repair, with what became of them.
create table misconduct_plea (
  id text primary key,
  misconduct_id text not null references misconduct on delete cascade,
  project_code text references project on delete cascade,
  corp_code text,
  shown_at timestamptz,
  groups text[] not null,
  kind text not null check (kind in ('appeal', 'repair')),
  reason text not null,
  files text[] not null default '{}',
  by_id text not null,
  by_name text not null,
  group_name text not null,
  at timestamptz not null,
  -- Null: undecided.
  granted boolean,
  opinion text,
  decided_name text,
  decided_at timestamptz
);
create index misconduct_plea_of on misconduct_plea (misconduct_id, at);
create unique index misconduct_plea_open on misconduct_plea (misconduct_id) where granted is null;
call zg_by_project('misconduct_plea', 'project_code', 'corp_code');
call zg_until_shown('misconduct_plea');
call zg_without_project('misconduct_plea');

-- A confirmed record of a person that a decision brought about: the appeal is made against the decision.
alter table worker_bad add column misconduct_id text;
create unique index worker_bad_misconduct on worker_bad (misconduct_id) where misconduct_id is not null;

-- Cases of experts, as the library counts them: who has an open one is not drawn, and its points are deducted in its year.
create table expert_fault (
  -- The id of the record of misconduct.
  id text primary key,
  library_group text not null references expert_library,
  expert_id text not null references expert on delete cascade,
  year int not null,
  -- 0 until it is decided.
  points numeric(4, 1) not null default 0,
  -- Open: proposed, published or appealed.
  since timestamptz not null,
  until timestamptz
);
create index expert_fault_of on expert_fault (expert_id, year);
call zg_by_group('expert_fault', 'library_group');

-- Experts with an open case, for every organiser of a draw: he learns that they cannot be drawn, not why.
create function zg_expert_frozen(p_experts text[]) returns setof text language sql stable security definer set search_path = public as $$
  select distinct expert_id from expert_fault where expert_id = any (p_experts) and until is null
$$;
-- Points deducted from an expert in a year.
create function zg_expert_deducted(p_expert text, p_year int) returns numeric language sql stable security definer set search_path = public as $$
  select coalesce(sum(points), 0) from expert_fault where expert_id = p_expert and year = p_year and until is null
$$;

-- The credit score of a company changes by a record of misconduct only, through zg_change_credit: at its decision, and back when it is over.
create or replace function zg_keep_corporation() returns trigger language plpgsql security definer set search_path = public as $$
declare
  asker tenant := zg_group();
  regulates boolean := asker.type = 1 and old.area_code ^@ zg_group_area();
begin
  if not zg_in_request() or asker.type = 0
    or (tg_op = 'UPDATE' and asker.type = 2 and asker.code = old.corp_code and new.corp_code = old.corp_code and new.enable = old.enable)
    or (tg_op = 'UPDATE' and regulates and to_jsonb(new) - 'enable' = to_jsonb(old) - 'enable')
    or (tg_op = 'UPDATE' and zg_setting('app.credit') = old.corp_code
      and to_jsonb(new) - 'credit_score' - 'update_time' = to_jsonb(old) - 'credit_score' - 'update_time')
    or (tg_op = 'DELETE' and regulates)
  then
    return case tg_op when 'DELETE' then old else new end;
  end if;
  raise insufficient_privilege using message = 'a company''s file is the company''s own';
end $$;

-- Adds points to the score of the company that a record is about, between 0 and 150; answers what was added in fact. Only the group that
-- decides the record, never the company itself, or an authority of the project's area.
create function zg_change_credit(p_record text, p_points numeric, p_now timestamptz) returns numeric language plpgsql security definer set search_path = public as $$
declare
  asker tenant := zg_group();
  record_of misconduct;
  before numeric;
  after numeric;
begin
  select * into record_of from misconduct where id = p_record;
  if record_of.id is null or zg_in_request() and not (
    record_of.decide_group = asker.id and not (asker.type = 2 and asker.code = record_of.corp_code)
    or asker.type = 1 and exists (select 1 from project where project_code = record_of.project_code and area_code ^@ zg_group_area()))
  then
    raise insufficient_privilege using message = 'a credit score is changed by whoever decides';
  end if;
  select credit_score into before from corporation where corp_code = record_of.corp_code for update;
  after := least(150, greatest(0, before + p_points));
  perform set_config('app.credit', record_of.corp_code, true);
  update corporation set credit_score = after, update_time = p_now where corp_code = record_of.corp_code;
  perform set_config('app.credit', '', true);
  return coalesce(after - before, 0);
end $$;
