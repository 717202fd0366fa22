import type { MachinePerson, MachineRow } from '@zhugong/contract/machines/calls'
import { Tag, type Tone } from '#kit/feedback.tsx'

export const paths = { list: '/jgt/spdevice/index', detail: '/jgt/spdevice/details', edit: '/jgt/spdevice/edit' } as const

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'neutral',
  2: 'running',
  3: 'running',
  4: 'warning',
  5: 'warning',
  6: 'fine',
  7: 'danger',
  8: 'warning',
  9: 'neutral',
}
export const MachineStateTag = ({ row }: { row: Pick<MachineRow, 'state' | 'stateName' | 'waiting'> }) => (
  <>
    <Tag tone={tones[row.state]}>{row.stateName}</Tag>
    {row.waiting && <Tag tone="warning">待确认</Tag>}
  </>
)

export const iotWords: Readonly<Record<string, string>> = { online: '在线', silent: '离线', none: '无' }
const iotTones: Readonly<Record<string, Tone>> = { online: 'fine', silent: 'warning', none: 'neutral' }
export const IotTag = ({ state }: { state: string }) => <Tag tone={iotTones[state]}>{iotWords[state]}</Tag>

/** Whether the machine may be used, with the first reason why not. */
export const VerdictTag = ({ row }: { row: Pick<MachineRow, 'usable'> }) => (
  <Tag tone={row.usable ? 'fine' : 'danger'}>{row.usable ? '可使用' : '不得使用'}</Tag>
)

export const Age = ({ row }: { row: Pick<MachineRow, 'ageYears' | 'ageLimit'> }) =>
  row.ageLimit === null ? (
    <>{row.ageYears}</>
  ) : (
    <span className={row.ageYears >= row.ageLimit ? 'tone-danger' : ''}>
      {row.ageYears} / {row.ageLimit}
    </span>
  )

const crewTones: Readonly<Record<string, Tone>> = { ok: 'fine', soon: 'warning', bad: 'danger' }
const crewWords: Readonly<Record<string, string>> = { ok: '有效', soon: '30 日内到期', bad: '无效' }
/** People with their certificates. */
export function Crew({ people, none }: { people: readonly MachinePerson[]; none: string }) {
  if (people.length === 0) return <span className="tone-danger">{none}</span>
  return (
    <ul className="zg-work-lines">
      {people.map((one) => (
        <li key={one.workerId}>
          {one.name} <span className="zg-2">{one.certNo ?? '无证书'}</span>{' '}
          {one.validEnd && <span className="zg-2">至 {one.validEnd}</span>} <Tag tone={crewTones[one.state]}>{crewWords[one.state]}</Tag>
        </li>
      ))}
    </ul>
  )
}
