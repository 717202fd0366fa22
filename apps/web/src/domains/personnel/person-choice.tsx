import { pickWorkers } from '@zhugong/contract/personnel/people'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { ChooseFirst } from '#kit/choose-first.tsx'
import { useProjectScope } from '#kit/me.ts'

/** Selection of a person, for a page opened without one. */
export function PersonChoice({ why, onChoose }: { why: string; onChoose: (workerId: string) => void }) {
  const scope = useProjectScope()
  const [name, setName] = useState('')
  const read = useCall(
    pickWorkers,
    { query: { ...scope, page: 1, size: 50, name: name || undefined } },
    { quiet: true, keepPrevious: true },
  )
  return (
    <ChooseFirst
      thing="人员"
      why={why}
      hint="您的管辖范围内没有这样的在场人员"
      read={read}
      onSearch={setName}
      line={(p) => ({
        key: p.projectWorkerId,
        name: p.name,
        remark: `${p.idCardNumber} · ${p.teamName ?? '--'} · ${p.workTypeName ?? '--'}`,
      })}
      verb="选择"
      onChoose={(p) => onChoose(p.workerId)}
    />
  )
}
