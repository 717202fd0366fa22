-- Black lists of people and companies. An entry says whom it is about, how far it reaches (scope 1 a project, 2 a company's projects and
-- people, 3 an area), and in which state it is (dictionary misconductState). States 2 and 4 hold between its two days.

create table black_entry (
  id text primary key,
  kind text not null check (kind in ('worker', 'corp')),
  group_id text not null,
  group_name text not null,
  scope text not null check (scope in ('1', '2', '3')),
  -- A project, a company or an area, by scope.
  scope_code text not null,
  source_project text references project on delete cascade,
  id_card_type text, id_card_number bytea, id_card_hash text, id_card_mask text,
  name text not null,
  corp_code text references corporation,
  doc_no text, decide_org text,
  reason_type text not null,
  reason text not null,
  occurrence_date date not null,
  start_date date not null,
  end_date date not null,
  files jsonb not null default '[]',
  notified_time timestamptz,
  state text not null default '0' check (state in ('0', '1', '2', '3', '4', '5', '6', '7')),
  submit_by text, submit_time timestamptz,
  -- Who recognised it, as it is told to whoever is refused by it.
  issuer text, decided_by text, decided_time timestamptz,
  create_time timestamptz not null default now(),
  create_by text, create_name text, update_time timestamptz, update_by text, version int not null default 0,
  check (case kind when 'worker' then id_card_hash is not null and notified_time is not null else corp_code is not null and doc_no is not null end)
);
create index black_entry_person on black_entry (id_card_hash) where kind = 'worker';
create index black_entry_corp on black_entry (corp_code) where kind = 'corp';
create index black_entry_list on black_entry (kind, start_date desc, id desc);
create index black_entry_end on black_entry (end_date) where state = '2';
create index black_entry_source on black_entry (source_project);
-- Nobody is listed twice for the same reach: the entry that is there is gone on with.
create unique index black_entry_worker_once on black_entry (id_card_type, id_card_hash, scope, scope_code) where kind = 'worker' and state in ('0', '1', '2', '4');
create unique index black_entry_corp_once on black_entry (corp_code, scope, scope_code) where kind = 'corp' and state in ('0', '1', '2', '4');

create table black_log (
  id text primary key,
  entry_id text not null references black_entry on delete cascade,
  action text not null,
  from_state text, to_state text not null,
  opinion text not null default '',
  files jsonb not null default '[]',
  at timestamptz not null,
  by_user text, by_name text not null, group_name text not null
);
create index black_log_entry on black_log (entry_id, at);

-- Who was kept out because of an entry, where and by what.
create table black_refusal (
  id text primary key,
  entry_id text not null references black_entry on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text,
  way text not null check (way in ('entry', 'join', 'team')),
  at timestamptz not null,
  by_name text not null
);
create index black_refusal_entry on black_refusal (entry_id, at);
create index black_refusal_project on black_refusal (project_code, at);

-- What the list took from a stay, to be given back when it lets go.
alter table project_worker add column black_paused boolean not null default false, add column black_gates text[] not null default '{}';

-- The company a request works for; null for every other kind of group.
create function zg_group_corp() returns text language sql stable security definer set search_path = public as
$$ select code from tenant where id = zg_setting('app.group') and type = 2 $$;

create function zg_area_front(area text) returns text language sql immutable parallel safe as $$ select regexp_replace(area, '(00){1,2}$', '') $$;

create function zg_black_reaches(p_scope text, p_code text, p project, p_corp text) returns boolean language sql immutable as $$
  select case p_scope
    when '1' then p_code = p.project_code
    when '2' then p_code in (p.contractor_corp_code, p.build_corp_code, p_corp)
    else p.area_code ^@ zg_area_front(p_code) end
$$;

