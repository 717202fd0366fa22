import type { Generated } from 'kysely'
import type { JsonOrNull } from '#kit/columns'

interface PitStageTable {
  id: string
  projectCode: string
  pitName: string
  at: Date
  depth: number
  note: string | null
  createTime: Generated<Date>
  createBy: string | null
}
interface PitSurveyTable {
  id: string
  projectCode: string
  fileName: string
  state: Generated<'waiting' | 'done' | 'failed'>
  items: JsonOrNull<unknown>
  rowCount: number
  readings: number
  points: number
  jumps: Generated<number>
  stored: Generated<number>
  doubled: Generated<number>
  firstTime: Date
  lastTime: Date
  message: Generated<string>
  createBy: string
  createTime: Date
}

declare module '#kit/db' {
  interface Tables {
    pitStage: PitStageTable
    pitSurvey: PitSurveyTable
  }
}
