import { reportPitStage } from '@zhugong/contract/monitoring/pit/pits'
import { changePitPoint } from '@zhugong/contract/monitoring/point-changes'
import { call, type Fixtures, reason } from '../../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      reportPitStage,
      'site',
    )((s) => ({ query: { projectCode: s.projectCode }, body: { pitName: '基坑', depth: 3.5, at: null, note: null } })),
    call(changePitPoint, 'site', {
      meanwhile: [
        `update device set points = '{}', params = params || '{"pointCode": "样例"}' where project_code = $1 and family = 'foundationPit'`,
        `update device set points = '{}' where project_code = $1 and family = 'foundationPit'`,
      ],
    })((s) => ({
      query: { projectCode: s.projectCode },
      body: { deviceId: s.device('foundationPit'), pointCode: '样例', kind: 'damaged', reason, initial: null, carried: null },
    })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into point_change (id, project_code, device_id, family, point_code, kind, at, by_name)
       values (md5($1), $2, $3, 'foundationPit', '样例', 'damaged', now() - interval '1 hour', '样例')`,
      [`point change ${projectCode}`, projectCode, device.id],
    )
  },
  guarded: ['point_change'],
}
