-- A camera's number in the national network (GB/T 28181) selects pictures whoever's they are, and numbers run on. A number belongs to one project:
-- devices of other projects are refused it. Whether one is reviewed decides who holds it: a device that waits for its review holds nothing.
create function zg_camera_number(p_family text, p_params jsonb) returns text language sql immutable as $$
  select case when p_family = 'videoAi' and p_params ->> 'gbDeviceId' ~ '^\d{20}$' then p_params ->> 'gbDeviceId' end
$$;
create function zg_camera_channel(p_params jsonb) returns text language sql immutable as $$
  select coalesce(nullif(p_params ->> 'channelId', ''), '1')
$$;

-- Of those that have the same number today the earliest in service keeps it.
with ranked as (
  select id, project_code, zg_camera_channel(params) as channel, zg_camera_number(family, params) as number,
    first_value(project_code) over numbers as holder, row_number() over channels as place
  from device where zg_camera_number(family, params) is not null
  window numbers as (partition by zg_camera_number(family, params) order by status not in ('1', '3'), create_time, id),
    channels as (partition by zg_camera_number(family, params), zg_camera_channel(params), project_code order by status not in ('1', '3'), create_time, id)
), freed as (
  update device d set params = d.params - 'gbDeviceId', version = d.version + 1 from ranked r
  where r.id = d.id and (r.project_code <> r.holder or r.place > 1) returning d.id, d.project_code, r.number
)
insert into equipment_change (id, subject, subject_id, project_code, at, by_name, act, detail)
select md5(random()::text || id), 'device', id, project_code, now(), '系统', '国标编号与其他设备重复，已清除',
  jsonb_build_array(jsonb_build_object('label', '国标编号', 'before', number, 'after', null)) from freed;

create unique index device_camera_number on device (zg_camera_number(family, params), zg_camera_channel(params))
  where zg_camera_number(family, params) is not null and status in ('1', '3');

-- Sees every project's devices, which whoever writes does not; tells nothing but that the number is taken.
create function zg_camera_number_once() returns trigger language plpgsql security definer set search_path = public as $$
declare number text := zg_camera_number(new.family, new.params);
begin
  if number is null then return new; end if;
  -- Two at once: the second waits and then sees the first.
  perform pg_advisory_xact_lock(hashtextextended('camera ' || number, 0));
  if exists (select 1 from device d where zg_camera_number(d.family, d.params) = number and d.status in ('1', '3') and d.id <> new.id
      and (d.project_code <> new.project_code or zg_camera_channel(d.params) = zg_camera_channel(new.params))) then
    raise unique_violation using constraint = 'device_camera_number', message = 'this camera number belongs to another device';
  end if;
  return new;
end $$;
create trigger camera_number_once before insert or update of family, params, project_code, status on device
  for each row execute function zg_camera_number_once();
