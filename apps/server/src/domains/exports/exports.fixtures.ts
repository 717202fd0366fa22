import { submitExport } from '@zhugong/contract/exports/endpoints'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [{ why: 'changes the caller’s own group only (roles, accounts, settings, files, exports)', calls: [submitExport] }],
  withoutPage: [{ why: 'addresses that stand in links of answers', names: ['downloadExport'] }],
  unowned: {
    export: 'found among the caller’s own exports: exports/exports.test.ts',
  },
}
