import { actOnTempAlarms, saveTempSetting } from '@zhugong/contract/prevention/endpoints'
import { anyProject, call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      actOnTempAlarms,
      'people',
    )((_s, c) => ({
      query: anyProject,
      body: { items: [{ id: rowId('temp alarm', c), version: 0 }], action: 'take' as const },
    })),
    call(saveTempSetting, 'site', {
      meanwhile: ['select $1::text', 'delete from temp_alarm_setting where project_code = $1'],
    })((s) => ({ body: { projectCode: s.projectCode, setting: {}, version: 0 } })),
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into temp_alarm (id, project_code, worker_id, corp_code, team_id, work_day, temperature, threshold, level, time, last_time)
       select md5($1), w.project_code, w.worker_id, w.corp_code, w.team_id, '2026-11-19', 37.6, 37.3, '2', now(), now()
       from project_worker w where w.project_code = $2 and w.exit_time is null order by w.id limit 1`,
      [`temp ${projectCode}`, projectCode],
    )
  },
  companyRows: (pool, company, site) =>
    pool.query(
      `insert into temp_alarm (id, project_code, worker_id, corp_code, team_id, work_day, temperature, threshold, level, time, last_time)
         values ($1, $2, $3, $4, $5, '2026-11-19', 37.6, 37.3, '2', now(), now())`,
      [rowId('temp alarm', company), site.projectCode, company.workerId, company.corpCode, company.teamId],
    ),
  owners: {
    tempAlarm: ofPeople('temp_alarm'),
  },
}
