import type { FlowFacts, FlowNode } from '@zhugong/contract/workflow/flow'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from '#kit/columns'
import type { WorkDocument } from './model.ts'

interface WorkItemTable {
  id: string
  kind: string
  objectId: string
  code: string
  title: string
  groupId: string
  projectCode: string | null
  corpCode: string | null
  groups: Generated<string[]>
  applicantId: string
  applicantName: string
  applicantGroup: string
  state: Generated<string>
  node: Generated<string>
  round: Generated<number>
  deadline: Date | null
  snapshot: Json<WorkDocument>
  hash: string
  facts: Json<FlowFacts>
  flowGroup: string | null
  flowVersion: Generated<number>
  version: Generated<number>
  createTime: Date
  updateTime: Date
  doneTime: Date | null
  urgedAt: Date | null
}
interface WorkStepTable {
  id: string
  itemId: string
  place: number
  stage: number
  round: number
  key: string
  name: string
  node: Json<FlowNode>
  state: Generated<string>
  note: string | null
  beganAt: Date | null
  deadline: Date | null
  endedAt: Date | null
  remindedAt: Date | null
}
interface WorkApproverTable {
  id: string
  itemId: string
  stepId: string
  groupId: string
  userId: string | null
  code: string | null
  roleId: string | null
  state: Generated<string>
  origin: Generated<string>
  turn: Generated<number>
  actedBy: string | null
  actedName: string | null
  actedAt: Date | null
  forUser: string | null
  opinion: string | null
}
interface WorkCopyTable {
  itemId: string
  userId: string
  groupId: string
  createTime: Date
  readAt: Date | null
}
interface WorkEventTable {
  id: string
  seq: GeneratedAlways<number>
  itemId: string
  at: Date
  userId: string | null
  userName: string
  groupName: string
  action: string
  node: string | null
  opinion: string | null
  note: string | null
  signatureId: string | null
}
interface WorkCommentTable {
  id: string
  itemId: string
  at: Date
  userId: string
  userName: string
  groupName: string
  text: string
}
interface WorkSignatureTable {
  id: string
  itemId: string
  stepId: string | null
  userId: string
  userName: string
  at: Date
  image: Buffer
  hash: string
}
interface FlowSettingTable {
  id: string
  groupId: string
  /** Set by the database for groups that are sites. */
  projectCode: Generated<string | null>
  kind: string
  version: number
  mode: string
  nodes: Json<FlowNode[]>
  note: Generated<string>
  createBy: string
  createName: string
  createTime: Date
}
interface WorkDeputyTable {
  id: string
  groupId: string
  userId: string
  deputyId: string
  fromTime: Date
  toTime: Date
  reason: Generated<string>
  endedAt: Date | null
  createTime: Date
}
interface WorkNumberTable {
  kind: string
  groupId: string
  year: number
  last: number
}

declare module '#kit/db' {
  interface Tables {
    workItem: WorkItemTable
    workStep: WorkStepTable
    workApprover: WorkApproverTable
    workCopy: WorkCopyTable
    workEvent: WorkEventTable
    workComment: WorkCommentTable
    workSignature: WorkSignatureTable
    workNumber: WorkNumberTable
    flowSetting: FlowSettingTable
    workDeputy: WorkDeputyTable
  }
}
