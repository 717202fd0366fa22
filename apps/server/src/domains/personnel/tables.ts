import type { ImportIssue, ImportKind, ImportRowState, ImportState } from '@zhugong/contract/personnel/import'
import type { SelfEntryState } from '@zhugong/contract/personnel/self-entry'
import type { SignWay } from '@zhugong/contract/personnel/train-model'
import type { Generated } from 'kysely'
import type { Json, Stamp, Trail } from '#kit/columns'

export interface Consent {
  kind: 'personal' | 'face'
  state: '同意' | '不同意' | '已撤回'
  version: string
  way: string
  time: string
  /** A stored file: the signature of this consent. */
  file?: string | null
}
/** A mark changed after its session was closed. */
export interface MarkChange {
  time: string
  by: string
  from: { score: number | null; passed: boolean | null }
  to: { score: number | null; passed: boolean | null }
  /** Why it was corrected. */
  reason?: string
}
interface WorkerTable extends Trail {
  id: string
  name: string
  idCardType: Generated<string>
  idCardNumber: Buffer
  idCardHash: string
  idCardMask: string
  gender: string
  nation: string | null
  birthday: string
  birthPlaceCode: string | null
  address: Buffer | null
  grantOrg: string | null
  startDate: string | null
  expiryDate: string | null
  headImage: string | null
  positiveIdCardImage: string | null
  negativeIdCardImage: string | null
  facePhoto: string | null
  cellPhone: Buffer | null
  cellPhoneHash: string | null
  cellPhoneMask: string | null
  realNameState: Generated<string>
  consents: Json<Consent[]>
  politics: string | null
  cultureLevel: string | null
  degree: string | null
  maritalStatus: string | null
  isJoined: boolean | null
  joinedTime: string | null
  specialty: string | null
  workTypeCode: string | null
  workCorpName: string | null
  workDate: string | null
  skillLevel: string | null
  urgentLinkMan: string | null
  urgentLinkManPhone: Buffer | null
  urgentLinkManPhoneMask: string | null
  hasBadMedicalHistory: boolean | null
  health: Buffer | null
  ownerGroup: string | null
  deleted: Generated<boolean>
  mergedInto: string | null
  phoneWrittenAt: Date | null
}
interface WorkerCertTable extends Trail {
  id: string
  workerId: string
  certType: string
  specialType: string | null
  name: string
  certNo: string
  level: string | null
  majorType: string | null
  firstIssueDate: string | null
  issueDate: string
  validStart: string | null
  validEnd: string | null
  grantOrg: string
  status: string
  auditStatus: Generated<string>
  files: Json<unknown[]>
}
interface WorkerContractTable extends Trail {
  id: string
  contractCode: string
  workerId: string
  projectCode: string
  corpCode: string
  contractKind: string
  contractPeriodType: string
  startDate: string
  endDate: string | null
  paymentType: string
  unit: string | null
  unitPrice: number | null
  salary: number | null
  payDay: number
  workContent: string | null
  signDate: string
  signMode: string
  files: Json<unknown[]>
  terminateDate: string | null
  terminateReason: string | null
}
interface WorkerBadTable extends Trail {
  id: string
  type: string
  workerId: string | null
  projectCode: string
  corpCode: string
  teamId: string | null
  badRecordType: string
  badRecordLevel: string
  actionDegree: string
  occurrenceDate: string
  reason: string
  processResult: string | null
  score: number | null
  files: Json<unknown[]>
  auditStatus: Generated<string>
  validUntil: string | null
  auditedBy: Generated<string | null>
  auditedName: Generated<string | null>
  /** Time at which a justified objection revoked the record. */
  revokedAt: Generated<Date | null>
  /** The decided case of misconduct that it follows from. */
  misconductId: Generated<string | null>
}

