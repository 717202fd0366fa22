import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { Choice } from '#kit/inputs.tsx'
import { ModelChoice } from './library-parts.tsx'

export function Matches({
  value,
  onChange,
  kind,
  open,
}: Control<Record<string, string>> & { kind: 'model' | 'project'; open: readonly string[] }) {
  const [name, setName] = useState('')
  const projects = useCall(pickProjects, { query: { size: 1000 } }, { enabled: kind === 'project', staleMs: 300_000, quiet: true })
  const rows = value ?? {}
  const names = [...new Set([...Object.keys(rows), ...open])]
  const set = (theirs: string, ours: string | undefined) => {
    const { [theirs]: _old, ...rest } = rows
    onChange?.(ours ? { ...rest, [theirs]: ours } : rest)
  }
  return (
    <>
      {names.map((theirs) => (
        <div key={theirs} className="eq-pair">
          <span className={rows[theirs] ? '' : 'tone-warning'} title={theirs}>
            {theirs}
          </span>
          <span aria-hidden="true">→</span>
          {kind === 'model' ? (
            <ModelChoice aria-label={`${theirs} 对应的型号`} value={rows[theirs] ?? null} onChange={(ours) => set(theirs, ours)} />
          ) : (
            <Choice
              aria-label={`${theirs} 对应的项目`}
              value={rows[theirs] ?? null}
              loading={projects.isPending}
              options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
              onChange={(ours) => set(theirs, ours)}
            />
          )}
        </div>
      ))}
      <div className="zg-row">
        <Input
          aria-label="对方的名称"
          placeholder="对方的名称"
          className="zg-w-200"
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {kind === 'model' ? (
          <div className="eq-pair-choice">
            <ModelChoice
              aria-label="平台型号"
              value={null}
              disabled={name.trim() === ''}
              onChange={(ours) => {
                set(name.trim(), ours)
                setName('')
              }}
            />
          </div>
        ) : (
          <div className="eq-pair-choice">
            <Choice
              aria-label="平台项目"
              value={null}
              disabled={name.trim() === ''}
              options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
              onChange={(ours) => {
                set(name.trim(), ours)
                setName('')
              }}
            />
          </div>
        )}
      </div>
    </>
  )
}
