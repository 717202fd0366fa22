-- Insurance is unknown until somebody is asked. Imports stored false without asking, which cannot be told from an answer, so false is cleared
-- where the question will be asked again.
alter table project_worker alter column has_buy_insurance drop not null;
alter table project_worker alter column has_buy_insurance drop default;
update project_worker set has_buy_insurance = null where not has_buy_insurance and formal_status = '0' and exit_time is null;
