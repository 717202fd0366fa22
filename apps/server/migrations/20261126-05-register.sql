-- One register of companies: what a company's form is filled from and what its file is compared with.
alter table enterprise_register add column corp_type text, add column status text not null default '存续';
insert into enterprise_register (corp_code, corp_name, corp_type, area_code, address, legal_man, reg_capital, establish_date, status, source, as_of)
  select corp_code, corp_name, corp_type, area_code, address, legal_man, reg_capital, register_date, status, source, update_time::date from company_directory
  on conflict (corp_code) do update set corp_type = excluded.corp_type, status = excluded.status;
drop table company_directory;
create index enterprise_register_name on enterprise_register (corp_name text_pattern_ops);
