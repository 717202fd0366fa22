import type { RunResult, RunState } from '@zhugong/contract/linkage/codes'
import type { Linkage } from '@zhugong/contract/rules/exec-model'
import type { Generated } from 'kysely'
import type { JsonGiven } from '#kit/columns'

interface LinkageBlockTable {
  deviceId: string
  projectCode: string
  untilTime: Date
  reason: string
  byName: string
  createTime: Date
}
interface LinkageRunTable {
  id: string
  projectCode: string
  execId: string
  execName: string
  ruleId: string | null
  command: string
  deviceId: string
  deviceName: string
  family: string
  definition: JsonGiven<Linkage>
  level: number
  simulated: Generated<boolean>
  state: RunState
  result: RunResult | null
  reason: Generated<string>
  cmdId: string
  stopCmdId: string
  attempts: Generated<number>
  stopAttempts: Generated<number>
  failed: Generated<boolean>
  confirmUntil: Date | null
  confirmedBy: string | null
  holdUntil: Date | null
  stopBy: string | null
  stopReason: string | null
  startTime: Date | null
  minUntil: Date | null
  maxUntil: Date | null
  stoppingAt: Date | null
  endTime: Date | null
  cooldownUntil: Date | null
  pm10Before: number | null
  pm10After: number | null
  dueAt: Date
  claim: string | null
  claimedUntil: Date | null
  wake: Generated<boolean>
  createTime: Date
}
interface LinkageRunAlarmTable {
  runId: string
  alarmId: string
  projectCode: string
  joinedAt: Date
}
interface SprayPlanTable {
  id: string
  projectCode: string
  deviceId: string
  name: string
  days: number[]
  times: string[]
  minutes: number
  enabled: Generated<boolean>
  since: Date
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Date | null
  version: Generated<number>
}
interface SprayPlanRunTable {
  id: string
  planId: string | null
  planName: string
  projectCode: string
  deviceId: string
  dueAt: Date
  minutes: number
  state: 'sending' | 'sent' | 'held' | 'failed' | 'missed'
  message: Generated<string>
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    linkageBlock: LinkageBlockTable
    linkageRun: LinkageRunTable
    linkageRunAlarm: LinkageRunAlarmTable
    sprayPlan: SprayPlanTable
    sprayPlanRun: SprayPlanRunTable
  }
}
