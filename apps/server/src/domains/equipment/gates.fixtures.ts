import { clearGateFaces, syncGate } from '@zhugong/contract/equipment/gate-endpoints'
import { call, type Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(clearGateFaces, 'site')((s) => ({ query: { deviceId: s.device('faceGate') } })),
    call(syncGate, 'site')((s) => ({ body: { deviceId: s.device('faceGate') } })),
  ],
  siteRows: (pool, site) =>
    pool.query(
      `insert into gate_face (device_id, worker_id, project_code, corp_code, state, at)
         select $2, worker_id, project_code, corp_code, '1', now() from project_worker where project_code = $1 and exit_time is null limit 1 on conflict do nothing`,
      [site.projectCode, site.device('faceGate')],
    ),
}
