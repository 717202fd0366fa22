import type { DrawnQuota } from '@zhugong/contract/draw/lots'
import type { Json } from '#kit/columns'

interface DrawRunTable {
  id: string
  kind: string
  objectId: string
  organiserGroup: string
  audience: string[]
  listText: string
  listHash: string
  commitment: string
  sealedSeed: Buffer
  frozenAt: Date
  frozenBy: string
  frozenName: string
}
interface DrawResultTable {
  runId: string
  groups: string[]
  audience: string[]
  shownAt: Date | null
  seed: string
  witnesses: string[]
  digits: string[]
  result: Json<DrawnQuota[]>
  drawnAt: Date
  drawnBy: string
  drawnName: string
}
interface DrawChainTable {
  organiserGroup: string
  seq: number
  runId: string
  entry: string
  prevHash: string
  hash: string
  at: Date
}

declare module '#kit/db' {
  interface Tables {
    drawRun: DrawRunTable
    drawResult: DrawResultTable
    drawChain: DrawChainTable
  }
}
