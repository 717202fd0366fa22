import type { ColumnType, Generated } from 'kysely'
import type { Json, Stamp, Trail } from '#kit/columns'

/** The encrypted account number as base64, and its visible part. */
export interface StoredAccount {
  businessType: string
  bankCode: string
  bankName: string
  sealed: string
  mask: string
  bankLinkNumber: string | null
}
interface StoredAccountChange {
  accounts: StoredAccount[]
  by: string
  byName: string
  at: string
}
interface StoredInsurance {
  kind: string
  policyNo: string
  insurer: string
  startDate: string
  endDate: string
}
interface StoredSupplement {
  date: string
  amount: number | null
  remark: string
  files: string[]
}
interface ProjectCorpTable extends Trail {
  id: string
  projectCode: string
  corpCode: string
  corpType: string
  parentCorpCode: string | null
  contractNo: string | null
  contractAmount: number | null
  contractFile: Json<unknown[]>
  entryTime: string
  exitTime: string | null
  pmName: string | null
  pmIdCardType: string | null
  pmIdCardNumber: Buffer | null
  pmIdCardMask: string | null
  pmIdCardHash: string | null
  pmPhone: Buffer | null
  pmPhoneMask: string | null
  payType: string | null
  bankAccounts: Json<StoredAccount[]>
  agreementFile: Json<unknown[]>
  insurances: Json<StoredInsurance[]>
  contractChanges: Json<StoredSupplement[]>
  remark: string | null
  accountChange: Json<StoredAccountChange | null>
  stationed: Generated<string>
}
interface TeamTable extends Trail {
  id: string
  teamSysNo: Generated<number>
  projectCode: string
  corpCode: string
  teamName: string
  workType: string
  teamLeaderId: string | null
  teamLeaderName: string | null
  responsiblePersonName: string
  responsiblePersonPhone: Buffer | null
  responsiblePersonPhoneMask: string | null
  responsiblePersonIdCardType: string | null
  responsiblePersonIdNumber: Buffer | null
  responsiblePersonIdMask: string | null
  entryTime: string
  exitTime: string | null
  stationed: Generated<string>
  remark: string | null
}
interface ProjectTeamTable {
  id: string
  projectCode: string
  teamId: string
  corpCode: string
  entryTime: string
  exitTime: string | null
  entryAttachments: Json<unknown[]>
  exitAttachments: Json<unknown[]>
  remark: string | null
  version: Generated<number>
  createTime: Stamp
}
interface ProjectWorkerTable extends Trail {
  id: string
  projectCode: string
  workerId: string
  corpCode: string
  teamId: string | null
  workRole: string
  workType: string | null
  post: string | null
  isTeamLeader: Generated<boolean>
  entryTime: Date
  exitTime: Date | null
  exitReason: string | null
  entryAttachment: Json<unknown[]>
  exitAttachment: Json<unknown[]>
  issueCardDate: string | null
  issueCardPic: string | null
  cardNumber: string | null
  payRollBankCode: string | null
  payRollBankName: string | null
  payRollBankCardNumber: Buffer | null
  payRollBankCardHash: string | null
  payRollBankCardMask: string | null
  bankLinkNumber: string | null
  hasContract: Generated<boolean>
  hasBuyInsurance: boolean | null
  paymentType: string | null
  unitPriceCents: number | null
  entryTrained: Generated<boolean>
  formalStatus: Generated<string>
  formalFrom: Date | null
  stationed: Generated<string>
  attendEnabled: Generated<boolean>
  blackHit: Generated<boolean>
  uploadStatus: Generated<string>
  /** The formal state and gate permissions that a black list removed, and restores when it ends. */
  blackPaused: Generated<boolean>
  blackGates: Generated<string[]>
  workerName: string
  gender: string
  birthday: string
  idCardMask: string
  idCardHash: string
  cellPhoneMask: string | null
  cellPhoneHash: string | null
  /** Null: the person has neither passed a gate nor agreed, so the site that made the entry cannot see the file. */
  confirmedAt: Generated<Date | null>
}
/** Written by a trigger on `project_worker`. */
interface StayPauseTable {
  projectCode: string
  workerId: string
  fromAt: Date
  untilAt: Date | null
}
interface EntryExitHistoryTable {
  id: string
  projectCode: string
  workerId: string
  corpCode: string
  projectWorkerId: string
  type: string
  date: Date
  voucher: Json<unknown[]>
  reason: string | null
  source: string
  createTime: Stamp
  createBy: string | null
}
interface BlackEntryTable {
  id: string
  kind: 'worker' | 'corp'
  groupId: string
  groupName: string
  scope: string
  scopeCode: string
  sourceProject: string | null
  idCardType: string | null
  idCardNumber: Buffer | null
  idCardHash: string | null
  idCardMask: string | null
  name: string
  corpCode: string | null
  docNo: string | null
  decideOrg: string | null
  reasonType: string
  reason: string
  occurrenceDate: string
  startDate: string
  endDate: string
  files: Json<unknown[]>
  notifiedTime: Date | null
  state: Generated<string>
  submitBy: string | null
  submitTime: Date | null
  issuer: string | null
  decidedBy: string | null
  decidedTime: Date | null
  createTime: Stamp
  createBy: string | null
  createName: string | null
  updateTime: Date | null
  updateBy: string | null
  version: Generated<number>
}
interface BlackLogTable {
  id: string
  entryId: string
  action: string
  fromState: string | null
  toState: string
  opinion: Generated<string>
  files: Json<unknown[]>
  at: Date
  byUser: string | null
  byName: string
  groupName: string
}
interface BlackRefusalTable {
  id: string
  entryId: string
  projectCode: string
  corpCode: string | null
  way: 'entry' | 'join' | 'team'
  at: Date
  byName: string
}

interface EnterpriseRegisterTable {
  corpCode: string
  corpName: string
  corpKind: Generated<string[]>
  corpType: string | null
  areaCode: string | null
  address: string | null
  legalMan: string | null
  regCapital: number | null
  establishDate: string | null
  safetyLicenseNo: string | null
  safetyLicenseEnd: string | null
  qualifications: ColumnType<unknown[], string | undefined, string>
  records: ColumnType<unknown[], string | undefined, string>
  /** Registration state from the authority: 存续, 注销, 吊销 ... */
  status: Generated<string>
  source: string
  asOf: string
  updateTime: Stamp
}
interface EnterpriseOperatorTable {
  id: string
  corpCode: string
  name: string
  idCardHash: string
  idCardMask: string
  kind: string
  certName: string
  certNo: string
  trade: string | null
  validEnd: string | null
  state: Generated<string>
  post: string | null
  projectName: string | null
}

interface ExitKeepTable {
  projectWorkerId: string
  projectCode: string
  corpCode: string
  untilDay: string
  reason: string
  byName: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    projectCorp: ProjectCorpTable
    team: TeamTable
    projectTeam: ProjectTeamTable
    projectWorker: ProjectWorkerTable
    stayPause: StayPauseTable
    entryExitHistory: EntryExitHistoryTable
    blackEntry: BlackEntryTable
    blackLog: BlackLogTable
    blackRefusal: BlackRefusalTable
    exitKeep: ExitKeepTable
    enterpriseRegister: EnterpriseRegisterTable
    enterpriseOperator: EnterpriseOperatorTable
  }
}
