import { type PolicyValidity, validityOf } from '@zhugong/contract/policies/model'
import { Tag, type Tone } from '#kit/feedback.tsx'

const tones: Readonly<Record<PolicyValidity, Tone>> = {
  [validityOf.valid]: 'fine',
  [validityOf.amended]: 'warning',
  [validityOf.repealed]: 'neutral',
} as Readonly<Record<PolicyValidity, Tone>>

export function ValidityTag({ row }: { row: { validity: PolicyValidity; validityName: string; upcoming?: boolean; effectDate?: string } }) {
  if (row.upcoming && row.validity === validityOf.valid) return <Tag tone="running">{row.effectDate} 起施行</Tag>
  return <Tag tone={tones[row.validity]}>{row.validityName}</Tag>
}

/** The words of a text with the ones that were searched for marked. */
export function Marked({ text, keyword }: { text: string; keyword: string }) {
  const at = keyword ? text.toLowerCase().indexOf(keyword.toLowerCase()) : -1
  if (at < 0) return <>{text}</>
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + keyword.length)}</mark>
      {text.slice(at + keyword.length)}
    </>
  )
}
