-- Whether a display link still opens anything is asked of its issuer's rights at every use; no reason is kept with it.
alter table screen_token drop column ends_because;
