import { removeHistory } from '@zhugong/contract/personnel/careers'
import { grantWorkers } from '@zhugong/contract/personnel/flow'
import { changeImport, importBase, importExcel } from '@zhugong/contract/personnel/import'
import { mergeWorkers } from '@zhugong/contract/personnel/merge'
import { removePerson, removeWorker, syncWorker } from '@zhugong/contract/personnel/workers'
import { type Fixtures, ofGroup, ofPeople } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'moves people between two projects: personnel/flow.test.ts tries who leads both and who leads one',
      calls: [grantWorkers],
    },
    { why: 'platform only', calls: [mergeWorkers] },
    { why: 'a draft in the caller’s own group; registering checks each person later', calls: [importExcel, importBase, changeImport] },
    {
      why: 'the file of a person without a stay belongs to the group that entered it; with a stay it cannot be removed',
      calls: [removeWorker, removePerson, removeHistory],
    },
  ],
  reads: [
    {
      endpoint: syncWorker,
      by: 'hospital-pm',
      input: ({ person }) => ({ body: { idCardType: '01', idCardNumber: person.number } }),
    },
  ],
  withoutPage: [
    {
      why: 'older address of a call that pages make under another',
      names: ['listBadRecords', 'pickBadRecords', 'getBadRecord', 'removePerson', 'saveCerts'],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    await pool.query(
      `insert into worker_import (id, group_id, project_code, kind, file_name, file_hash, state, create_by, create_name, create_time, update_time)
       select md5($1), id, $2, 'project', '名单.xlsx', md5($1), '3', 'sample', '样例', now(), now() from tenant where type = 3 and code = $2`,
      [`import ${projectCode}`, projectCode],
    )
    await pool.query(
      `insert into person_request (id, kind, user_id, worker_id, project_code, corp_code, subject_id, about, reason, start_date, expiry_date, grant_org, state, create_time)
       select md5($1), 'idRenewal', 'test', worker_id, project_code, corp_code, id, '隔离测试', '', '2026-01-01', '2046-01-01', '隔离测试', '4', now()
       from project_worker where project_code = $2 and exit_time is null order by id limit 1`,
      [`request ${projectCode}`, projectCode],
    )
  },
  owners: {
    personRequest: ofPeople('person_request'),
    workerImport: ofGroup('worker_import'),
  },
  unowned: {
    resume: 'found among the entries of the person, whose id is tried',
  },
}
