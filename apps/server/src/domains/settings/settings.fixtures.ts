import { issueCareerProof } from '@zhugong/contract/settings/career-proof'
import { bringPaper, changePaper, linkPaper } from '@zhugong/contract/settings/company-papers'
import { saveDashboard, spreadDashboardPolicy } from '@zhugong/contract/settings/dashboard'
import { dictsByCode } from '@zhugong/contract/settings/endpoints'
import {
  addMyCertificate,
  addMyRecord,
  agreeToMyStay,
  linkMyPerson,
  openMyPerson,
  proveMyPerson,
  removeMyRecord,
  unlinkMyPerson,
  withdrawMyCertificate,
  withdrawMyConsent,
} from '@zhugong/contract/settings/my-person'
import {
  appealBadRecord,
  complainOfWages,
  disputeRecord,
  eraseMyData,
  renewIdCard,
  withdrawMyRequest,
} from '@zhugong/contract/settings/my-requests'
import { changeOwnArea } from '@zhugong/contract/settings/own-areas'
import { resetOwnDictionary, saveOwnDictionary } from '@zhugong/contract/settings/own-dictionaries'
import { setSystem, tryChannel } from '@zhugong/contract/settings/system'
import type { Fixtures } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'changes the caller’s own personal file only',
      calls: [
        linkMyPerson,
        agreeToMyStay,
        proveMyPerson,
        unlinkMyPerson,
        openMyPerson,
        withdrawMyConsent,
        addMyCertificate,
        withdrawMyCertificate,
        addMyRecord,
        removeMyRecord,
        issueCareerProof,
        disputeRecord,
        complainOfWages,
        appealBadRecord,
        renewIdCard,
        eraseMyData,
        withdrawMyRequest,
      ],
    },
    { why: 'only the project’s own account arranges its home page (settings/dashboard.test.ts)', calls: [saveDashboard] },
    { why: 'each project is checked as the call for a single one is', calls: [spreadDashboardPolicy] },
    {
      why: 'a company’s own papers and qualifications, no part of a project (settings/company-papers.test.ts, organisation/aptitudes.test.ts)',
      calls: [bringPaper, changePaper],
    },
    {
      why: 'only the company of the paper links it to a site (settings/company-papers.test.ts)',
      calls: [linkPaper],
    },
    { why: 'platform only: settings of the deployment (settings/system.test.ts)', calls: [setSystem, tryChannel] },
    {
      why: 'changes the caller’s own dictionaries only (settings/own-words.test.ts)',
      calls: [saveOwnDictionary, resetOwnDictionary, changeOwnArea],
    },
  ],
  exemptReads: [{ why: 'takes no id: dictionaries', calls: [dictsByCode] }],
  withoutPage: [
    {
      why: 'lists and trees to choose from, for clients that draw their own forms',
      names: ['dictsByParent', 'dictTreeByCode', 'nativeAreaTree'],
    },
  ],
  owners: {
    corpMaterial: `select x.id, null as project_code, '2/' || x.corp_code as group_key from corp_material x`,
  },
  writes: {
    setting: 'the profile of the deployment',
  },
}
