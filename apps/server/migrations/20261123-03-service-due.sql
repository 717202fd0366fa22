-- The date of service at the device is its due item: devices that had the date before get theirs.
insert into device_due (id, device_id, project_code, kind, due_date)
select md5('service' || d.id), d.id, d.project_code, 'service', d.due_date from device d
where d.due_date is not null and not exists (select 1 from device_due u where u.device_id = d.id and u.kind = 'service');
