import { suspendedMachine } from '@zhugong/contract/machines/moves'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { BoardRow } from '@zhugong/contract/upkeep/inspections'
import { results } from '@zhugong/contract/upkeep/inspections'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = {
  inspect: '/deviceInspect',
  inspectDetail: '/deviceInspect/details',
  reply: '/deviceInspect/rectReply',
  defect: '/deviceRect/details',
  maintain: '/deviceMaintenance',
  maintainDetail: '/deviceMaintenance/details',
} as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

const resultTones: Readonly<Record<string, Tone>> = {
  [results.fit]: 'fine',
  [results.repair]: 'warning',
  [results.stop]: 'danger',
  [results.scrap]: 'danger',
}
export const ResultTag = ({ row }: { row: { result: string; resultName: string } }) => (
  <Tag tone={resultTones[row.result]}>{row.resultName}</Tag>
)

const itemTones: Readonly<Record<string, Tone>> = {
  [itemResults.right]: 'fine',
  [itemResults.wrong]: 'danger',
  [itemResults.notApplicable]: 'neutral',
}
const itemWords: Readonly<Record<string, string>> = {
  [itemResults.right]: '合格',
  [itemResults.wrong]: '不合格',
  [itemResults.notApplicable]: '不涉及',
}
export const ItemTag = ({ result }: { result: string }) => <Tag tone={itemTones[result]}>{itemWords[result] ?? result}</Tag>
export const itemWord = (result: string | null): string => (result === null ? '未检' : (itemWords[result] ?? result))

const stateTones: Readonly<Record<string, Tone>> = {
  1: 'warning',
  2: 'running',
  3: 'running',
  4: 'running',
  5: 'running',
  6: 'danger',
  7: 'fine',
  8: 'neutral',
}
export const StateTag = ({ row }: { row: { state: string; stateName: string } }) => <Tag tone={stateTones[row.state]}>{row.stateName}</Tag>

/** Whether a machine may run, as the dot before its name says in a word. */
export function FitTag({ row }: { row: Pick<BoardRow, 'state' | 'scrapped' | 'late'> }) {
  if (row.scrapped) return <Tag tone="danger">报废</Tag>
  if (row.state === suspendedMachine) return <Tag tone="danger">停用</Tag>
  return row.late ? <Tag tone="warning">检查到期</Tag> : <Tag tone="fine">正常</Tag>
}

/** A certificate as the register knows it. */
export const certWord = (verified: boolean | null): string =>
  verified === null ? '未在实名制登记' : verified ? '证书有效' : '证书当日无效'
