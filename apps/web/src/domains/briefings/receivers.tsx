import { type BriefingPerson, briefingDesk } from '@zhugong/contract/briefings/calls'
import { Button, Checkbox, Input } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Known, Tag } from '#kit/feedback.tsx'

interface ReceiversProps {
  projectCode: string
  teamId: string | null | undefined
  /** Managers of the site instead of the people of a gang. */
  managers?: boolean
  /** Stays that are named already. */
  without?: readonly string[]
  /** Chooses whoever came today when the gang is chosen. */
  fillsPresent?: boolean
  value?: string[]
  onChange?: (stays: string[]) => void
}

/** People to be briefed: those of the gang, present ones first, and others found by name. */
export function Receivers({
  projectCode,
  teamId,
  managers = false,
  without = [],
  fillsPresent = false,
  value = [],
  onChange,
}: ReceiversProps) {
  const search = useId()
  const [name, setName] = useState('')
  const read = useCall(
    briefingDesk,
    { query: { projectCode, team: teamId ?? undefined } },
    { quiet: true, keepPrevious: true, offline: true },
  )
  const found = useCall(briefingDesk, { query: { projectCode, name } }, { quiet: true, enabled: name.trim().length > 0 })
  const listed = (managers ? read.data?.managers : read.data?.people) ?? []
  const others = name ? (found.data?.people ?? []).filter((one) => !listed.some((known) => known.stayId === one.stayId)) : []
  const people = [...listed, ...others].filter((one) => !without.includes(one.stayId))
  const inOrder = managers ? people : people.toSorted((a, b) => Number(b.present) - Number(a.present))
  const set = (stay: string, on: boolean) => onChange?.(on ? [...value, stay] : value.filter((one) => one !== stay))
  const present = inOrder.filter((one) => one.present)
  const whole = [...new Set([...value, ...inOrder.map((one) => one.stayId)])]
  // A gang that was just chosen: who came today.
  const filled = useRef(value.length > 0)
  const latest = useRef({ present, onChange })
  latest.current = { present, onChange }
  useEffect(() => {
    if (filled.current || managers || !teamId || !read.data || read.isFetching) return
    filled.current = true
    if (fillsPresent) latest.current.onChange?.(latest.current.present.map((one) => one.stayId))
  }, [managers, teamId, read.data, read.isFetching, fillsPresent])
  return (
    <div>
      <div className="zg-row zg-wrap zg-gap-6 zg-middle">
        <label htmlFor={search} className="zg-2">
          找其他人员
        </label>
        <Input
          id={search}
          allowClear
          placeholder="姓名"
          className="briefing-search"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {inOrder.length > value.length && (
          <Button size="small" onClick={() => onChange?.(whole)}>
            全选，未到的待补签
          </Button>
        )}
        <span className="zg-2 zg-num">
          已选 {value.length} 人{managers ? '' : `，今日在场 ${present.length} 人`}
        </span>
      </div>
      <Known of={read}>
        <div className="briefing-pick">
          {inOrder.map((one) => (
            <Person key={one.stayId} person={one} checked={value.includes(one.stayId)} onCheck={(on) => set(one.stayId, on)} />
          ))}
          {inOrder.length === 0 && <p className="zg-2">{managers || teamId ? '没有可选的人员' : '先选择班组，或按姓名查找'}</p>}
        </div>
      </Known>
    </div>
  )
}

function Person({ person, checked, onCheck }: { person: BriefingPerson; checked: boolean; onCheck: (on: boolean) => void }) {
  return (
    <Checkbox checked={checked} onChange={(event) => onCheck(event.target.checked)}>
      <b>{person.name}</b> <span className="zg-2">{[person.role, person.teamName ?? person.corpName].filter(Boolean).join(' · ')}</span>{' '}
      {person.workType !== null && <Tag tone={person.present ? 'fine' : 'neutral'}>{person.present ? '今日在场' : '今日未到'}</Tag>}
    </Checkbox>
  )
}
