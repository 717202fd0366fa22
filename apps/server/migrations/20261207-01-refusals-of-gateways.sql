-- Who was refused at a gateway is for whoever has the gateway: a site brings its own boxes on line. What came without one stays the platform's.
create policy with_gateway on unregistered_device for select to zg_some, zg_wide
  using (exists (select 1 from gateway g where g.id = unregistered_device.gateway_id));
