import { changeSession, createSession, removeAttendance, removeSession } from '@zhugong/contract/personnel/training'
import { anyProject, call, type Fixtures, ofPeople, reason, rowId } from '../../../test/fixtures/helpers.ts'

const session = {
  trainingType: '003002',
  name: '入场教育第二期',
  trainer: '周大勇',
  startTime: '2026-11-12 13:30:00',
  duration: 8,
  content: '劳动纪律、高处作业、临时用电',
}

export const fixtures: Fixtures = {
  calls: [
    call(
      createSession,
      'people',
    )((s, c) => ({
      query: { projectCode: s.projectCode },
      body: {
        corpCode: c.corpCode,
        ...session,
        workers: [{ projectWorkerId: c.projectWorkerId, score: 90, passed: true }],
      },
    })),
    call(
      changeSession,
      'people',
    )((_s, c) => ({ params: { id: rowId('training', c) }, query: anyProject, body: { action: 'edit', version: 0, ...session } })),
    call(removeSession, 'people')((_s, c) => ({ params: { id: rowId('training', c) }, query: anyProject })),
    call(removeAttendance, 'people')((_s, c) => ({ params: { taskId: rowId('training task', c) }, query: { ...anyProject, reason } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `with stay as (select * from project_worker where project_code = $2 and exit_time is null order by id limit 1),
         session as (insert into training (id, project_code, corp_code, training_type, name, trainer, start_time, duration, content)
           select md5($1), $2, corp_code, '003002', '隔离测试', '样例', now(), 4, '隔离测试' from stay returning id)
       insert into worker_training (id, project_code, corp_code, worker_id, project_worker_id, training_type, train_date, hours, passed, training_id)
       select md5($1 || ' task'), $2, stay.corp_code, stay.worker_id, stay.id, '003002', now(), 4, true, session.id from stay, session`,
      [`training ${projectCode}`, projectCode],
    )
  },
  companyRows: async (pool, company, site) => {
    // Marks are not entered yet, and one person is enrolled.
    await pool.query(
      `insert into training (id, project_code, corp_code, training_type, name, trainer, start_time, duration, content)
         values ($1, $2, $3, '003002', '入场教育', '周大勇', '2026-11-10', 4, '劳动纪律、临时用电')`,
      [rowId('training', company), site.projectCode, company.corpCode],
    )
    await pool.query(
      `insert into worker_training (id, project_code, corp_code, worker_id, project_worker_id, training_type, train_date, hours, training_id)
         values ($1, $2, $3, $4, $5, '003002', '2026-11-10', 4, $6)`,
      [
        rowId('training task', company),
        site.projectCode,
        company.corpCode,
        company.workerId,
        company.projectWorkerId,
        rowId('training', company),
      ],
    )
  },
  owners: {
    training: ofPeople('training'),
    trainingTask: ofPeople('worker_training'),
  },
}
