import { rehearseDays, trySetting } from '@zhugong/contract/attendance/setting'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  reads: [
    {
      endpoint: trySetting,
      by: 'hospital-pm',
      input: ({ project }) => ({ body: { projectCode: project, date: '2026-11-19' } }),
    },
  ],
  exemptReads: [{ why: 'computes with the facts of its input', calls: [rehearseDays] }],
  withoutPage: [
    { why: 'older address of a call that pages make under another', names: ['exportDaily', 'statsTotals'] },
    { why: 'for checking the ledger from outside', names: ['rehearseDays', 'ledgerProof'] },
  ],
  unowned: {
    attendanceEvent: 'found among the records of the person, whose id is tried',
  },
  writes: {
    project: 'the attendance rule in force is a column of project; organisation depends on attendance, so it cannot be called',
  },
}
