import type { WorkAction } from '@zhugong/contract/works/moves'
import { needsMonitor } from '@zhugong/contract/works/scale'
import type { Row } from '#kit/db'

/** What the guards of a work ask beyond its own columns. */
export interface WorkFacts {
  receivers: readonly string[]
  inspectors: readonly string[]
  devices: number
  /** Seats with a valid signature. */
  signed: ReadonlySet<string>
  /** Issued and unfinished notices from this work. */
  open: readonly { id: string; code: string }[]
  supervised: boolean
}
export type Work = Row<'bigproject'> & { facts: WorkFacts }

export interface Missing {
  text: string
  /** Id of a notice that stands in the way. */
  notice?: string
}

const say = (lacks: boolean, text: string): Missing[] => (lacks ? [{ text }] : [])
const unsigned = (row: Work, seat: string, who: string) => say(!row.facts.signed.has(seat), `${who}未签字`)

function beforeStart(row: Work): Missing[] {
  const { facts } = row
  const open = facts.receivers.filter((_name, at) => !facts.signed.has(`receiver.${at + 1}`))
  const isBriefed = row.disclosureDate !== null && row.discloser !== null && facts.receivers.length > 0
  return [
    ...say(!isBriefed, '安全技术交底未登记'),
    ...(isBriefed ? unsigned(row, 'discloser', `交底人${row.discloser}`) : []),
    ...say(isBriefed && open.length > 0, `${open.slice(0, 3).join('、')}${open.length > 3 ? ` 等 ${open.length} 人` : ''}未在交底上签字`),
    ...say(row.warnPhotos.length === 0, '公告牌和警示标志照片未上传'),
    ...say(facts.inspectors.length === 0, '现场监督人员未登记'),
    ...say(needsMonitor(row.category) && (!row.monitorOrg || row.monitorFiles.length === 0), '第三方监测单位和监测方案未登记'),
  ]
}

const lists: Partial<Record<WorkAction, (row: Work) => Missing[]>> = {
  submit: (row) => [
    ...say(row.planFiles.length === 0, '专项方案未上传'),
    ...(row.planFiles.length > 0 ? unsigned(row, 'tech', '施工单位技术负责人') : []),
    ...say(!row.facts.supervised, '项目未登记监理单位'),
  ],
  pass: (row) => unsigned(row, 'chief', '总监理工程师'),
  review: (row) => say(row.reviewResult === 'changed', '论证结论已引用，请提交方案修改'),
  revise: (row) => say(row.reviewResult !== 'changed', '没有“修改后通过”的论证结论'),
  passRevised: (row) =>
    row.reviewResult !== 'changed'
      ? [{ text: '没有“修改后通过”的论证结论' }]
      : row.revisionFiles.length === 0
        ? [{ text: '方案修改未提交' }]
        : [...unsigned(row, 'tech2', '施工单位技术负责人（修改后）'), ...unsigned(row, 'chief2', '总监理工程师（修改后）')],
  start: beforeStart,
  finish: (row) => row.facts.open.map(({ id, code }) => ({ text: `整改通知 ${code} 未闭合`, notice: id })),
  accept: (row) =>
    row.acceptDate === null || row.acceptPhotos.length === 0
      ? [{ text: '验收标识牌照片未上传' }]
      : [...unsigned(row, 'acceptTech', '项目技术负责人'), ...unsigned(row, 'acceptChief', '总监理工程师')],
}

/** What an action still lacks; empty when nothing stands in its way. */
export const missingFor = (row: Work, action: WorkAction): Missing[] => lists[action]?.(row) ?? []
