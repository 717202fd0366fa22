import {
  changeMyContact,
  changePassword,
  endMySession,
  logout,
  refreshToken,
  sendContactCode,
  switchProject,
  updateSettings,
} from '@zhugong/contract/identity/endpoints'
import {
  beginSecondFactor,
  confirmSecondFactor,
  endOtherSessions,
  muteMyNotices,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@zhugong/contract/identity/my-account'
import { markProject } from '@zhugong/contract/identity/own-projects'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'changes the caller’s own account or session only',
      calls: [logout, changePassword, changeMyContact, switchProject, endMySession],
    },
    { why: 'platform only', calls: [updateSettings] },
    {
      why: 'changes the caller’s own account only (security, notices)',
      calls: [
        muteMyNotices,
        sendContactCode,
        beginSecondFactor,
        confirmSecondFactor,
        renewRecoveryCodes,
        removeSecondFactor,
        endOtherSessions,
      ],
    },
    { why: 'changes the caller’s own list only', calls: [markProject] },
  ],
  reads: [
    {
      endpoint: markProject,
      by: 'hospital-pm',
      input: ({ project }) => ({ params: { projectCode: project }, body: { starred: true } }),
    },
  ],
  exemptReads: [{ why: 'takes no id: the session', calls: [refreshToken] }],
  writes: {
    app_user: 'password and last log-in',
    member: 'the default among the caller’s own groups',
  },
}
