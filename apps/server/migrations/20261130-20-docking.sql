-- Docking: what is taken away goes up as well, passages whose person is known later, shares of companies, and indexes for millions of rows.

-- ---- what tells the outbox
-- A row that is taken away, or does not stand above any more, is told like one that changed: the sender looks at what is left of it.
create or replace function zg_docking_changed() returns trigger language plpgsql as $$
declare
  object text := tg_argv[0];
  key text := tg_argv[1];
begin
  if not exists (select 1 from docking_enrol) then return null; end if;
  if tg_op = 'INSERT' then
    execute format('insert into docking_outbox (object_type, source_id, op) select %L, %s, ''1'' from after n where %s is not null', object, key, key);
  elsif tg_op = 'DELETE' then
    execute format('insert into docking_outbox (object_type, source_id, op) select %L, %s, ''3'' from before n where %s is not null', object, key, key);
  else
    execute format(
      'insert into docking_outbox (object_type, source_id, op) select %1$L, coalesce(%2$s, %3$s), ''2'' from after n join before o using (id)
       where coalesce(%2$s, %3$s) is not null and to_jsonb(n) - $1 is distinct from to_jsonb(o) - $1', object, key, replace(key, 'n.', 'o.'))
      -- Kept by the product itself, or not handed up.
      using array['upload_status', 'update_time', 'update_by', 'version', 'head_image', 'face_photo', 'positive_id_card_image', 'negative_id_card_image',
        'real_name_state', 'consents', 'health', 'black_hit', 'attend_enabled', 'formal_status', 'issue_card_pic', 'confirmed', 'cover'];
  end if;
  return null;
end $$;

create procedure zg_docking_gone(target regclass, object text, key text default 'n.id') language plpgsql as $$
begin
  execute format('create trigger %I after delete on %s referencing old table as before for each statement execute function zg_docking_changed(%L, %L)',
    'docking_gone_' || lower(object), target, object, key);
end $$;
call zg_docking_gone('project_corp', 'projectCorp');
call zg_docking_gone('team', 'team');
call zg_docking_gone('worker', 'workerBase');
call zg_docking_gone('worker_cert', 'workerCert');
call zg_docking_gone('project_worker', 'projectWorker');
call zg_docking_gone('worker_contract', 'workerContract');
call zg_docking_gone('worker_bad', 'workerBad');
call zg_docking_gone('entry_exit_history', 'entryExitHistory');
call zg_docking_gone('worker_training', 'training');
call zg_docking_gone('black_entry', 'laborBlack', 'case when n.kind = ''worker'' then n.id end');
-- A training is passed after it was entered.
create trigger docking_change_training after update on worker_training referencing new table as after old table as before
  for each statement execute function zg_docking_changed('training', 'n.id');

-- A gate may name somebody whose file or stay comes later: then the passages of that person are looked at again.
create function zg_docking_known() returns trigger language plpgsql as $$
begin
  insert into docking_outbox (object_type, source_id, op)
    select distinct 'passagesOf', n.project_code || '/' || n.worker_id, '1' from after n
    where exists (select 1 from docking_enrol e where e.project_code = n.project_code);
  return null;
end $$;
create trigger docking_known after insert on project_worker referencing new table as after
  for each statement execute function zg_docking_known();

-- A correction in force changes what stands above of a passage: it is no passage any more, has a person, another direction, is released.
create function zg_docking_fixed() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into docking_outbox (object_type, source_id, op)
      select 'passageFix', n.id, '2' from after n
      where n.state = '2' and n.kind in ('void', 'direction', 'assign', 'release', 'revoke')
        and exists (select 1 from docking_enrol e where e.project_code = n.project_code);
  else
    insert into docking_outbox (object_type, source_id, op)
      select 'passageFix', n.id, '2' from after n join before o using (id)
      where (n.state = '2') is distinct from (o.state = '2') and n.kind in ('void', 'direction', 'assign', 'release', 'revoke')
        and exists (select 1 from docking_enrol e where e.project_code = n.project_code);
  end if;
  return null;
end $$;
create trigger docking_fix_new after insert on attendance_correction referencing new table as after
  for each statement execute function zg_docking_fixed();
create trigger docking_fix_change after update on attendance_correction referencing new table as after old table as before
  for each statement execute function zg_docking_fixed();

-- Corrections by what they speak of; whether one stands: approved, and not revoked by one that stands.
create index attendance_correction_target on attendance_correction (project_code, (value ->> 'target')) where state = '2';
create function zg_fix_stands(p_project text, p_id text, p_state text) returns boolean language plpgsql stable as $$
begin
  return p_state = '2' and not exists (
    select 1 from attendance_correction r where r.project_code = p_project and r.value ->> 'target' = p_id and r.state = '2' and r.kind = 'revoke'
      and zg_fix_stands(r.project_code, r.id, r.state));
end $$;

-- ---- deletions are counted by themselves, and results by company: a subcontractor's share is that of his own people
alter table docking_day add column corp_code text not null default '', add column removed int not null default 0;
alter table docking_day drop constraint docking_day_pkey;
alter table docking_day add primary key (project_code, day, object_type, platform_id, corp_code);
create policy own_people on docking_day as restrictive to zg_some, zg_wide using (
  (select zg_outside() or zg_setting('app.limited') = '') or project_code <> all ((select zg_list('app.limited'))::text[])
  or corp_code = any ((select zg_list('app.corps'))::text[]));
create index docking_day_platform on docking_day (platform_id, day);
create index docking_day_day on docking_day (day);
alter table docking_compare add column ours_removed int not null default 0, add column theirs_removed int default 0;

-- A deletion waits for what hangs on it: rows of other lanes that name its lane and are open.
create index docking_record_after on docking_record (platform_id, after_lane, seq) where after_lane is not null and upload_status not in ('1', '3');

-- A moment as corrections keep it: milliseconds, as a number.
create function zg_instant(ms text) returns timestamptz language sql immutable as $$ select to_timestamp(ms::float8 / 1000) $$;

-- ---- a million rows: what is open by site (figures), what can be pushed, what has words or was deleted, counts, and the other two orders of the list
create index docking_record_open_site on docking_record (project_code, object_type, failed, queued_time) include (corp_code, platform_id)
  where upload_status not in ('1', '3');
create index docking_record_push on docking_record (project_code, queued_time) where upload_status in ('-1', '3');
create index docking_record_said on docking_record (project_code, queued_time) where error_text is not null;
create index docking_record_removed on docking_record (project_code, queued_time) where op = '3';
create index docking_record_count on docking_record (project_code, upload_status, object_type, op) include (corp_code, biz_name);
create index docking_record_queued on docking_record (queued_time, id);
create index docking_record_tries on docking_record (attempts, id);
create index docking_record_receipt on docking_record (receipt_no text_pattern_ops) where receipt_no is not null;
