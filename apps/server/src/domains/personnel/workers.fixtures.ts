import { consentWorkers, moveWorkers, signWorkers, verifyWorkers } from '@zhugong/contract/personnel/batches'
import { saveHealth, saveHistory } from '@zhugong/contract/personnel/careers'
import {
  moveWorker,
  registerWorker,
  setFormal,
  trainWorkers,
  updateWorker,
  updateWorkerBase,
  verifyWorker,
} from '@zhugong/contract/personnel/workers'
import { type CallCase, call, type Fixtures, reason } from '../../../test/fixtures/helpers.ts'
import { idCard } from '../../../test/givens.ts'
import { freshId } from '../../../test/parts/clone-row.ts'

const ofTheSite = 'id in (select worker_id from project_worker where project_code = $1)'

/** People whose identity has not been verified. */
const unverified: Pick<CallCase, 'meanwhile'> = {
  meanwhile: [
    `update worker set real_name_state = '0' where real_name_state = '1' and ${ofTheSite}`,
    `update worker set real_name_state = '1' where real_name_state = '0' and ${ofTheSite}`,
  ],
}

/** People without a contract. */
const unsigned: Pick<CallCase, 'meanwhile'> = {
  meanwhile: [
    `update worker_contract set terminate_date = start_date, terminate_reason = '样例' where terminate_date is null and ${ofTheSite.replace('id in', 'worker_id in')}`,
    `with gone as (delete from worker_contract where contract_code like '批-%' and ${ofTheSite.replace('id in', 'worker_id in')})
     update worker_contract set terminate_date = null, terminate_reason = null where terminate_reason = '样例' and ${ofTheSite.replace('id in', 'worker_id in')}`,
  ],
}

/** People who have given no consent. */
const withoutConsent: Pick<CallCase, 'meanwhile'> = {
  meanwhile: [
    `update worker set consents = replace(consents::text, '"同意"', '"未同意"')::jsonb where ${ofTheSite}`,
    `update worker set consents = replace(consents::text, '"未同意"', '"同意"')::jsonb where ${ofTheSite}`,
  ],
}

export const fixtures: Fixtures = {
  calls: [
    call(
      registerWorker,
      'people',
    )((s, c) => ({
      body: {
        name: '田光明',
        idCardNumber: idCard(),
        stay: {
          projectCode: s.projectCode,
          corpCode: c.corpCode,
          teamId: c.teamId,
          workRole: '20',
          workType: '020',
          entryTime: '2026-11-12',
        },
      },
    })),
    call(updateWorker, 'people')((_s, c) => ({ params: { id: c.workerId }, body: { address: '黄石市样例路 8 号', version: 0 } })),
    call(
      updateWorkerBase,
      'people',
    )((_s, c) => ({ params: { id: c.workerId }, body: { name: '田大明', idCardNumber: idCard(), reason, version: 0 } })),
    call(
      moveWorker,
      'people',
    )((_s, c) => ({
      params: { id: c.workerId },
      body: { projectWorkerId: c.projectWorkerId, corpCode: c.corpCode, teamId: c.teamId, workType: '030', version: 0 },
    })),
    call(moveWorkers, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], corpCode: c.corpCode, teamId: c.teamId } })),
    call(verifyWorkers, 'people', unverified)((_s, c) => ({ body: { ids: [c.projectWorkerId], seen: true } })),
    call(consentWorkers, 'people', withoutConsent)((_s, c) => ({ body: { ids: [c.projectWorkerId], seen: true } })),
    call(
      signWorkers,
      'people',
      unsigned,
    )((_s, c) => ({
      body: {
        ids: [c.projectWorkerId],
        codePrefix: `批-${freshId().slice(0, 8)}-`,
        contractKind: '1',
        contractPeriodType: '1',
        paymentType: '1',
        salary: 32_000,
        payDay: 15,
        signDate: '2026-11-15',
      },
    })),
    call(setFormal, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], status: '2', reason } })),
    call(
      trainWorkers,
      'people',
    )((_s, c) => ({
      body: { ids: [c.projectWorkerId], trainingType: '003002', trainDate: '2026-11-15', hours: 4, passed: true },
    })),
    call(saveHealth, 'people')((_s, c) => ({ params: { id: c.workerId }, body: { healthStatus: '1', version: 0 } })),
    call(
      saveHistory,
      'people',
    )((_s, c) => ({
      params: { id: freshId() },
      body: {
        workerId: c.workerId,
        projectName: '旧项目',
        corpName: '旧单位',
        workType: '020',
        entryTime: '2020-01-01',
        exitTime: '2020-12-01',
      },
    })),
    call(
      verifyWorker,
      'people',
    )((_s, c) => ({
      body: { way: 'card', workerId: c.workerId, name: c.worker.name, idCardNumber: c.worker.idCardNumber, version: 0 },
    })),
  ],
  owners: {
    worker: { sql: `select worker_id as id, project_code, corp_code from project_worker`, personal: true },
  },
  guarded: ['worker'],
}
