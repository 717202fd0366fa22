import { readMessages } from '@zhugong/contract/notify/endpoints'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [{ why: 'changes the caller’s own account or session only', calls: [readMessages] }],
  unowned: {
    message: 'found among the caller’s own messages',
  },
  writes: {
    device_due: 'marks it as notified',
    device_warning: 'marks it as notified',
  },
}
