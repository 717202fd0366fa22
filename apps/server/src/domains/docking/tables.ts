import type { AsyncStatus, Operation, Outcome, UploadStatus } from '@zhugong/contract/docking/codes'
import type { MappedField } from '@zhugong/contract/docking/mapping'
import type { ObjectType, Profile } from '@zhugong/contract/docking/standard'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { Json, Trail } from '#kit/columns'

type Day = ColumnType<string, string, string>

export interface Step {
  step: string
  at: string
  by: string
  note: string
}

interface DockingPlatformTable extends Trail {
  id: string
  groupId: string
  name: string
  level: string
  areaCode: string
  profile: Profile
  profileChecked: Generated<boolean>
  endpoint: Generated<string>
  appKey: Generated<string>
  secret: Buffer | null
  objects: Generated<ObjectType[]>
  progress: Generated<string>
  status: Generated<string>
  steps: Json<Step[]>
  paused: Generated<boolean>
  downSince: Date | null
  downReason: string | null
  probeAt: Date | null
  lastAnswer: Date | null
  comparedTo: Day | null
}
interface DockingEnrolTable {
  platformId: string
  projectCode: string
  since: Date
  createBy: string | null
}
interface DockingMappingTable {
  platformId: string
  objectType: ObjectType
  version: number
  fields: Json<MappedField[]>
  createTime: Date
  createBy: string
}
interface DockingOutboxTable {
  seq: GeneratedAlways<number>
  /** Object type, or a reference to passages (`fan-out.ts`). */
  objectType: string
  sourceId: string
  op: Operation
  at: Generated<Date>
}
interface DockingRecordTable {
  id: string
  seq: GeneratedAlways<number>
  platformId: string
  objectType: ObjectType
  rank: number
  sourceId: string
  projectCode: string
  corpCode: string | null
  lane: string
  afterLane: string | null
  bizName: string
  op: Operation
  uploadStatus: Generated<UploadStatus>
  asyncStatus: AsyncStatus | null
  failed: GeneratedAlways<boolean>
  attempts: Generated<number>
  revision: Generated<number>
  errorCode: string | null
  errorField: string | null
  errorText: string | null
  waitFor: string | null
  waitLane: string | null
  dueAt: Date | null
  queuedTime: Date
  receiptNo: string | null
  receiptTime: Date | null
  ticket: string | null
  mappingVersion: number | null
  payload: Buffer | null
  /** The personal values last known to the project (`known.ts`). */
  known: Json<Record<string, unknown>> | null
}
interface DockingAttemptTable {
  id: string
  recordId: string
  at: Date
  tookMs: number
  outcome: Outcome
  http: number | null
  answer: Generated<string>
  errorCode: string | null
  payload: Buffer | null
}
interface DockingErrorTable {
  profile: Profile
  code: string
  text: string
  mender: string
  updateTime: Date
  updateBy: string
  version: Generated<number>
}
interface DockingDayTable {
  platformId: string
  projectCode: string
  objectType: ObjectType
  day: Day
  corpCode: Generated<string>
  accepted: Generated<number>
  removed: Generated<number>
  refused: Generated<number>
}
interface DockingCompareTable {
  platformId: string
  day: Day
  objectType: ObjectType
  ours: number
  theirs: number
  oursRemoved: Generated<number>
  theirsRemoved: number | null
  at: Date
}
interface DockingKeyTable {
  id: string
  groupId: string
  name: string
  areaCode: string
  keyHash: string
  keyHint: string
  revokedTime: Date | null
  revokedBy: string | null
  lastTime: Date | null
  lastIp: string | null
  received: Generated<number>
  duplicate: Generated<number>
  rejected: Generated<number>
  /** Day of the last stored data, and its bytes. */
  day: string | null
  dayBytes: Generated<number>
  createTime: Date
  createBy: string
  version: Generated<number>
}
interface DockingReceivedTable {
  keyId: string
  idemKey: string
  objectType: string
  businessId: string
  op: Operation
  receiptNo: string
  body: Buffer
  at: Date
}
interface DockingRejectedTable {
  id: string
  keyId: string
  idemKey: string
  objectType: string
  businessId: string
  errorCode: string
  errorField: string | null
  errorText: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    dockingPlatform: DockingPlatformTable
    dockingEnrol: DockingEnrolTable
    dockingMapping: DockingMappingTable
    dockingOutbox: DockingOutboxTable
    dockingRecord: DockingRecordTable
    dockingAttempt: DockingAttemptTable
    dockingError: DockingErrorTable
    dockingDay: DockingDayTable
    dockingCompare: DockingCompareTable
    dockingKey: DockingKeyTable
    dockingReceived: DockingReceivedTable
    dockingRejected: DockingRejectedTable
  }
}
