-- A person's file is sent to the platform above once the identity is verified: queue it again when that happens.
create function zg_docking_verified() returns trigger language plpgsql security definer set search_path = public as $$
begin
  if not exists (select 1 from docking_enrol) then return null; end if;
  insert into docking_outbox (object_type, source_id, op)
    select 'workerBase', n.id, '2' from after n join before o using (id) where o.real_name_state <> '1' and n.real_name_state = '1';
  return null;
end $$;
create trigger docking_verified after update on worker referencing new table as after old table as before
  for each statement execute function zg_docking_verified();