-- What holds against somebody at a project, whoever asks: reason, days and issuer, and no story. Owner's rights, as a list reaches further
-- than the one who is asked can see.
create function zg_black_of(p_kind text, p_subject text[], p_project text, p_corp text, p_day date)
returns table (id text, subject text, reason_type text, scope text, scope_code text, start_date date, end_date date, issuer text)
language sql stable security definer set search_path = public as $$
  select e.id, case p_kind when 'worker' then e.id_card_hash else e.corp_code end, e.reason_type, e.scope, e.scope_code, e.start_date, e.end_date,
    coalesce(e.issuer, e.group_name)
  from black_entry e join project p on p.project_code = p_project
  where e.kind = p_kind and (case p_kind when 'worker' then e.id_card_hash else e.corp_code end) = any (p_subject)
    and e.state in ('2', '4') and p_day between e.start_date and e.end_date and zg_black_reaches(e.scope, e.scope_code, p, p_corp)
  order by e.end_date desc, e.id
$$;

-- Marks the stays of a person by what holds against him on a day, past ones too: a gate knows of them. A list that begins suspends work and
-- takes the face off the gates; one that ends gives back what it alone had taken. Owner's rights: a list reaches stays its decider need not see. Answers the stays changed.
create function zg_black_turn(p_hash text, p_day date, p_now timestamptz) returns int language plpgsql security definer set search_path = public, pg_temp as $$
declare
  s record;
  turned int := 0;
begin
  for s in
    select w.id, w.worker_id, w.project_code, w.corp_code, w.black_gates, w.exit_time is null as present, b.hit
    from project_worker w cross join lateral (
      select exists (select 1 from zg_black_of('worker', array[p_hash], w.project_code, w.corp_code, p_day)) as hit) b
    where w.id_card_hash = p_hash and w.black_hit <> b.hit
    for update of w
  loop
    turned := turned + 1;
    if not s.present then
      update project_worker set black_hit = s.hit, black_paused = false, black_gates = '{}' where id = s.id;
    elsif s.hit then
      update project_worker set black_hit = true, black_paused = formal_status = '1',
        formal_status = case formal_status when '1' then '2' else formal_status end,
        black_gates = coalesce((select array_agg(g.device_id) from gate_face g
          where g.worker_id = s.worker_id and g.project_code = s.project_code and g.state <> '3'), '{}'), version = version + 1
      where id = s.id;
      update gate_face set state = '3', reason = '列入黑名单', at = p_now
      where worker_id = s.worker_id and project_code = s.project_code and state <> '3';
    else
      update project_worker set black_hit = false, black_paused = false, black_gates = '{}',
        formal_status = case when black_paused and formal_status = '2' then '1' else formal_status end, version = version + 1
      where id = s.id;
      insert into gate_face (device_id, worker_id, project_code, corp_code, state, at)
      select d.id, s.worker_id, s.project_code, s.corp_code, '0', p_now from device d
      where d.id = any (s.black_gates) and d.project_code = s.project_code
        and exists (select 1 from worker b where b.id = s.worker_id and b.consents @> '[{"kind":"face","state":"同意"}]')
      on conflict (device_id, worker_id) do update set state = '0', reason = null, at = excluded.at where gate_face.state = '3';
    end if;
  end loop;
  return turned;
end $$;

-- ---- who sees what: the side that proposed, ran into or decides an entry sees all of it; whoever it holds for sees that it holds.
do $$
declare
  -- The group that wrote it, the site it comes from and whoever runs or supervises that, the company or authority it is decided by.
  side constant text := $side$
    group_id = (select zg_setting('app.group'))
    or (state <> '0' and (
      (source_project = any ((select zg_list('app.projects'))::text[]) and source_project <> all ((select zg_list('app.limited'))::text[]))
      or (scope = '2' and scope_code = (select zg_group_corp()))
      or (scope = '3' and (zg_area_front(scope_code) ^@ (select zg_group_area()) or (select zg_group_area()) ^@ zg_area_front(scope_code)))
      or corp_code = (select zg_group_corp())
      or ((select zg_setting('app.limited')) <> '' and kind = 'worker' and exists (
        select 1 from project_worker w where w.id_card_hash = black_entry.id_card_hash and w.exit_time is null))))
  $side$;
  holds constant text := $holds$
    state in ('2', '4') and (
      (kind = 'corp' and scope = '3')
      or (scope = '1' and scope_code in (select project_code from project where project_code <> all ((select zg_list('app.limited'))::text[])))
      or (scope = '2' and scope_code in (
        select unnest(array[contractor_corp_code, build_corp_code]) from project where project_code <> all ((select zg_list('app.limited'))::text[])))
      or (scope = '3' and zg_area_front(scope_code) in (
        select left(area_code, n) from project, unnest(array[2, 4, 6]) n where project_code <> all ((select zg_list('app.limited'))::text[]))))
  $holds$;
