-- Whoever knows somebody's number and name can enter him; that opens nobody's file. A stay entered from a file that others wrote shows what the
-- entering site wrote itself, until the person has passed one of the site's gates or agreed in his own account.
-- Null: not yet. Stays of before, and those of files one holds already, are.
alter table project_worker add column confirmed_at timestamptz default now();
create index project_worker_unconfirmed on project_worker (project_code, worker_id) where confirmed_at is null;

-- A stay that nobody has confirmed takes the file from no keeper.
create or replace function zg_is_free(worker text) returns boolean language sql stable security definer set search_path = public as $$
  select not exists (
    select 1 from project_worker pw where pw.worker_id = worker and pw.confirmed_at is not null
      and (pw.exit_time is null or pw.project_code <> all (zg_list('app.projects'))
        or (pw.project_code = any (zg_list('app.limited')) and pw.corp_code <> all (zg_list('app.corps')))))
$$;
create or replace function zg_holds_worker(worker text) returns boolean language sql stable as $$
  select exists (select 1 from project_worker pw where pw.worker_id = worker and pw.exit_time is null and pw.confirmed_at is not null)
    or (exists (select 1 from worker w where w.id = worker and w.owner_group = zg_setting('app.group')) and zg_is_free(worker))
$$;

drop policy works_here on worker;
create policy works_here on worker for select to zg_some, zg_wide using (
  not deleted and (
    owner_group = (select zg_setting('app.group'))
    or exists (select 1 from project_worker pw where pw.worker_id = worker.id and pw.confirmed_at is not null)));

-- What a site may know of somebody it has entered, whoever wrote the file: whether his name was verified, whether he agreed to his face at gates.
create function zg_real_name_state(p_worker text) returns text language sql stable security definer set search_path = public as $$
  select real_name_state from worker where id = p_worker and not deleted
$$;
create function zg_face_agreed(p_worker text) returns boolean language sql stable security definer set search_path = public as $$
  select coalesce((select consents @> '[{"kind":"face","state":"同意"}]' from worker where id = p_worker and not deleted), false)
$$;

-- The file's own keys for a site that has entered the person and does not see the file yet.
create function zg_entered_person(p_worker text) returns setof worker language sql stable security definer set search_path = public as $$
  select w.* from worker w where w.id = p_worker and not w.deleted and exists (
    select 1 from project_worker s where s.worker_id = w.id and s.confirmed_at is null and s.project_code = any (zg_list('app.projects')))
$$;

-- The copies of a person in his stays follow where the file is open.
create or replace function zg_copy_worker() returns trigger language plpgsql security definer set search_path = public as $$
begin
  update project_worker s set worker_name = new.name, gender = new.gender, birthday = new.birthday, id_card_mask = new.id_card_mask,
    id_card_hash = new.id_card_hash, cell_phone_mask = new.cell_phone_mask, cell_phone_hash = new.cell_phone_hash
  where s.worker_id = new.id and s.confirmed_at is not null and (
    s.project_code in (select n.project_code from project_worker n where n.worker_id = new.id and n.exit_time is null and n.confirmed_at is not null)
    or not exists (select 1 from project_worker n where n.worker_id = new.id and n.exit_time is null and n.confirmed_at is not null));
  return null;
end $$;

create function zg_confirm_stay(p_project text, p_worker text, p_at timestamptz) returns int language sql security definer set search_path = public as $$
  with confirmed as (
    update project_worker s set confirmed_at = greatest(p_at, s.entry_time), cell_phone_mask = w.cell_phone_mask, cell_phone_hash = w.cell_phone_hash
    from worker w where w.id = s.worker_id and s.worker_id = p_worker and s.project_code = p_project and s.confirmed_at is null
      and s.exit_time is null and s.entry_time <= p_at returning 1)
  select count(*)::int from confirmed
$$;
-- A gate's own word: neither what was entered by hand nor what the gate turned away.
create function zg_passed_gate() returns trigger language plpgsql security definer set search_path = public as $$
begin
  perform zg_confirm_stay(n.project_code, n.worker_id, n.time) from after n
    join project_worker s on s.project_code = n.project_code and s.worker_id = n.worker_id and s.confirmed_at is null and s.exit_time is null
    where n.source in ('1', '2') and n.quarantine is null and not (n.flags && '{refused,stranger}');
  return null;
end $$;
create trigger passed_gate after insert on attendance_event referencing new table as after for each statement execute function zg_passed_gate();
