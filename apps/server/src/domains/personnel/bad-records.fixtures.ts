import { auditBadRecord, createBadRecord, removeBadRecord, updateBadRecord } from '@zhugong/contract/personnel/bad-records'
import { call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import type { Uploader } from '../../../test/parts/site-rows.ts'

const misconduct = (requester: Uploader) => ({
  badRecordType: '05',
  badRecordLevel: '1',
  actionDegree: '6',
  occurrenceDate: '2026-11-02',
  reason: '高处作业不系安全带，经劝阻不改',
  files: [requester.fileId],
})

export const fixtures: Fixtures = {
  calls: [
    call(
      createBadRecord,
      'people',
    )((s, c, a) => ({
      body: {
        workerId: c.workerId,
        projectCode: s.projectCode,
        ...misconduct(a),
      },
    })),
    call(
      updateBadRecord,
      'people',
    )((s, c, a) => ({
      params: { id: rowId('bad record', c) },
      body: {
        workerId: c.workerId,
        projectCode: s.projectCode,
        ...misconduct(a),
        version: 0,
      },
    })),
    call(removeBadRecord, 'people')((_s, c) => ({ params: { id: rowId('bad record', c) } })),
    call(auditBadRecord, 'review')((_s, c) => ({ body: { id: rowId('bad record', c), result: '1', opinion: '属实' } })),
  ],
  projectRows: async ({ pool, city, projectCode }) => {
    const worker = city.projectWorkers.find((w) => w.projectCode === projectCode)
    await pool.query(
      `insert into worker_bad (id, type, worker_id, project_code, corp_code, bad_record_type, bad_record_level, action_degree, occurrence_date, reason)
       values (md5($1), '1', $2, $3, $4, '001', '1', '1', '2026-11-01', '隔离测试用的不良记录')`,
      [`bad ${projectCode}`, worker?.workerId, projectCode, worker?.corpCode],
    )
  },
  companyRows: (pool, company, site) =>
    pool.query(
      `insert into worker_bad (id, type, worker_id, project_code, corp_code, bad_record_type, bad_record_level, action_degree, occurrence_date, reason, process_result)
         values ($1, '1', $2, $3, $4, '05', '1', '6', '2026-11-01', '不按规定佩戴安全帽，经劝阻不改', '批评教育')`,
      [rowId('bad record', company), company.workerId, site.projectCode, company.corpCode],
    ),
  owners: {
    badRecord: ofPeople('worker_bad'),
  },
  guarded: ['worker_bad'],
}
