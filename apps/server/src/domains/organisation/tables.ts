import type { Confirmation } from '@zhugong/contract/organisation/project-facts'
import type { Generated } from 'kysely'
import type { Json, JsonOrNull, Stamp, Trail } from '#kit/columns'

interface GovernmentTable extends Trail {
  govCode: string
  name: string
  type: string
  level: string
  areaCode: string
  parentGovCode: string | null
  creditCode: string | null
  disciplines: Generated<string[]>
  linkMan: string
  linkPhone: Buffer | null
  linkPhoneMask: string | null
  address: string | null
  addedProjects: Generated<string[]>
  removedProjects: Generated<string[]>
  scopeNotes: Json<Record<string, { reason: string; by: string; at: string }>>
  enable: Generated<string>
}
interface CorporationTable extends Trail {
  id: string
  corpCode: string
  corpName: string
  corpType: string | null
  corpKind: string[]
  licenseNum: string | null
  areaCode: string
  address: string
  zipCode: string | null
  legalMan: string | null
  legalManDuty: string | null
  legalManProTitle: string | null
  legalManIdCardType: string | null
  legalManIdCardNumber: Buffer | null
  legalManIdCardMask: string | null
  regCapital: number | null
  factRegCapital: number | null
  capitalCurrencyType: Generated<string>
  registerDate: string | null
  establishDate: string | null
  officePhone: string | null
  faxNumber: string | null
  linkMan: string
  linkPhone: Buffer | null
  linkPhoneMask: string | null
  email: string | null
  webSite: string | null
  safetyLicenseNo: string | null
  safetyLicenseEnd: string | null
  licenseFile: string | null
  creditScore: Generated<number>
  enable: Generated<string>
  ownerGroup: string | null
  aptitudeRemindDays: Generated<number>
}
interface CorpQualificationTable {
  id: string
  corpCode: string
  certTypeNum: string
  tradeBoundNum: string
  titleLevelNum: string
  certCode: string
  organName: string
  organDate: string
  endDate: string
  addTypeNum: string | null
  status: string
  files: Json<string[]>
  reason: string | null
  createTime: Date
  updateTime: Date
  updateBy: string
  version: Generated<number>
}
interface CorpEventTable {
  id: Generated<string>
  corpCode: string
  at: Date
  kind: string
  title: string
  changes: Json<{ field: string; before: string | null; after: string | null }[]>
  byName: string
}
interface ProjectTable extends Trail {
  id: string
  projectCode: string
  name: string
  shortName: string | null
  contractorCorpCode: string | null
  buildCorpCode: string | null
  category: string
  prjStatus: string
  description: string | null
  areaCode: string
  address: string
  lng: number | null
  lat: number | null
  areaRule: JsonOrNull<unknown>
  buildPlanNum: string | null
  prjPlanNum: string | null
  builderLicenses: Json<{ prjName: string; builderLicenseNum: string; licenseDate: string; grantOrg: string }[]>
  investProjectCode: string | null
  approvalNum: string | null
  approvalLevelNum: string | null
  prjSize: string | null
  propertyNum: string | null
  functionNum: string | null
  nationNum: string | null
  invest: number | null
  contractPrice: number | null
  laborCostRatio: number | null
  buildingArea: number | null
  buildingLength: number | null
  structureType: string | null
  floorsUp: number | null
  floorsDown: number | null
  startDate: string | null
  completeDate: string | null
  actualStartDate: string | null
  actualCompleteDate: string | null
  fundSource: string | null
  projectMode: string | null
  phase: string | null
  linkMan: string
  linkPhone: Buffer | null
  linkPhoneMask: string | null
  chargeEmail: string | null
  superviseOrg: string | null
  superviseNo: string | null
  attendanceStartTime: Generated<string>
  attendanceEndTime: Generated<string>
  payRollCreateDay: number | null
  payRollDay: number | null
  payRollDelayDays: number | null
  isClosedSite: Generated<boolean>
  cover: string | null
  sitePlan: JsonOrNull<unknown>
  enable: Generated<string>
  thirdPartyProjectCode: string | null
  confirmed: Json<Confirmation | null>
  uploadStatus: Generated<string>
}
interface ProjectStateLogTable {
  id: string
  projectCode: string
  fromState: string | null
  toState: string
  at: Date
  reason: Generated<string>
  byUser: string | null
  /** Of a stop: attendance goes on as usual. */
  keepsAttendance: Generated<boolean>
}
interface ProjectStateApplyTable {
  id: string
  projectCode: string
  action: string
  fromState: string
  reason: Generated<string>
  state: Generated<string>
  filedBy: string
  filedName: string
  filedGroup: string | null
  opinion: string | null
  decidedName: string | null
  decideTime: Date | null
  createTime: Date
  version: Generated<number>
}
interface ProjectChangeTable {
  id: string
  projectCode: string
  /** Dictionary projectAlterType. */
  type: string
  /** Number of its approval. */
  code: string | null
  files: Generated<string[]>
  consent: Generated<string[]>
  reason: string
  state: Generated<string>
  opinion: string | null
  filedGroup: string
  filedBy: string
  filedName: string
  createTime: Date
  decidedName: string | null
  decideTime: Date | null
  version: Generated<number>
}
interface ProjectChangeFieldTable {
  changeId: string
  seq: number
  field: string
  oldValue: string | null
  newValue: string
}
interface ProjectChangePersonTable {
  changeId: string
  corpType: string
  corpCode: string
  oldName: string | null
  newName: string
  idCardType: string
  idCardNumber: Buffer
  idCardHash: string
  idCardMask: string
  cellPhone: Buffer | null
  cellPhoneMask: string | null
}
interface ProjectFenceTable {
  id: string
  projectCode: string
  areaRule: JsonOrNull<unknown>
  /** For a fence in force: the last decided fence at that time, which may be itself. */
  base: Json<unknown> | null
  hectares: Generated<number>
  state: Generated<string>
  reason: string
  filedName: string
  createTime: Date
  decidedName: string | null
  decideTime: Date | null
  opinion: string | null
  version: Generated<number>
}
interface ProjectGroupTable {
  id: string
  groupId: string
  parentId: string | null
  module: Generated<string>
  name: string
  sort: Generated<number>
  enable: Generated<string>
  /** Membership of the person responsible for the folder. */
  headId: string | null
  createTime: Stamp
  updateTime: Date | null
  version: Generated<number>
}
interface ProjectGroupItemTable {
  projectGroupId: string
  projectCode: string
  /** Both columns are copied from the folder by a trigger. */
  groupId: Generated<string>
  module: Generated<string>
  joinTime: Stamp
}
interface OrgNodeTable {
  id: string
  groupId: string
  parentId: string | null
  name: string
  sort: Generated<number>
  enable: Generated<string>
  createTime: Stamp
  version: Generated<number>
}
interface OrgMemberTable {
  groupId: string
  orgId: string
  memberId: string
  post: Generated<string>
  isHead: Generated<boolean>
  createTime: Stamp
  version: Generated<number>
}

declare module '#kit/db' {
  interface Tables {
    government: GovernmentTable
    corporation: CorporationTable
    corpQualification: CorpQualificationTable
    corpEvent: CorpEventTable
    project: ProjectTable
    projectStateLog: ProjectStateLogTable
    projectChange: ProjectChangeTable
    projectChangeField: ProjectChangeFieldTable
    projectChangePerson: ProjectChangePersonTable
    projectStateApply: ProjectStateApplyTable
    projectFence: ProjectFenceTable
    projectGroup: ProjectGroupTable
    projectGroupItem: ProjectGroupItemTable
    orgNode: OrgNodeTable
    orgMember: OrgMemberTable
  }
}
