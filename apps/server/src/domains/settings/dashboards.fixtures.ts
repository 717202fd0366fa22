import { saveDashboardPolicy } from '@zhugong/contract/settings/dashboard'
import { call, type Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [
    call(saveDashboardPolicy, 'site')((s) => ({ body: { projectCode: s.projectCode, value: { forced: [], limits: {} }, version: 0 } })),
  ],
}
