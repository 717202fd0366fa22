import { saveSetting } from '@zhugong/contract/attendance/setting'
import { call, type Fixtures, reason } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  calls: [call(saveSetting, 'site')((s) => ({ body: { projectCode: s.projectCode, reason, workStart: '07:30' } }))],
}
