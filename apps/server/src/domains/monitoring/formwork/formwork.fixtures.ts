import { addPourStep } from '@zhugong/contract/monitoring/formwork/formwork'
import { advisePour } from '@zhugong/contract/monitoring/formwork/pour-advice'
import { zeroBay } from '@zhugong/contract/monitoring/point-changes'
import { call, type Fixtures } from '../../../../test/fixtures/helpers.ts'
import { freshId } from '../../../../test/parts/clone-row.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      addPourStep,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { bayName: `区${freshId().slice(0, 12)}`, kind: 'start', volume: null, note: null },
    })),
    call(advisePour, 'site', {
      meanwhile: [
        `update device set params = params || '{"bayName": "建议样例"}' where id = (select min(id) from device where project_code = $1 and family = 'highFormwork')`,
        `update device set params = params - 'bayName' where project_code = $1 and params ->> 'bayName' = '建议样例'`,
      ],
    })((s) => ({ query: { projectCode: s.projectCode }, body: { bayName: '建议样例', text: '东侧立杆先核对间距' } })),
    call(zeroBay, 'site', {
      meanwhile: [
        // A separate bay with one point that has just reported.
        `with one as (update device set params = params || '{"bayName": "归零样例"}' where id = (select min(id) from device where project_code = $1
           and family = 'highFormwork' and status = '1') returning id),
         told as (insert into telemetry (device_id, ts, seq, received_at, schema_ver, v) select id, now(), 0, now(), 1, '{}' from one)
       insert into device_latest (device_id, ts, received_at, v, online, online_since) select id, now(), now(), '{}', true, now() from one
       on conflict (device_id) do update set ts = excluded.ts`,
        `update device set params = params - 'bayName', points = '{}' where project_code = $1 and params ->> 'bayName' = '归零样例'`,
      ],
    })((s) => ({ query: { projectCode: s.projectCode }, body: { bayName: '归零样例' } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into pour_advice (id, project_code, bay_name, text, by_name, at) values (md5($1), $2, '样例', '隔离测试', '样例', now())`,
      [`pour advice ${projectCode}`, projectCode],
    )
  },
  guarded: ['pour_advice'],
}
