-- Campaigns of province and city (省市督查): an organiser sends groups of people to projects that it names or draws.

create table campaign (
  id text primary key,
  -- Drawn when it is issued.
  code text,
  organiser_group text not null references tenant,
  organiser_name text not null,
  -- Who may know of it: the organiser; an authority from the day on which it may know one of its projects in it.
  groups text[] not null,
  -- From the published report (通报) on, whoever sees one of its projects.
  shown_at timestamptz,
  name text not null,
  -- Dictionary govLevel.
  level text not null,
  start_date date not null,
  end_date date not null,
  -- 飞检: the authority of a project learns of it when the group has signed in.
  surprise boolean not null,
  -- 1 named, 2 drawn.
  draw_mode text not null check (draw_mode in ('1', '2')),
  -- Days that a notice proposes for mending.
  deadline_days int not null check (deadline_days between 1 and 60),
  -- Who rechecks: the authority of the project, or the organiser.
  recheck text not null check (recheck in ('district', 'organiser')),
  summary text,
  issue_time timestamptz,
  lock_time timestamptz,
  finish_time timestamptz,
  urged_at timestamptz,
  state text not null default '0',
  version int not null default 0,
  create_by text not null,
  create_time timestamptz not null,
  update_by text,
  update_time timestamptz not null default now()
);
create index campaign_organiser on campaign (organiser_group, start_date desc);
create index campaign_groups on campaign using gin (groups);
create unique index campaign_code on campaign (organiser_group, code);
call zg_open('campaign');
create policy of_groups on campaign to zg_some, zg_wide using ((select zg_setting('app.group')) = any (groups));
call zg_write_only('campaign', $$organiser_group = (select zg_setting('app.group'))$$);

-- How many projects of which area, risk and kind are drawn.
create table campaign_quota (
  campaign_id text not null references campaign on delete cascade,
  seq int not null,
  -- Each null: any. An area counts with those below it.
  area_code text,
  risk_level text,
  category text,
  seats int not null check (seats > 0),
  primary key (campaign_id, seq)
);
call zg_by_parent('campaign_quota', 'campaign_id', 'campaign');

create table campaign_group (
  campaign_id text not null references campaign on delete cascade,
  seq int not null,
  name text not null,
  area_code text,
  primary key (campaign_id, seq)
);
call zg_by_parent('campaign_group', 'campaign_id', 'campaign');

-- A person of a group: an account of the organiser, or an expert of its library, who may have such an account.
create table campaign_member (
  campaign_id text not null references campaign on delete cascade,
  group_seq int not null,
  seq int not null,
  user_id text references app_user,
  expert_id text references expert,
  name text not null,
  unit text not null,
  leader boolean not null,
  -- Dictionary checkDiscipline: whose sheets he writes.
  disciplines text[] not null,
  primary key (campaign_id, group_seq, seq),
  check (user_id is not null or expert_id is not null)
);
create unique index campaign_member_user on campaign_member (campaign_id, user_id) where user_id is not null;
create unique index campaign_member_expert on campaign_member (campaign_id, expert_id) where expert_id is not null;
create index campaign_member_of on campaign_member (user_id);
call zg_by_parent('campaign_member', 'campaign_id', 'campaign');

-- The same sheets for every project, each of one discipline.
create table campaign_sheet (
  campaign_id text not null references campaign on delete cascade,
  seq int not null,
  discipline text not null,
  sheet_code text not null,
  primary key (campaign_id, seq)
);
create unique index campaign_sheet_once on campaign_sheet (campaign_id, sheet_code);
call zg_by_parent('campaign_sheet', 'campaign_id', 'campaign');

-- One run of the draw: what was frozen, and that it was drawn. List, seed and result are rows of the draw itself (draw_run, draw_result).
create table campaign_run (
  id text primary key,
  campaign_id text not null references campaign on delete cascade,
  run int not null,
  organiser_group text not null,
  -- Why there is another; null for the first.
  reason text,
  candidates int not null,
  list_hash text not null,
  commitment text not null,
  frozen_at timestamptz not null,
  frozen_name text not null,
  drawn_at timestamptz,
  witnesses text[] not null default '{}'
);
create unique index campaign_run_no on campaign_run (campaign_id, run);
call zg_by_group('campaign_run', 'organiser_group');

