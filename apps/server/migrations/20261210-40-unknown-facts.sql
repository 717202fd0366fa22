-- What is not known of a project, a company or a part stays unknown: no figure, day or name stands in its place.
alter table project
  alter column lng drop not null,
  alter column lat drop not null,
  alter column property_num drop not null,
  alter column invest drop not null,
  alter column start_date drop not null,
  alter column complete_date drop not null;
alter table project_corp alter column pm_name drop not null;
alter table corporation
  alter column corp_type drop not null,
  alter column legal_man drop not null,
  alter column register_date drop not null,
  alter column reg_capital drop not null,
  alter column reg_capital drop default;

-- Quick creation filled in the day of creation, two years from it, new construction and no investment.
update project set start_date = null, complete_date = null
  where invest = 0 and start_date = (create_time at time zone 'Asia/Shanghai')::date
    and complete_date = (start_date + interval '2 years')::date;
update project set property_num = null where invest = 0 and start_date is null and property_num = '001';
update project set invest = null where invest = 0;
update project set lng = null, lat = null where lng = 0 and lat = 0;
update project_corp set pm_name = null where pm_name = '待登记';
-- A company entered in short was given a register type and the day of its entry.
update corporation set corp_type = null, register_date = null
  where reg_capital = 0 and corp_type = '159' and register_date = (create_time at time zone 'Asia/Shanghai')::date;
update corporation set reg_capital = null where reg_capital = 0;
