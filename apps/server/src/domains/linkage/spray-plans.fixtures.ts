import { createSprayPlan, removeSprayPlan, updateSprayPlan } from '@zhugong/contract/linkage/spray-plans'
import { call, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'
import { freshId } from '../../../test/parts/clone-row.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      createSprayPlan,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { deviceId: s.device('sprayController'), name: `计划${freshId().slice(0, 12)}`, days: [7], times: ['03:15'], minutes: 5 },
    })),
    call(
      updateSprayPlan,
      'site',
    )((s) => ({
      params: { id: rowId('spray plan', s) },
      query: { projectCode: s.projectCode },
      body: { deviceId: s.device('sprayController'), name: '早班前道路', days: [1, 2], times: ['06:30'], minutes: 5, version: 0 },
    })),
    call(removeSprayPlan, 'site')((s) => ({ params: { id: rowId('spray plan', s) }, query: { projectCode: s.projectCode } })),
  ],
  projectRows: async ({ pool, projectCode, device }) => {
    await pool.query(
      `insert into spray_plan (id, project_code, device_id, name, days, times, minutes, since, create_by, create_time)
       values (md5($1), $2, $3, '隔离测试', '{1}', '{06:30}', 5, now(), '样例', now())`,
      [`spray plan ${projectCode}`, projectCode, device.id],
    )
  },
  owners: {
    sprayPlan: ofProject('spray_plan'),
  },
}