-- Projects of the organiser that were not in the frozen list, and why.
create table campaign_left_out (
  run_id text not null references campaign_run on delete cascade,
  project_code text not null references project on delete cascade,
  reason text not null,
  primary key (run_id, project_code)
);
call zg_by_parent('campaign_left_out', 'run_id', 'campaign_run');

-- A project of a campaign. Before `shown_at` (the report) only `groups` know of it: the organiser, then its authority.
create table campaign_project (
  id text primary key,
  campaign_id text not null references campaign on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  organiser_group text not null references tenant,
  shown_at timestamptz,
  groups text[] not null,
  -- How it came in: named by hand, drawn, or the next of the draw for one that was replaced.
  source text not null check (source in ('named', 'drawn', 'replacement')),
  run_id text references campaign_run,
  quota_seq int,
  -- Position in the order drawn.
  rank int,
  reason text,
  replaces text references campaign_project,
  group_seq int,
  check_id text,
  -- Why it is no longer in: replaced, removed before the lock, or of a run that another one followed.
  dropped text,
  dropped_at timestamptz,
  create_time timestamptz not null,
  create_name text not null
);
create unique index campaign_project_once on campaign_project (campaign_id, project_code) where dropped_at is null;
create index campaign_project_of on campaign_project (campaign_id, group_seq);
create index campaign_project_project on campaign_project (project_code);
create unique index campaign_project_check on campaign_project (check_id) where check_id is not null;
call zg_by_project('campaign_project', 'project_code', 'corp_code');
call zg_until_shown('campaign_project');
call zg_write_only('campaign_project', $$organiser_group = (select zg_setting('app.group'))$$);

-- The notices of a project were handed to its authority (转办), which follows them up from then on.
create table campaign_entrust (
  id text primary key references campaign_project on delete cascade,
  campaign_id text not null references campaign on delete cascade,
  project_code text not null references project on delete cascade,
  -- The organiser and the authority of the project.
  groups text[] not null,
  to_group text not null references tenant,
  to_name text not null,
  entrusted_at timestamptz not null,
  entrusted_by text not null,
  accepted_at timestamptz,
  accepted_by text
);
create index campaign_entrust_project on campaign_entrust (project_code);
call zg_open('campaign_entrust');
create policy of_groups on campaign_entrust to zg_some, zg_wide using ((select zg_setting('app.group')) = any (groups));

-- A published campaign is known to whoever sees one of its projects. Its groups, quotas and runs follow its row; those are not for the sites.
create policy published on campaign for select to zg_some, zg_wide using (
  shown_at is not null and exists (select from campaign_project p where p.campaign_id = campaign.id and p.dropped_at is null));
do $$
declare child text;
begin
  foreach child in array array['campaign_quota', 'campaign_group', 'campaign_member', 'campaign_sheet'] loop
    execute format(
      'create policy of_authorities on %s as restrictive to zg_some, zg_wide using (
         exists (select 1 from campaign c where c.id = campaign_id and (select zg_setting(''app.group'')) = any (c.groups)))', child);
  end loop;
end $$;

-- Once the list is locked nothing of it changes: a project is replaced by a new line, its own line only says so.
create function zg_campaign_locked() returns trigger language plpgsql as $$
declare locked boolean;
begin
  select c.lock_time is not null into locked from campaign c where c.id = old.campaign_id;
  -- The whole campaign or the whole project goes.
  if locked is null or tg_op = 'DELETE' and not exists (select from project p where p.project_code = old.project_code) then return coalesce(new, old); end if;
  if locked and (tg_op = 'DELETE' or to_jsonb(new) - array['shown_at', 'groups', 'check_id', 'dropped', 'dropped_at']
    <> to_jsonb(old) - array['shown_at', 'groups', 'check_id', 'dropped', 'dropped_at']) then
    raise exception 'the list of a locked campaign is never changed';
  end if;
  -- What was drawn stays, also before the lock.
  if tg_op = 'DELETE' and old.source <> 'named' then raise exception 'a drawn project is never removed'; end if;
  return coalesce(new, old);
end $$;
create trigger locked before update or delete on campaign_project for each row execute function zg_campaign_locked();
