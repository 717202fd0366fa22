import { addAptitude, changeAptitude, setAptitudeReminder } from '@zhugong/contract/organisation/aptitudes'
import { applyOrgTemplate, saveBrand, saveBrandPolicy } from '@zhugong/contract/organisation/brand'
import { createCorporationV1, updateCorporationV1 } from '@zhugong/contract/organisation/corporation-views'
import { createCorporation, removeCorporation, switchCorporation, updateCorporation } from '@zhugong/contract/organisation/corporations'
import { setDefaultFences } from '@zhugong/contract/organisation/fence-overview'
import { createGovernment, removeGovernment, switchGovernment, updateGovernment } from '@zhugong/contract/organisation/governments'
import { saveGroupInfo } from '@zhugong/contract/organisation/group-info'
import { appointAdministrator, openCompany, updateGroup } from '@zhugong/contract/organisation/groups'
import {
  addOrgMembers,
  addOrgUser,
  changeOrgPosts,
  createOrg,
  leaveGroup,
  refreshOrg,
  removeOrg,
  removeOrgMembers,
  updateOrg,
  updateOrgMember,
} from '@zhugong/contract/organisation/org'
import { changeBodyScope } from '@zhugong/contract/organisation/part-lists'
import { withdrawAlter } from '@zhugong/contract/organisation/project-alter'
import {
  addToFolder,
  changeFolder,
  copyFolders,
  createFolder,
  removeFolder,
  removeFromFolder,
  updateFolder,
} from '@zhugong/contract/organisation/project-groups'
import { createProjectV1 } from '@zhugong/contract/organisation/project-views'
import { createProject, createProjectFast } from '@zhugong/contract/organisation/projects'
import { type Fixtures, ofGroup } from '../../../test/fixtures/helpers.ts'

export const fixtures: Fixtures = {
  exempt: [
    {
      why: 'changes the caller’s own group only (roles, accounts, settings, files, exports)',
      calls: [
        createOrg,
        updateOrg,
        removeOrg,
        addOrgUser,
        addOrgMembers,
        changeOrgPosts,
        removeOrgMembers,
        updateOrgMember,
        leaveGroup,
        updateGroup,
        applyOrgTemplate,
        createFolder,
        updateFolder,
        removeFolder,
        changeFolder,
        copyFolders,
        addToFolder,
        removeFromFolder,
      ],
    },
    { why: 'walls of the caller’s own group and of groups below (screens/screens.test.ts)', calls: [saveBrand] },
    {
      why: 'governments and companies are no part of a project',
      calls: [
        openCompany,
        appointAdministrator,
        createGovernment,
        updateGovernment,
        removeGovernment,
        switchGovernment,
        createCorporationV1,
        updateCorporationV1,
        createCorporation,
        updateCorporation,
        removeCorporation,
        switchCorporation,
      ],
    },
    { why: 'only the group that filed an application withdraws it', calls: [withdrawAlter] },
    { why: 'the project does not exist yet', calls: [createProject, createProjectFast, createProjectV1] },
    { why: 'each project is checked as the call for a single one is', calls: [setDefaultFences] },
    { why: 'changes how the caller’s own group appears (organisation/brands.test.ts)', calls: [saveBrandPolicy] },
    {
      why: 'a company’s own papers and qualifications, no part of a project (settings/company-papers.test.ts, organisation/aptitudes.test.ts)',
      calls: [addAptitude, changeAptitude, setAptitudeReminder],
    },
    { why: 'changes the caller’s own group only (settings/system.test.ts)', calls: [saveGroupInfo] },
    { why: 'platform only: the area of a government', calls: [changeBodyScope] },
  ],
  reads: [
    {
      endpoint: refreshOrg,
      by: 'hospital-pm',
      input: ({ of }) => ({ params: { id: of('org') } }),
    },
  ],
  withoutPage: [
    {
      why: 'older address of a call that pages make under another',
      names: [
        'createProject',
        'listProjectsV1',
        'createProjectV1',
        'updateProjectV1',
        'getProjectV1',
        'fillProjectV1',
        'projectFormInfo',
        'findProjects',
        'listCorporationsV1',
        'createCorporationV1',
        'updateCorporationV1',
        'getCorporationV1',
        'corporationFormInfo',
      ],
    },
    {
      why: 'lists and trees to choose from, for clients that draw their own forms',
      names: [
        'findUnits',
        'corpTree',
        'userTree',
        'readPresentation',
        'listOrgs',
        'refreshOrg',
        'orgAncestors',
        'listOrgMembersOf',
        'orgPeopleTree',
        'listFolders',
        'getFolder',
        'addToFolder',
        'removeFromFolder',
      ],
    },
  ],
  owners: {
    org: ofGroup('org_node'),
    projectGroup: ofGroup('project_group'),
    qualification: `select x.id, null as project_code, '2/' || x.corp_code as group_key from corp_qualification x`,
  },
  unowned: {
    group: 'names of groups are public; a call checks the caller’s own group',
    corporation: 'public register of companies',
    government: 'public list of authorities',
  },
}
