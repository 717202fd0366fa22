import { setPlaceSetting } from '@zhugong/contract/monitoring/helmet/helmet-care'
import { createHelmetGroup, deleteHelmetGroup, updateHelmetGroup } from '@zhugong/contract/monitoring/helmet/helmets'
import { call, type Fixtures, ofProject, rowId } from '../../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(setPlaceSetting, 'site')((s) => ({ body: { projectCode: s.projectCode, placeDays: 30, version: 0 } })),
    call(
      createHelmetGroup,
      'site',
    )((s) => ({ body: { projectCode: s.projectCode, name: '夜班组', deviceIds: [s.device('smartHelmet')] } })),
    call(updateHelmetGroup, 'site')((s) => ({ params: { id: rowId('group', s) }, body: { name: '白班组' } })),
    call(deleteHelmetGroup, 'site')((s) => ({ params: { id: rowId('group', s) } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(`insert into helmet_group (id, project_code, name) values (md5($1), $2, '巡检组')`, [
      `group ${projectCode}`,
      projectCode,
    ])
  },
  owners: {
    helmetGroup: ofProject('helmet_group'),
  },
  guarded: ['helmet_group'],
}
