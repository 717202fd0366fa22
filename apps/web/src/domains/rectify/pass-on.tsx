import { changeRectify, type RectifyDetail, rectifyPeople } from '@zhugong/contract/rectify/calls'
import { mostLines } from '@zhugong/contract/rectify/moves'
import { Button, Checkbox } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Card, Tag } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'

interface Props {
  file: RectifyDetail
  onClose: () => void
}
const openOf = (file: RectifyDetail) => file.lines.filter((line) => line.state === 'open')

/** Names other people for the open problems: whoever has left the site, or has no time. */
export function AssignForm({ file, onClose }: Props) {
  const people = useCall(rectifyPeople, { query: { projectCode: file.projectCode } }, { quiet: true })
  const act = useAct(changeRectify, { success: '已转派', onDone: onClose })
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({})
  const names = [...new Set(people.data?.corps.find((one) => one.code === file.corpCode)?.people ?? [])]
  const lines = openOf(file)
    .map((line) => ({ id: line.id, person: chosen[line.id] ?? line.person ?? '', before: line.person ?? '' }))
    .filter((one) => one.person !== '' && one.person !== one.before)
    .map(({ id, person }) => ({ id, person }))
  return (
    <div className="zg-work-form">
      {openOf(file).map((line) => (
        <div key={line.id}>
          <label className="zg-label" htmlFor={`assign-${line.id}`}>
            问题 {line.seq} 的整改人
          </label>
          <Choice
            id={`assign-${line.id}`}
            clear={false}
            options={names.map((name) => ({ value: name, label: name }))}
            value={chosen[line.id] ?? line.person ?? undefined}
            placeholder={people.data && names.length === 0 ? '责任单位没有在场人员' : '在场人员'}
            onChange={(person) => person && setChosen({ ...chosen, [line.id]: person })}
          />
        </div>
      ))}
      {act.fieldErrors.lines && <small className="tone-danger">{act.fieldErrors.lines}</small>}
      <Button
        loading={act.running}
        disabled={lines.length === 0}
        onClick={() => void act.run({ body: { id: file.id, version: file.version, action: 'assign', lines } }, { fieldsShown: true })}
      >
        确认转派
      </Button>
    </div>
  )
}

/** Chooses open problems, and goes on to the form of an order that passes them on to a subcontractor. */
export function PassOnForm({ file }: Props) {
  const go = useGo()
  const lines = openOf(file)
  const [chosen, setChosen] = useState<readonly string[]>(lines.map((line) => line.id))
  return (
    <div className="zg-work-form">
      <p className="zg-2">所选问题另行下发给分包单位，期限不晚于 {file.deadline}；分包的回复可取用到本份回复中。</p>
      <Checkbox.Group
        className="rectify-choose"
        options={lines.map((line) => ({ value: line.id, label: `${line.seq}. ${line.part}：${line.description}` }))}
        value={[...chosen]}
        onChange={(ids) => setChosen(ids.map(String))}
      />
      <Button
        disabled={chosen.length === 0}
        onClick={() =>
          go('/safetyP/abarbeitung/create', {
            project: file.projectCode,
            sourceKind: 'rectify',
            sourceId: file.id,
            sourceType: file.sourceType,
            category: file.category,
            lines: chosen.slice(0, mostLines).join(','),
          })
        }
      >
        填写分派通知
      </Button>
    </div>
  )
}

/** Orders by which problems were passed on, with where they stand. */
export function PassedOn({ file }: { file: RectifyDetail }) {
  if (file.passedOn.length === 0) return null
  return (
    <Card title="已分派" remark={`${file.passedOn.length} 份`}>
      <ul className="zg-work-lines">
        {file.passedOn.map((one) => (
          <li key={one.id}>
            <Link to={hrefOf('/safetyP/abarbeitung/details', { id: one.id })}>{one.code}</Link> {one.corpName}{' '}
            <Tag tone={one.overdueDays ? 'danger' : 'neutral'}>{one.overdueDays ? `逾期 ${one.overdueDays} 天` : one.stateName}</Tag>
            <span className="zg-2"> 期限 {one.deadline}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
