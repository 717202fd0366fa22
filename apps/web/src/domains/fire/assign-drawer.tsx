import { changeFire, fireSetup } from '@zhugong/contract/fire/calls'
import { leastAssessors, mostAssessors } from '@zhugong/contract/fire/moves'
import { Segmented } from 'antd'
import { useId, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Known } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { DayInput, NumberInput } from '#kit/inputs.tsx'
import { anyProject } from './fire-words.tsx'

interface AssignProps {
  row: { id: string; version: number; projectName: string; assessDate: string | null; assessors: readonly string[] }
  onClose: () => void
}
const ways = [
  { value: 'named', label: '指定' },
  { value: 'drawn', label: '随机抽取' },
]

/** Names or draws the assessors of a case; who has to stand back cannot be chosen. */
export function AssignDrawer({ row, onClose }: AssignProps) {
  const key = useId()
  const setup = useCall(fireSetup, { query: { ...anyProject, caseId: row.id } }, { quiet: true })
  const [way, setWay] = useState('named')
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const [seats, setSeats] = useState<number>(leastAssessors)
  const [day, setDay] = useState<string | undefined>(row.assessDate ?? undefined)
  const act = useAct(changeFire, { success: '已派组', onDone: onClose })
  const people = setup.data?.people ?? []
  const selected = chosen ?? people.filter((one) => row.assessors.includes(one.name)).map(idOf)
  const save = () =>
    act.run(
      {
        params: { id: row.id },
        query: anyProject,
        body: {
          action: 'assign',
          version: row.version,
          assessors:
            way === 'drawn'
              ? []
              : people.filter((one) => selected.includes(idOf(one))).map(({ userId, expertId, name }) => ({ userId, expertId, name })),
          drawn: way === 'drawn' ? seats : null,
          assessDate: day ?? null,
        },
      },
      { fieldsShown: true },
    )
  return (
    <FormSheet
      title="派组"
      remark={row.projectName}
      saveText={way === 'drawn' ? '抽取并派组' : '派组'}
      saving={act.running}
      onSave={save}
      onClose={onClose}
      errors={act.fieldErrors}
      dirty={chosen !== null}
      width={560}
    >
      <div className="fire-fields">
        <Segmented options={ways} value={way} onChange={setWay} />
        <div>
          <label className="zg-label" htmlFor={`${key}-day`}>
            评定日期
          </label>
          <DayInput id={`${key}-day`} value={day} onChange={(next) => setDay(next ?? undefined)} />
        </div>
        {way === 'drawn' ? (
          <div>
            <label className="zg-label" htmlFor={`${key}-seats`}>
              人数
            </label>
            <NumberInput
              id={`${key}-seats`}
              min={leastAssessors}
              max={mostAssessors}
              precision={0}
              value={seats}
              onChange={(n) => setSeats(n ?? leastAssessors)}
            />
            <p className="zg-2">从本机构可派的人员中抽取，名单、种子与结果留存备查。</p>
          </div>
        ) : (
          <Known of={setup}>
            <ul className="fire-people">
              {people.map((one) => (
                <li key={idOf(one)}>
                  <label>
                    <input
                      type="checkbox"
                      checked={selected.includes(idOf(one))}
                      disabled={one.recused !== null}
                      onChange={(event) =>
                        setChosen(event.target.checked ? [...selected, idOf(one)] : selected.filter((id) => id !== idOf(one)))
                      }
                    />
                    <b>{one.name}</b>
                    <span className="zg-2">{one.expertId ? `专家 · ${one.unit}` : one.unit}</span>
                    {one.recused ? <span className="tone-danger">回避：{one.recused}</span> : <span className="zg-2">在办 {one.load}</span>}
                  </label>
                </li>
              ))}
            </ul>
          </Known>
        )}
        {Object.values(act.fieldErrors).map((text) => (
          <small key={text} className="tone-danger" data-wrong>
            {text}
          </small>
        ))}
      </div>
    </FormSheet>
  )
}
const idOf = ({ userId, expertId }: { userId: string | null; expertId: string | null }) => userId ?? expertId ?? ''
