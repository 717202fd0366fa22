import { addNightPermit, voidNightPermit } from '@zhugong/contract/monitoring/environment/night-permits'
import { call, daysAgo, type Fixtures, ofProject, reason, rowId } from '../../../../test/fixtures/helpers.ts'
import { freshId } from '../../../../test/parts/clone-row.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      addNightPermit,
      'site',
    )((s, _c, a) => ({
      query: { projectCode: s.projectCode },
      body: {
        permitNo: `夜施-${freshId().slice(0, 8)}`,
        issuer: '区住建局',
        scope: '主体结构连续浇筑',
        from: `${daysAgo(1)} 22:00:00`,
        until: `${daysAgo(0)} 06:00:00`,
        files: [a.fileId],
      },
    })),
    call(voidNightPermit, 'site', {
      meanwhile: [
        `update night_permit set void_reason = null, void_by = null, void_at = null where id = md5('night permit ' || $1::text)`,
        `update night_permit set void_reason = null, void_by = null, void_at = null where id = md5('night permit ' || $1::text)`,
      ],
    })((s) => ({ params: { id: rowId('night permit', s) }, query: { projectCode: s.projectCode }, body: { reason } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into night_permit (id, project_code, permit_no, issuer, scope, from_time, until_time, by_name, create_time)
       values (md5($1), $2, '夜施-样例', '样例', '隔离测试', now() - interval '2 days', now() - interval '1 day', '样例', now())`,
      [`night permit ${projectCode}`, projectCode],
    )
  },
  owners: {
    nightPermit: ofProject('night_permit'),
  },
  guarded: ['night_permit'],
}
