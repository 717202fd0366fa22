import { fileAlter } from '@zhugong/contract/organisation/project-alter'
import { call, type Fixtures, ofProject, reason } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    // Only one application of a kind may be pending, so the pending one is put aside during the test.
    call(fileAlter, 'site', {
      meanwhile: [
        "update project_change set state = '2' where project_code = $1",
        "update project_change set state = '1' where project_code = $1",
      ],
    })((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: { type: '7', areaCode: s.projectCode.startsWith('420203') ? '420202' : '420203', reason, files: [a.fileId] },
    })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into project_change (id, project_code, type, reason, filed_group, filed_by, filed_name, create_time)
       values (md5($1), $2, '7', '隔离测试', 'test', 'test', '测试', now())`,
      [`change ${projectCode}`, projectCode],
    )
    await pool.query(
      `insert into project_change_field (change_id, seq, field, old_value, new_value) values (md5($1), 0, 'areaCode', '420202', '420203')`,
      [`change ${projectCode}`],
    )
  },
  owners: {
    projectChange: ofProject('project_change'),
  },
  guarded: ['project_change'],
}