interface WorkerTrainingTable {
  id: string
  projectCode: string
  corpCode: string
  workerId: string
  projectWorkerId: string
  trainingType: string
  trainDate: string
  hours: number
  score: number | null
  passed: boolean | null
  trainer: string | null
  trainingId: string | null
  name: string | null
  signedAt: Date | null
  signWay: SignWay | null
  /** yyyy-MM-dd. */
  retestAt: string | null
  retestScore: number | null
  retestBy: string | null
  changes: Json<MarkChange[]>
  createTime: Stamp
  createBy: string | null
}
interface TrainingTable extends Trail {
  id: string
  projectCode: string
  corpCode: string
  trainingType: string
  name: string
  trainer: string
  startTime: Date
  duration: number
  address: string | null
  content: string
  files: Json<unknown[]>
  closedAt: Date | null
  closedBy: string | null
  cancelledAt: Date | null
  cancelledBy: string | null
  cancelReason: string | null
  sourceKey: string | null
}
interface WorkerResumeTable {
  id: string
  workerId: string
  projectName: string
  corpName: string
  teamName: string | null
  workType: string
  entryTime: string
  exitTime: string | null
  evaluate: string | null
  createTime: Stamp
  createBy: string | null
}

interface CertNoticeTable {
  id: string
  projectCode: string
  corpCode: string
  projectWorkerId: string
  subject: string
  kind: 'remind' | 'ignore'
  reason: string
  createTime: Date
  createBy: string
  createName: string
}

interface WorkerImportTable {
  id: string
  groupId: string
  projectCode: string | null
  kind: ImportKind
  fileName: string
  fileHash: string
  state: ImportState
  total: Generated<number>
  success: Generated<number>
  fail: Generated<number>
  message: Generated<string>
  unknownColumns: Json<string[]>
  remarks: Json<string[]>
  confirmed: Generated<boolean>
  cancelled: Generated<boolean>
  createBy: string
  createName: string
  createTime: Date
  updateTime: Date
}
interface WorkerImportRowTable {
  importId: string
  rowNo: number
  cells: Buffer
  state: Generated<ImportRowState>
  issues: Json<ImportIssue[]>
  idHash: string | null
  cardHash: string | null
  team: string | null
  hidden: Generated<boolean>
  joins: Generated<boolean>
  result: 'created' | 'joined' | null
  workerId: string | null
  projectWorkerId: string | null
  message: Generated<string>
  version: Generated<number>
}

interface SelfEntryDoorTable {
  projectCode: string
  isOpen: boolean
  turn: Generated<number>
  updateName: string
  updateTime: Date
  version: Generated<number>
}
interface SelfEntryTable {
  id: string
  projectCode: string
  corpCode: string
  teamId: string
  workType: string
  name: string
  idCardNumber: Buffer | null
  idCardHash: string
  idCardMask: string
  cellPhone: Buffer | null
  cellPhoneHash: string
  cellPhoneMask: string
  phoneProved: boolean
  urgentLinkMan: string | null
  urgentPhone: Buffer | null
  urgentPhoneMask: string | null
  consentFace: boolean
  photo: Buffer | null
  receiptHash: string
  state: Generated<SelfEntryState>
  reason: string | null
  decidedName: string | null
  decidedAt: Date | null
  workerId: string | null
  projectWorkerId: string | null
  createTime: Date
  version: Generated<number>
}
interface OpenUseTable {
  subject: string
  day: string
  n: number
}
interface OwnLookTable {
  tokenHash: string
  workerId: string
  expiresAt: Date
}

declare module '#kit/db' {
  interface Tables {
    selfEntryDoor: SelfEntryDoorTable
    selfEntry: SelfEntryTable
    openUse: OpenUseTable
    ownLook: OwnLookTable
    workerTraining: WorkerTrainingTable
    training: TrainingTable
    workerResume: WorkerResumeTable
    worker: WorkerTable
    workerCert: WorkerCertTable
    certNotice: CertNoticeTable
    workerContract: WorkerContractTable
    workerBad: WorkerBadTable
    workerImport: WorkerImportTable
    workerImportRow: WorkerImportRowTable
  }
}
