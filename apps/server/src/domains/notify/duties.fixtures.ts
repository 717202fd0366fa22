import { copyDuty, createDuty, deleteDuty, updateDuty } from '@zhugong/contract/notify/endpoints'
import { anyProject, call, daysAgo, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      createDuty,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { userId: s.userId, fromTime: '2030-01-01 08:00:00', untilTime: '2030-01-01 20:00:00' },
    })),
    call(
      updateDuty,
      'site',
    )((s) => ({
      params: { id: rowId('duty', s) },
      query: anyProject,
      body: { userId: s.userId, fromTime: '2030-01-02 08:00:00', untilTime: '2030-01-02 20:00:00' },
    })),
    // The site's shift is today.
    call(copyDuty, 'site')((s) => ({ query: { projectCode: s.projectCode }, body: { week: daysAgo(-2) } })),
    call(deleteDuty, 'site')((s) => ({ params: { id: rowId('duty', s) }, query: anyProject })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into duty_shift (id, project_code, user_id, from_time, until_time)
       select md5($1), $2, u.id, now(), now() + interval '1 hour' from app_user u
       order by exists (select 1 from member m join tenant t on t.id = m.group_id where m.user_id = u.id and t.type = 3 and t.code = $2) desc, u.id limit 1`,
      [`duty ${projectCode}`, projectCode],
    )
  },
  owners: {
    duty: ofProject('duty_shift'),
  },
  guarded: ['duty_shift'],
}
