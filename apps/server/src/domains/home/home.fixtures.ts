import { snoozeTodo } from '@zhugong/contract/home/endpoints'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [{ why: 'changes the caller’s own account only (security, notices)', calls: [snoozeTodo] }],
  withoutPage: [
    {
      why: 'records and figures for clients that read them, shown on pages by calls of several kinds at once',
      names: ['todoMessages', 'deviceCenter', 'deviceCenterColumns'],
    },
  ],
}
