import { keepOnSite } from '@zhugong/contract/labour/exits'
import { enterWorker, exitWorkers, removeStays, setAccount, setContract, setTerms } from '@zhugong/contract/labour/stays'
import { call, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { bankCard } from '../../../test/givens.ts'

export const fixtures: Fixtures = {
  calls: [
    call(
      enterWorker,
      'people',
    )((s, c) => ({
      body: {
        projectCode: s.projectCode,
        name: c.leftWorker.name,
        idCardNumber: c.leftWorker.idCardNumber,
        corpCode: c.corpCode,
        teamId: c.teamId,
        workRole: '20',
        workType: '020',
        entryTime: '2026-11-12',
      },
    })),
    call(exitWorkers, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], exitTime: '2026-11-20', exitReason: '1' } })),
    call(
      keepOnSite,
      'people',
    )((_s, c) => ({
      body: { ids: [c.projectWorkerId], untilDay: new Date(Date.now() + 864_000_000).toISOString().slice(0, 10), reason: '外派学习' },
    })),
    call(removeStays, 'people')((_s, c) => ({ body: { ids: [c.newStayId] } })),
    call(
      setAccount,
      'people',
    )((_s, c) => ({
      body: { id: c.projectWorkerId, payRollBankCode: '102', payRollBankName: '工商银行黄石支行', payRollBankCardNumber: bankCard() },
    })),
    call(setTerms, 'people')((_s, c) => ({ body: { ids: [c.projectWorkerId], paymentType: '2', hasBuyInsurance: true } })),
    call(setContract, 'people')((_s, c) => ({ body: { id: c.projectWorkerId, contractId: rowId('contract', c) } })),
  ],
  owners: {
    projectWorker: ofPeople('project_worker'),
  },
  guarded: ['project_worker', 'entry_exit_history'],
}
