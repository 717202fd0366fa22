-- Suspensions from work per person and site: nobody is expected on days of a suspension. Written by a trigger, so that every way of
-- suspending or resuming is covered. Keyed by person and site, because a change of team does not end a suspension.
create table stay_pause (
  project_code text not null references project,
  worker_id text not null references worker,
  from_at timestamptz not null,
  until_at timestamptz check (until_at >= from_at),
  primary key (project_code, worker_id, from_at)
);
create unique index stay_pause_open on stay_pause (project_code, worker_id) where until_at is null;
call zg_by_project('stay_pause');
-- Rows are inserted by the trigger only; merging two files updates the worker.
revoke insert, delete on stay_pause from zg_some, zg_wide, zg_all;

-- Suspending a stay opens a pause, resuming or exiting closes it; the days from there on are recomputed.
create function zg_stay_pauses() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  paused boolean := new.formal_status = '2' and new.exit_time is null;
  at timestamptz := case
    when tg_op = 'INSERT' then new.entry_time
    -- Revoking an exit leaves no gap.
    when old.exit_time is not null and new.exit_time is null then old.exit_time
    when new.update_time is distinct from old.update_time then new.update_time
    else now() end;
begin
  if paused then
    insert into stay_pause (project_code, worker_id, from_at) values (new.project_code, new.worker_id, at)
      on conflict do nothing;
  elsif tg_op = 'UPDATE' then
    update stay_pause set until_at = greatest(from_at, at)
      where project_code = new.project_code and worker_id = new.worker_id and until_at is null;
  end if;
  if tg_op = 'UPDATE' then
    insert into attendance_dirty (project_code, worker_id, work_day)
    select new.project_code, new.worker_id, day::date from attendance_chain c,
      generate_series(greatest((at at time zone 'Asia/Shanghai')::date - 1, c.days_from),
        greatest((now() at time zone 'Asia/Shanghai')::date, (at at time zone 'Asia/Shanghai')::date), interval '1 day') as day
    where c.project_code = new.project_code and c.days_from is not null;
  end if;
  return null;
end $$;
create trigger pauses_begin after insert on project_worker for each row when (new.formal_status = '2') execute function zg_stay_pauses();
create trigger pauses_turn after update of formal_status, exit_time on project_worker for each row
  when (old.formal_status <> new.formal_status or (old.formal_status = '2' and old.exit_time is distinct from new.exit_time)) execute function zg_stay_pauses();

-- The start of current suspensions is unknown: they count from this migration on, and earlier days are not recomputed.
insert into stay_pause (project_code, worker_id, from_at)
select distinct project_code, worker_id, now() from project_worker where formal_status = '2' and exit_time is null;

-- Set update_time when a black list entry takes effect or ends, so that the pause uses the application's clock.
create or replace function zg_black_turn(p_hash text, p_day date, p_now timestamptz) returns int language plpgsql security definer set search_path = public, pg_temp as $$
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
          where g.worker_id = s.worker_id and g.project_code = s.project_code and g.state <> '3'), '{}'), update_time = p_now, version = version + 1
      where id = s.id;
      update gate_face set state = '3', reason = '列入黑名单', at = p_now
      where worker_id = s.worker_id and project_code = s.project_code and state <> '3';
    else
      update project_worker set black_hit = false, black_paused = false, black_gates = '{}',
        formal_status = case when black_paused and formal_status = '2' then '1' else formal_status end, update_time = p_now, version = version + 1
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
