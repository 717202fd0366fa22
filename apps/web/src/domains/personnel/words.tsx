import { stations } from '@zhugong/contract/labour/codes'
import { genders } from '@zhugong/contract/personnel/codes'
import type { StayRow } from '@zhugong/contract/personnel/people-rows'
import { type CertState, certStates, entryConditions } from '@zhugong/contract/personnel/rules'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { daysLeft } from '#kit/format.ts'
import type { Option } from '#kit/list-state.ts'

export const genderWord = (code: string): string => (code === genders.female ? '女' : code === genders.male ? '男' : '--')

/** From this age on, the age is emphasised. */
const elderly = 55
export function GenderAge({ gender, age }: { gender: string; age: number }) {
  return (
    <>
      {genderWord(gender)} {age >= elderly ? <b className="tone-warning">{age}</b> : age}
    </>
  )
}

const formalWords: Record<string, [string, Tone]> = { '0': ['预登记', 'running'], '1': ['正式', 'fine'], '2': ['暂停作业', 'danger'] }
export function StayTag({ formalStatus, stationed, full }: { formalStatus: string; stationed: string; full?: boolean }) {
  if (stationed === stations.left) return <Tag>已退场</Tag>
  const [word, tone] = formalWords[formalStatus] ?? ['--', 'neutral']
  return (
    <Tag tone={tone} icon={tone === 'fine' ? undefined : false}>
      {full ? `在场 · ${word}` : word}
    </Tag>
  )
}
export const formalOptions: Option[] = Object.entries(formalWords).map(([value, [label]]) => ({ value, label }))
export const certOptions: Option[] = (Object.keys(certStates) as CertState[]).map((value) => ({
  value,
  label: value === 'none' ? '不要求' : certStates[value],
}))
export const conditionOptions: Option[] = Object.entries(entryConditions).map(([value, label]) => ({ value, label: `缺${label}` }))

/** Certificate state; a tag only if there is a problem. */
export function LicenceWord({ row }: { row: Pick<StayRow, 'certState' | 'certEnd'> }) {
  switch (row.certState) {
    case 'none':
      return <span className="zg-2">--</span>
    case 'valid':
      return <>有效</>
    case 'expiring':
      return (
        <Tag tone="warning" icon={false}>
          {daysLeft(row.certEnd)}
        </Tag>
      )
    case 'pending':
      return (
        <Tag tone="running" icon={false}>
          待审核
        </Tag>
      )
    default:
      return <Tag tone="danger">{certStates[row.certState]}</Tag>
  }
}

/** First entry of today, marked if late. */
export function FirstIn({ row }: { row: Pick<StayRow, 'firstIn' | 'late'> }) {
  if (!row.firstIn) return <span className="zg-2">--</span>
  return row.late ? <span className="tone-warning">{row.firstIn} 迟到</span> : row.firstIn
}

/** Marks of the seven entry conditions. */
export function ConditionMarks({ missing }: { missing: readonly string[] }) {
  return (
    <span className="per-marks">
      {Object.entries(entryConditions).map(([code, name]) => (
        <span
          key={code}
          className={missing.includes(code) ? 'off' : 'on'}
          title={missing.includes(code) ? `${name}未满足` : `${name}已满足`}
        >
          {name.slice(0, 1)}
        </span>
      ))}
    </span>
  )
}
