import { badTargetChoices } from '@zhugong/contract/misconduct/calls'
import type { BadTarget } from '@zhugong/contract/misconduct/codes'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { Choice } from '#kit/inputs.tsx'

interface Props extends Control<string> {
  projectCode: string
  targetType: BadTarget
}

/** Picks the company, person, team or expert of a record, by name. */
export function TargetChoice({ projectCode, targetType, value, onChange, ...rest }: Props) {
  const [name, setName] = useState('')
  const read = useCall(
    badTargetChoices,
    { query: { projectCode, targetType, ...(name ? { name } : {}), ...(value ? { target: value } : {}) } },
    { quiet: true, keepPrevious: true },
  )
  const options = (read.data?.list ?? []).map((one) => ({ value: one.target, label: one.note ? `${one.name}（${one.note}）` : one.name }))
  return (
    <div onInput={(event) => setName((event.target as HTMLInputElement).value.trim())}>
      <Choice {...rest} loading={!read.data} options={options} value={value} onChange={onChange} placeholder="输入名称查找" />
    </div>
  )
}