begin
  call zg_open('black_entry');
  execute format('create policy sees on black_entry for select to zg_some, zg_wide using ((%s) or (%s))', side, holds);
  execute 'create policy proposes on black_entry for insert to zg_some, zg_wide with check (group_id = (select zg_setting(''app.group'')))';
  execute format('create policy handles on black_entry for update to zg_some, zg_wide using (%s) with check (%s)', side, side);
  execute 'create policy drops on black_entry for delete to zg_some, zg_wide using (group_id = (select zg_setting(''app.group'')) and state = ''0'')';
end $$;
call zg_by_parent('black_log', 'entry_id', 'black_entry');
call zg_by_project('black_refusal', 'project_code', 'corp_code');


-- What is agreed with a unit beyond its contract's number: how its people are paid and insured, what was added to the contract.
alter table project_corp
  add column agreement_file jsonb not null default '[]',
  -- [{kind, policyNo, insurer, startDate, endDate}], dictionary insuranceType.
  add column insurances jsonb not null default '[]',
  -- [{date, amount, remark, files}]: supplements, oldest first.
  add column contract_changes jsonb not null default '[]',
  add column remark text,
  -- Accounts that somebody wants to change and another has still to confirm: {accounts, by, byName, at}.
  add column account_change jsonb;

-- A stay of a team: what was handed in when it came and went.
alter table project_team
  add column entry_attachments jsonb not null default '[]',
  add column exit_attachments jsonb not null default '[]',
  add column remark text,
  add column version int not null default 0;

-- What an outside register says of companies and their qualified people, as it was handed in: read by everybody, filled by the platform.
create table enterprise_register (
  corp_code text primary key,
  corp_name text not null,
  corp_kind text[] not null default '{}',
  area_code text,
  address text, legal_man text,
  reg_capital numeric(18,4),
  establish_date date,
  safety_license_no text, safety_license_end date,
  -- [{name, level, certCode, endDate}]
  qualifications jsonb not null default '[]',
  -- [{date, title, org, docNo, endDate, good}]
  records jsonb not null default '[]',
  source text not null,
  as_of date not null,
  update_time timestamptz not null default now()
);
create table enterprise_operator (
  id text primary key,
  corp_code text not null references enterprise_register on delete cascade,
  name text not null,
  id_card_hash text not null,
  id_card_mask text not null,
  -- 注册, 安管, 技术, 特种
  kind text not null,
  cert_name text not null, cert_no text not null, trade text,
  valid_end date,
  state text not null default '有效',
  -- Where the register has him in a post.
  post text, project_name text
);
create index enterprise_operator_corp on enterprise_operator (corp_code, name);
create index enterprise_operator_person on enterprise_operator (id_card_hash);
create unique index enterprise_operator_cert on enterprise_operator (corp_code, cert_no);
call zg_reference('enterprise_register');
call zg_reference('enterprise_operator');

-- Somebody who has not passed for long and is on site all the same: until when that holds, who said so and why.
create table exit_keep (
  project_worker_id text primary key references project_worker on delete cascade,
  project_code text not null references project on delete cascade,
  corp_code text not null,
  until_day date not null,
  reason text not null,
  by_name text not null,
  at timestamptz not null
);
call zg_by_project('exit_keep', 'project_code', 'corp_code');
