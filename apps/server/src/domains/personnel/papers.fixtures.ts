import { ignoreCerts, remindCerts } from '@zhugong/contract/personnel/certificates'
import { auditCert, removeCert, saveCert, saveCerts, saveContract } from '@zhugong/contract/personnel/papers'
import { call, type Fixtures, ofPeople, reason, rowId } from '../../../test/fixtures/helpers.ts'
import { idCard } from '../../../test/givens.ts'
import { cloneRow, freshId, oneRow } from '../../../test/parts/clone-row.ts'
import type { CompanyRows, Uploader } from '../../../test/parts/site-rows.ts'

const certificate = (requester: Uploader) => ({
  certType: '2',
  specialType: '201',
  name: '安全生产考核证',
  certNo: `T${freshId().slice(0, 16)}`,
  level: '1',
  issueDate: '2025-01-01',
  validStart: '2025-01-01',
  validEnd: '2028-01-01',
  grantOrg: '住房和城乡建设厅',
  files: [requester.fileId],
})

/** All identity cards have expired, so reminders are due. */
const expiryOf = (day: string) =>
  `update worker set expiry_date = '${day}' where id in (select worker_id from project_worker where project_code = $1)`

const expiredCards = [expiryOf('2020-01-01'), expiryOf('2099-12-31')] as const

const expiredCard = (company: CompanyRows) => ({ projectWorkerId: company.projectWorkerId, subject: 'idCard:2020-01-01' })

export const fixtures: Fixtures = {
  calls: [
    call(
      saveCert,
      'people',
    )((_s, c, a) => ({
      body: {
        workerId: c.workerId,
        ...certificate(a),
      },
    })),
    call(
      saveCerts,
      'people',
    )((_s, c, a) => ({
      body: {
        workerId: c.workerId,
        list: [certificate(a)],
      },
    })),
    call(remindCerts, 'people', { meanwhile: expiredCards })((_s, c) => ({ body: { items: [expiredCard(c)] } })),
    call(ignoreCerts, 'people', { meanwhile: expiredCards })((_s, c) => ({ body: { items: [expiredCard(c)], reason } })),
    call(removeCert, 'people')((_s, c) => ({ params: { id: rowId('certificate', c) } })),
    call(auditCert, 'review')((_s, c) => ({ body: { id: rowId('certificate', c), result: '1', opinion: '相符' } })),
    call(
      saveContract,
      'people',
    )((s, c, a) => ({
      body: {
        workerId: c.workerId,
        projectCode: s.projectCode,
        corpCode: c.corpCode,
        contractCode: `H${idCard().slice(0, 16)}`,
        contractKind: '1',
        contractPeriodType: '0',
        startDate: '2026-11-01',
        paymentType: '1',
        salary: 300_00,
        payDay: 20,
        signDate: '2026-11-01',
        endDate: '2027-11-01',
        files: [a.fileId],
      },
    })),
  ],
  companyRows: async (pool, company, site) => {
    const like = await oneRow<{ cert: string; contract: string }>(
      pool,
      `select c.id as cert, k.id as contract from project_worker pw
           join worker_cert c on c.worker_id = pw.worker_id join worker_contract k on k.worker_id = pw.worker_id
         where pw.project_code = $1 and pw.exit_time is null and pw.work_role = '20' order by pw.id limit 1`,
      [site.projectCode],
    )
    await cloneRow(pool, 'worker_cert', like.cert, {
      id: rowId('certificate', company),
      worker_id: company.workerId,
      cert_no: freshId().slice(0, 18),
      audit_status: '0',
    })
    await cloneRow(pool, 'worker_contract', like.contract, {
      id: rowId('contract', company),
      worker_id: company.workerId,
      corp_code: company.corpCode,
      contract_code: freshId().slice(0, 18),
      terminate_date: null,
    })
  },
  owners: {
    certificate: {
      sql: `select c.id, pw.project_code, pw.corp_code from worker_cert c join project_worker pw on pw.worker_id = c.worker_id`,
      personal: true,
    },
    contract: ofPeople('worker_contract'),
  },
  guarded: ['worker_cert', 'worker_contract'],
}
