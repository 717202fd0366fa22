import { acceptMaterials, askMaterial, bringMaterial, judgeMaterial, submitMaterials } from '@zhugong/contract/settings/materials'
import { type CallCase, call, type Fixtures, ofProject } from '../../../test/fixtures/helpers.ts'

/** A document of the last stage in the given state, during the test. */
const paperInState = (state: string): Pick<CallCase, 'meanwhile'> => ({
  meanwhile: [
    `insert into project_material (id, project_code, item, stage, name, state, not_needed, create_time, update_time, update_by)
       values ('paper-' || $1::text, $1, 'sample', '3', '样例', '${state}', '样例', now(), now(), '样例')`,
    `delete from project_material where item = 'sample' and project_code = $1`,
  ],
})

export const fixtures: Fixtures = {
  calls: [
    call(bringMaterial, 'site', {
      meanwhile: [
        `update project_material set item = item || '.apart' where project_code = $1`,
        `update project_material set item = replace(item, '.apart', '') where project_code = $1`,
      ],
    })((s) => ({ query: { projectCode: s.projectCode }, body: { item: 'licence', notNeeded: '样例不适用', version: 0 } })),
    call(submitMaterials, 'site', paperInState('0'))((s) => ({ query: { projectCode: s.projectCode }, body: { stage: '3' } })),
    call(acceptMaterials, 'review', paperInState('1'))((s) => ({ query: { projectCode: s.projectCode }, body: { stage: '3' } })),
    call(
      judgeMaterial,
      'review',
      paperInState('1'),
    )((s) => ({
      params: { id: `paper-${s.projectCode}` },
      query: { projectCode: s.projectCode },
      body: { action: 'accept', version: 1 },
    })),
    call(askMaterial, 'review')((s) => ({ query: { projectCode: s.projectCode }, body: { name: '夜间施工许可', stage: '2' } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into project_material (id, project_code, item, stage, name, state, not_needed, create_time, update_time, update_by)
       values (md5($1), $2, 'crane', '2', '起重机械使用登记', '1', '样例', now(), now(), '样例')`,
      [`paper ${projectCode}`, projectCode],
    )
  },
  owners: {
    material: ofProject('project_material'),
  },
}
