-- Whether somebody is insured is unknown until it is asked; what was written as false by doors that did not ask cannot be told from an answer,
-- and an answer of "no" keeps nobody from being asked again.
alter table project_worker alter column has_buy_insurance drop not null;
alter table project_worker alter column has_buy_insurance drop default;
update project_worker set has_buy_insurance = null where not has_buy_insurance and formal_status = '0' and exit_time is null;
