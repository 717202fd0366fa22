import type { DustEvidence } from '@zhugong/contract/dustchecks/items'
import { responseMeasures, restricting } from '@zhugong/contract/dustchecks/items'
import { itemResults } from '@zhugong/contract/scoring/score'
import { Notice, Pairs, Tag, type Tone } from '#kit/feedback.tsx'

export const paths = { list: '/dustInspection', edit: '/dustInspectionEdit', detail: '/dustInspectionDetails' } as const
/** Calls about one check: its id says enough. */
export const anyProject = { projectCode: '*' }

const stateTones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
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

const itemTones: Readonly<Record<string, Tone>> = {
  [itemResults.right]: 'fine',
  [itemResults.wrong]: 'danger',
  [itemResults.notApplicable]: 'neutral',
}
export const itemWords: Readonly<Record<string, string>> = {
  [itemResults.right]: '符合',
  [itemResults.wrong]: '不符合',
  [itemResults.notApplicable]: '不涉及',
}
export const ItemTag = ({ result }: { result: string }) => <Tag tone={itemTones[result]}>{itemWords[result] ?? result}</Tag>

const withUnit = (value: number | null, unit: string) => (value === null ? null : `${value} ${unit}`)

/** What the platform itself knows; a missing device says so. */
export function EvidencePairs({ evidence }: { evidence: DustEvidence }) {
  const { stations, online, pm10, pm10Hour, windSpeed, left, washedRate, coveredRate, sprayRuns, lastSpray, alarms } = evidence
  return (
    <Pairs
      items={[
        {
          label: '监测设备',
          value: stations === 0 ? '未安装' : <span className={online === 0 ? 'tone-danger' : ''}>{`${online} / ${stations} 台在线`}</span>,
        },
        { label: 'PM10 现值 / 小时均', value: `${pm10 ?? '无数据'} / ${pm10Hour ?? '无数据'} μg/m³` },
        { label: '风速', value: withUnit(windSpeed, 'm/s') },
        { label: '今日出场', value: withUnit(left, '车') },
        { label: '冲洗率', value: withUnit(washedRate, '%') },
        { label: '密闭率', value: withUnit(coveredRate, '%') },
        {
          label: '今日喷淋',
          value: sprayRuns === null ? '未接入' : `${sprayRuns} 次${lastSpray ? `，最近 ${lastSpray.slice(11, 16)}` : ''}`,
        },
        { label: '前后一小时扬尘告警', value: <span className={alarms > 0 ? 'tone-danger' : ''}>{alarms} 次</span> },
      ]}
    />
  )
}

const spraying = (e: DustEvidence) =>
  e.sprayRuns === null ? null : `今日喷淋 ${e.sprayRuns} 次${e.lastSpray ? `，最近 ${e.lastSpray.slice(11, 16)}` : ''}`
const dustInAir = (e: DustEvidence) => (e.pm10 === null ? null : `PM10 现值 ${e.pm10} μg/m³`)
const monitors = (e: DustEvidence) =>
  e.stations === 0 ? null : e.online === 0 ? '监测设备离线，该项不符合' : `监测设备 ${e.online} / ${e.stations} 台在线`
/** What the platform knows, by item of dictionary dustCheckItem. */
const evidenceOf: Readonly<Record<string, (e: DustEvidence) => string | null>> = {
  '02': dustInAir,
  '03': (e) => (e.left === null ? null : `今日出场 ${e.left} 车，冲洗率 ${e.washedRate ?? '--'}%`),
  '05': spraying,
  '06': (e) => (e.coveredRate === null ? null : `今日出场密闭率 ${e.coveredRate}%`),
  '07': monitors,
  '08': spraying,
  '09': dustInAir,
}
export const evidenceFor = (code: string, e: DustEvidence | undefined): string | null => (e && evidenceOf[code]?.(e)) ?? null

/** What a response asks for today, and whether spraying ran. */
export function ResponseNotice({ level, name, evidence }: { level: string | null; name: string; evidence: DustEvidence | undefined }) {
  const measures = responseMeasures[level ?? ''] ?? []
  if (level === null || measures.length === 0) return null
  return (
    <Notice tone={restricting.includes(level) ? 'danger' : 'warning'}>
      重污染天气响应 {name}，今日应做：{measures.join('；')}。
      {evidence && evidence.sprayRuns !== null && (evidence.sprayRuns === 0 ? '今日尚未喷淋。' : `今日已喷淋 ${evidence.sprayRuns} 次。`)}
    </Notice>
  )
}
