-- For an unconfirmed stay only what the entering site recorded is sent to the platform above. After a gate pass or consent, file and papers
-- are sent in full: queue them again.
create function zg_docking_confirmed() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from docking_enrol) then return null; end if;
  insert into docking_outbox (object_type, source_id, op)
    select 'workerBase', n.worker_id, '2' from after n join before o using (id)
    where o.confirmed_at is null and n.confirmed_at is not null and exists (select 1 from docking_enrol e where e.project_code = n.project_code);
  insert into docking_outbox (object_type, source_id, op)
    select 'workerCert', c.id, '2' from after n join before o using (id) join worker_cert c on c.worker_id = n.worker_id
    where o.confirmed_at is null and n.confirmed_at is not null and exists (select 1 from docking_enrol e where e.project_code = n.project_code);
  return null;
end $$;
create trigger docking_confirmed after update on project_worker referencing new table as after old table as before
  for each statement execute function zg_docking_confirmed();
