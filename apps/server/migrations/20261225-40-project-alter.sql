-- 项目变更: an application changes one kind of data (dictionary projectAlterType). What it changes stands in rows of its own, one for each
-- field, and for a change of 项目负责人 or 总监 in one row about the newcomer.

alter table project_change
  add column type text not null default '9' check (type in ('1', '2', '3', '4', '5', '6', '7', '9')),
  add column code text,
  add column files text[] not null default '{}',
  -- The owner's consent to another 项目负责人 or 总监.
  add column consent text[] not null default '{}';
alter table project_change alter column type drop default;

create table project_change_field (
  change_id text not null references project_change on delete cascade,
  seq int not null,
  field text not null check (field in ('name', 'buildCorpCode', 'contractorCorpCode', 'invest', 'contractPrice', 'buildingArea', 'startDate',
    'completeDate', 'areaCode', 'address', 'superviseOrg', 'superviseNo', 'matter')),
  old_value text,
  new_value text not null,
  primary key (change_id, field)
);
insert into project_change_field (change_id, seq, field, old_value, new_value)
  select x.id, row_number() over (partition by x.id order by e.key)::int, e.key, e.value ->> 'from', e.value ->> 'to'
  from project_change x, jsonb_each(x.changes) e;
-- Applications of earlier versions could mix; those that do are of type 9.
update project_change x set type = coalesce((
  select case when count(distinct t) = 1 then min(t) end from (
    select case when field = 'name' then '1' when field in ('buildCorpCode', 'contractorCorpCode') then '2'
      when field in ('invest', 'contractPrice', 'buildingArea') then '5' when field in ('startDate', 'completeDate') then '6'
      when field in ('areaCode', 'address') then '7' else '9' end as t
    from project_change_field f where f.change_id = x.id) types), '9');
alter table project_change drop column changes;
call zg_by_parent('project_change_field', 'change_id', 'project_change');

create table project_change_person (
  change_id text primary key references project_change on delete cascade,
  -- 009: 项目负责人 of the general contractor; 007: 总监 of the supervisor.
  corp_type text not null check (corp_type in ('007', '009')),
  corp_code text not null references corporation,
  old_name text,
  new_name text not null,
  id_card_type text not null,
  id_card_number bytea not null,
  id_card_hash text not null,
  id_card_mask text not null,
  cell_phone bytea,
  cell_phone_mask text
);
call zg_by_parent('project_change_person', 'change_id', 'project_change');

-- The state is now that of its approval (dictionary approvalState); a withdrawn application stays.
drop index project_change_open;
alter table project_change drop constraint project_change_state_check;
alter table project_change alter column state set default '1';
update project_change set state = (state::int + 1)::text;
alter table project_change add constraint project_change_state_check check (state in ('1', '2', '3', '4'));
create unique index project_change_open on project_change (project_code, type) where state = '1';

-- Who answers for a part of a project, found again in other projects.
alter table project_corp add column pm_id_card_hash text;
create index project_corp_pm on project_corp (pm_id_card_hash) where pm_id_card_hash is not null;

-- Only an authority or the platform lets a change take effect; what is decided stays decided.
create or replace function zg_decide_change() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not zg_in_request() then return new; end if;
  if old.state <> '1' then
    raise insufficient_privilege using message = 'the application is decided';
  end if;
  if new.state = '2' and coalesce((zg_group()).type, 3) > 1 then
    raise insufficient_privilege using message = 'an application is accepted by the authority or the platform';
  end if;
  return new;
end $$;

-- What the approval of an application says to everybody who sees the application, whether or not his group takes part in it yet.
create function zg_change_course(p_change text)
returns table (item_id text, code text, node text, came_at timestamptz) language sql stable security definer set search_path = public as $$
  select i.id, i.code, i.node, coalesce((select max(s.began_at) from work_step s where s.item_id = i.id and s.state = '1'), i.create_time)
  from work_item i where i.kind = 'projectChange' and i.object_id = p_change order by i.create_time desc, i.id desc limit 1
$$;

-- The companies and authorities that applications name, which all who see an application may read.
create function zg_change_names(p_changes text[]) returns table (code text, name text) language sql stable security definer set search_path = public as $$
  with named as (
    select unnest(array[f.old_value, f.new_value]) as code from project_change_field f
    where f.change_id = any (p_changes) and f.field in ('buildCorpCode', 'contractorCorpCode', 'superviseOrg'))
  select g.gov_code, g.name from government g where g.gov_code in (select n.code from named n)
  union all select c.corp_code, c.corp_name from corporation c where c.corp_code in (select n.code from named n)
    or c.corp_code in (select h.corp_code from project_change_person h where h.change_id = any (p_changes))
$$;

-- What happened in the approval of an application, for everybody who sees the application.
create function zg_change_events(p_change text) returns setof work_event language sql stable security definer set search_path = public as $$
  select e.* from work_event e where e.item_id = (select k.item_id from zg_change_course(p_change) k) order by e.seq
$$;
