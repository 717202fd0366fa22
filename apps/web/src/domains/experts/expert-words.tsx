import { listExperts } from '@zhugong/contract/experts/library'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { Tag, type Tone } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'

const tones: Readonly<Record<string, Tone>> = {
  0: 'neutral',
  1: 'warning',
  2: 'fine',
  3: 'danger',
  4: 'warning',
  5: 'neutral',
  6: 'neutral',
}
export const ExpertStateTag = ({ row }: { row: { state: string; stateName: string } }) => <Tag tone={tones[row.state]}>{row.stateName}</Tag>

const drawTones: Readonly<Record<string, Tone>> = { 0: 'warning', 1: 'running', 2: 'fine', 3: 'neutral' }
export const DrawStateTag = ({ row }: { row: { state: string; stateName: string } }) => (
  <Tag tone={drawTones[row.state]}>{row.stateName}</Tag>
)

const replyTones: Readonly<Record<string, Tone>> = {
  invited: 'running',
  accepted: 'fine',
  refused: 'danger',
  silent: 'warning',
  standby: 'neutral',
  passed: 'neutral',
}
export const ReplyTag = ({ row }: { row: { reply: string; replyName: string } }) => <Tag tone={replyTones[row.reply]}>{row.replyName}</Tag>

const activityTones: Readonly<Record<string, Tone>> = { 1: 'running', 2: 'running', 3: 'warning', 4: 'fine', 5: 'neutral' }
export const ActivityStateTag = ({ row }: { row: { state: string; stateName: string } }) => (
  <Tag tone={activityTones[row.state]}>{row.stateName}</Tag>
)

const tripTones: Readonly<Record<string, Tone>> = { 0: 'warning', 1: 'running', 2: 'danger', 3: 'fine', 4: 'neutral' }
export const TripStateTag = ({ row }: { row: { state: string; stateName: string } }) => (
  <Tag tone={tripTones[row.state]}>{row.stateName}</Tag>
)

const gradeTones: Readonly<Record<string, Tone>> = { 1: 'fine', 2: 'fine', 3: 'neutral', 4: 'danger' }
export const GradeTag = ({ grade, name }: { grade: string | null; name: string | null }) =>
  name ? <Tag tone={gradeTones[grade ?? ''] ?? 'neutral'}>{name}</Tag> : null

/** Experts offered at once; more are found by name. */
const mostOffered = 50

/** Picks an expert who is in the library, by name. */
export function ExpertChoice({ value, onChange, ...rest }: Control<string>) {
  const [name, setName] = useState('')
  const read = useCall(
    listExperts,
    { query: { projectCode: '*', tab: 'listed', size: mostOffered, ...(name ? { name } : {}) } },
    { quiet: true, keepPrevious: true },
  )
  const options = (read.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.workUnit}）` }))
  return (
    <div onInput={(event) => setName((event.target as HTMLInputElement).value.trim())}>
      <Choice {...rest} loading={!read.data} options={options} value={value} onChange={onChange} placeholder="输入姓名查找" />
    </div>
  )
}
