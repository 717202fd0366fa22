import { trialLinkage } from '@zhugong/contract/linkage/endpoints'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  reads: [
    {
      endpoint: trialLinkage,
      by: 'hospital-pm',
      input: ({ of, linkage }) => ({ params: { id: linkage }, body: { deviceId: of('device') } }),
    },
  ],
  writes: {
    device_record: 'a command is a record of the device',
    exec_log: 'runs are entries of the log of actions',
  },
}
