import type { Generated } from 'kysely'
import type { Json } from '#kit/columns'

interface PileWorkTable {
  id: string
  projectCode: string
  deviceId: string
  pileId: string
  startedAt: Date
  byName: string
  endedAt: Date | null
  endedBy: string | null
  endDepth: number | null
  endNote: Generated<string>
}
interface PileTroubleTable {
  id: string
  projectCode: string
  deviceId: string
  pileId: string | null
  at: Date
  kind: 'obstacle' | 'stop' | 'collapse' | 'grout' | 'machine' | 'other'
  depth: number | null
  text: string
  files: Generated<string[]>
  byName: string
}
interface PileTable {
  id: string
  projectCode: string
  pileNo: string
  kind: 'bored' | 'precast' | 'static' | 'mixing'
  axis: string | null
  diameter: number | null
  designLength: number
  designDepth: number | null
  concrete: string | null
  plannedOn: string | null
  madeOn: string | null
  verdict: '1' | '2' | '0' | null
  createBy: string
  createTime: Date
  updateBy: string | null
  updateTime: Date | null
  version: Generated<number>
  x: number | null
  y: number | null
}
interface PileRunTable {
  deviceId: string
  ts: Date
  recordId: string
  projectCode: string
  pileId: string
  reason: string
  byName: string
  at: Date
}
interface PileTestTable {
  id: string
  projectCode: string
  pileId: string
  kind: 'lowStrain' | 'staticLoad'
  testedOn: string
  integrity: '1' | '2' | '3' | '4' | null
  waveSpeed: number | null
  maxLoad: number | null
  settlement: number | null
  steps: Json<unknown>
  isPassed: boolean | null
  tester: string
  reportNo: string | null
  note: string | null
  createBy: string
  createTime: Date
}
interface PileVerdictTable {
  id: string
  projectCode: string
  pileId: string
  verdict: '1' | '2' | '0'
  proposed: '1' | '2' | '0' | null
  grounds: Generated<string[]>
  reason: string
  byName: string
  byGroup: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    pileWork: PileWorkTable
    pileTrouble: PileTroubleTable
    pile: PileTable
    pileRun: PileRunTable
    pileTest: PileTestTable
    pileVerdict: PileVerdictTable
  }
}
