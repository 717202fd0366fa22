import { leavePush, previewPush, removePush, resendDelivery, savePush, switchPush, testPush } from '@zhugong/contract/reports/endpoints'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'who of the caller’s own group is sent which figures (reports/reports.test.ts)',
      calls: [savePush, switchPush, removePush, previewPush, testPush, resendDelivery, leavePush],
    },
  ],
  reads: [
    {
      endpoint: previewPush,
      by: 'yunze-lu',
      input: ({ project }) => ({ body: { name: '日报', reportType: '1', content: ['attendance'], projects: [project] } }),
    },
  ],
  owners: {
    reportPush: ofGroup('report_push'),
    reportSending: ofGroup('report_sending'),
  },
}
