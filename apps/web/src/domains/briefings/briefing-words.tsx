import type { BriefingReceiver, BriefingRow } from '@zhugong/contract/briefings/calls'
import { type Doubt, doubts, fastMinutes, mostByDevice } from '@zhugong/contract/briefings/doubts'
import { type BriefingType, briefingStateNames, briefingStates } from '@zhugong/contract/briefings/moves'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'

export const paths = {
  oversee: '/safety/technical',
  managerForm: '/safety/technical/create',
  overseeDetail: '/safety/technical/details',
  list: '/safetyP/technical/list',
  form: '/safetyP/technical/create',
  detail: '/safetyP/technical/details',
} as const

/** Calls about one record: its id says enough. */
export const anyProject = { projectCode: '*' }

const tones: Readonly<Record<string, Tone>> = { 0: 'neutral', 1: 'warning', 2: 'fine', 3: 'neutral', 9: 'danger' }
export const StateTag = ({ row }: { row: Pick<BriefingRow, 'state' | 'stateName'> }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>
export const stateOptions = Object.entries(briefingStateNames).map(([value, label]) => ({ value, label }))

const why: Readonly<Record<Doubt, string>> = {
  fast: `全部签字在 ${fastMinutes} 分钟内完成`,
  away: '有人签字当天没有考勤记录',
  device: `同一设备当天签字超过 ${mostByDevice} 个`,
}
export function DoubtTags({ row }: { row: Pick<BriefingRow, 'doubts'> }) {
  return (
    <>
      {row.doubts.map((one) => (
        <span key={one} title={why[one]}>
          <Tag tone="danger">{doubts[one]}</Tag>{' '}
        </span>
      ))}
    </>
  )
}
export const doubtSentence = (row: Pick<BriefingRow, 'doubts'>): string => row.doubts.map((one) => why[one]).join('；')

export function Signed({ row }: { row: Pick<BriefingRow, 'signed' | 'total' | 'state'> }) {
  if (row.total === 0) return <span className="zg-2">未选人员</span>
  return (
    <span className="briefing-signed">
      <Filled part={row.signed} whole={row.total} />
      <span className={`zg-num ${row.state === briefingStates.signing && row.signed < row.total ? 'tone-warning' : ''}`}>
        {row.signed} / {row.total}
      </span>
    </span>
  )
}

export const receiverWords: Readonly<Record<BriefingReceiver['state'], { text: string; tone: Tone }>> = {
  signed: { text: '已签', tone: 'fine' },
  paper: { text: '纸质签字', tone: 'fine' },
  waiting: { text: '待补签', tone: 'warning' },
  excused: { text: '未到', tone: 'neutral' },
  gone: { text: '已退场，未签', tone: 'danger' },
}

/** The page of a record, on the side of the site or of whoever looks from outside. */
export const detailOf = (row: Pick<BriefingRow, 'id' | 'type'>, from: 'site' | 'outside'): [string, Record<string, string>] =>
  from === 'site' && row.type === 'safetyPTechnical'
    ? [paths.detail, { id: row.id }]
    : [paths.overseeDetail, { id: row.id, ...(row.type === 'safetyPTechnical' ? { type: row.type } : {}) }]

export const typeOf = (given: string | null): BriefingType => (given === 'safetyPTechnical' ? 'safetyPTechnical' : 'technical')

/** Where a row of a list opens: a draft in its form. */
export function openOf(row: Pick<BriefingRow, 'id' | 'type' | 'state'>, from: 'site' | 'outside'): [string, Record<string, string>] {
  if (row.state !== briefingStates.draft) return detailOf(row, from)
  return [row.type === 'technical' ? paths.managerForm : paths.form, { id: row.id }]
}

export const filterWords = {
  doubtful: { title: '签字', words: { true: '存疑', false: '无疑问' } },
  dangerous: { title: '危大工程', words: { true: '涉及', false: '不涉及' } },
}
