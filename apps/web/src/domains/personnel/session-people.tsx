import { trainPeople } from '@zhugong/contract/personnel/training'
import { Button, Checkbox, Input, Select } from 'antd'
import { useEffect, useId, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Known, Tag } from '#kit/feedback.tsx'
import { usePageQuery } from '#kit/page.tsx'
import './train-board.css'

/** People for a session by gang, by name, or from what the address names; those without entry training first. */
export function SessionPeople({
  projectCode,
  without = [],
  value = [],
  onChange,
}: {
  projectCode: string
  /** Stays that are on the list already. */
  without?: readonly string[]
  value?: string[]
  onChange?: (stays: string[]) => void
}) {
  const address = usePageQuery()
  const [ids] = [[useId(), useId()]]
  const [team, setTeam] = useState<string>()
  const [name, setName] = useState('')
  const [onlyUntrained, setOnlyUntrained] = useState(false)
  const proposal = address.get('proposal') ?? undefined
  const importId = address.get('importId') ?? undefined
  const filter = team ? { team } : name ? { name } : importId ? { importId } : proposal ? { proposal } : {}
  const read = useCall(trainPeople, { query: { projectCode, ...filter } }, { quiet: true, keepPrevious: true })
  const people = (read.data?.people ?? []).filter((one) => !without.includes(one.stayId) && !(onlyUntrained && one.entryTrained))
  const all = [...new Set([...value, ...people.map((one) => one.stayId)])]
  // What the address names is chosen at once.
  const filled = useRef(value.length > 0 || !(proposal || importId))
  const latest = useRef({ people, onChange })
  useEffect(() => {
    latest.current = { people, onChange }
  })
  useEffect(() => {
    if (filled.current || !read.data) return
    filled.current = true
    latest.current.onChange?.(latest.current.people.map((one) => one.stayId))
  }, [read.data])
  const set = (stay: string, on: boolean) => onChange?.(on ? [...value, stay] : value.filter((one) => one !== stay))
  return (
    <div>
      <div className="train-choose">
        <label htmlFor={ids[0]} className="zg-2">
          班组
        </label>
        <Select
          id={ids[0]}
          allowClear
          showSearch={{ optionFilterProp: 'label' }}
          value={team ?? null}
          onChange={(next: string | null) => {
            setTeam(next ?? undefined)
            setName('')
          }}
          options={(read.data?.teams ?? []).map((one) => ({
            value: one.id,
            label: `${one.name}（未培训 ${one.untrained} / ${one.people}）`,
          }))}
        />
        <label htmlFor={ids[1]} className="zg-2">
          姓名
        </label>
        <Input
          id={ids[1]}
          allowClear
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setTeam(undefined)
          }}
        />
        <Checkbox checked={onlyUntrained} onChange={(event) => setOnlyUntrained(event.target.checked)}>
          只看未培训
        </Checkbox>
        <Button size="small" disabled={people.length === 0} onClick={() => onChange?.(all)}>
          全选这 {people.length} 人
        </Button>
        <Button size="small" disabled={value.length === 0} onClick={() => onChange?.([])}>
          清空
        </Button>
        <span className="zg-2 zg-num">已选 {value.length} 人</span>
      </div>
      <Known of={read}>
        <div className="train-people">
          {people.map((one) => (
            <Checkbox key={one.stayId} checked={value.includes(one.stayId)} onChange={(event) => set(one.stayId, event.target.checked)}>
              <b>{one.name}</b> <span className="zg-2">{[one.workTypeName, one.teamName ?? one.corpName].filter(Boolean).join(' · ')}</span>{' '}
              {!one.entryTrained && <Tag tone="danger">未培训</Tag>} {one.present && <Tag tone="fine">今日在场</Tag>}
            </Checkbox>
          ))}
          {people.length === 0 && <p className="zg-2">{team || name ? '没有可选的人员' : '选择班组，或按姓名查找'}</p>}
        </div>
      </Known>
    </div>
  )
}
