import {
  batchLoadTemplates,
  copyTemplate,
  createScreenToken,
  createTemplate,
  removeTemplate,
  removeTemplates,
  renewScreenToken,
  revokeScreenToken,
  updateTemplate,
} from '@zhugong/contract/screens/endpoints'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    { why: 'a wall renews its own token (screens/screens.test.ts)', calls: [renewScreenToken] },
    {
      why: 'walls of the caller’s own group and of groups below (screens/screens.test.ts)',
      calls: [createScreenToken, revokeScreenToken, createTemplate, updateTemplate, copyTemplate, removeTemplate, removeTemplates],
    },
  ],
  exemptReads: [{ why: 'templates belong to no project', calls: [batchLoadTemplates] }],
  owners: {
    screenTemplate: ofGroup('screen_template'),
    screenToken: ofGroup('screen_token'),
  },
}
