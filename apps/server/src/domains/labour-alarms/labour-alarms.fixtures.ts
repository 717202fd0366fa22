import { actOnLabourAlarms } from '@zhugong/contract/labour-alarms/endpoints'
import { anyProject, call, type Fixtures, ofPeople, reason, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      actOnLabourAlarms,
      'people',
    )((_s, c) => ({
      query: anyProject,
      body: { items: [{ id: rowId('labour alarm', c), version: 0 }], action: 'handle' as const, remark: reason },
    })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into labor_alarm (id, project_code, worker_id, stay_id, corp_code, team_id, type, content, time, last_time)
       select md5($1), w.project_code, w.worker_id, w.id, w.corp_code, w.team_id, '207', '进场 12 天，未签劳动合同', now(), now()
       from project_worker w where w.project_code = $2 and w.exit_time is null order by w.id limit 1`,
      [`labour ${projectCode}`, projectCode],
    )
  },
  companyRows: (pool, company, site) =>
    pool.query(
      `insert into labor_alarm (id, project_code, worker_id, stay_id, corp_code, team_id, type, content, time, last_time)
         values ($1, $2, $3, $4, $5, $6, '207', '进场 12 天，未签劳动合同', now(), now())`,
      [rowId('labour alarm', company), site.projectCode, company.workerId, company.projectWorkerId, company.corpCode, company.teamId],
    ),
  owners: {
    labourAlarm: ofPeople('labor_alarm'),
  },
}
