import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into black_entry (id, kind, group_id, group_name, scope, scope_code, source_project, id_card_type, id_card_hash, id_card_mask, name, reason_type, reason,
         occurrence_date, start_date, end_date, notified_time, state)
       select md5($1), 'worker', t.id, t.name, '1', $2, $2, '01', w.id_card_hash, w.id_card_mask, w.worker_name, '2', '隔离测试用的黑名单记录', '2026-11-01',
         '2026-11-02', '2027-11-01', now(), '1' from project_worker w, tenant t where w.project_code = $2 and w.exit_time is null and t.type = 3 and t.code = $2
       order by w.id limit 1`,
      [`black ${projectCode}`, projectCode],
    )
  },
  owners: {
    black: {
      sql: `select e.id, e.source_project as project_code, w.corp_code from black_entry e
      join project_worker w on w.id_card_hash = e.id_card_hash and w.project_code = e.source_project`,
      personal: true,
    },
  },
}
