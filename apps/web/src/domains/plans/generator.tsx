import { dayCheckStart } from '@zhugong/contract/daychecks/calls'
import { type GeneratedPlan, generatePlans } from '@zhugong/contract/plans/calls'
import { leastSupervisors } from '@zhugong/contract/plans/moves'
import { Button, Checkbox, InputNumber, Select } from 'antd'
import { useId, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Empty, Notice, RiskBadge } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { Choice } from '#kit/inputs.tsx'
import { Sideways } from '../scoring/public.tsx'

/** Drafts for the projects without a plan: a preview with the proposed number of visits, edited cell by cell, then created. */
export function Generator({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const key = useId()
  const dicts = useDicts('checkDiscipline')
  const [discipline, setDiscipline] = useState('1')
  const [year, setYear] = useState(new Date().getFullYear())
  const [rows, setRows] = useState<readonly GeneratedPlan[]>()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [more, setMore] = useState(0)
  const [supervisors, setSupervisors] = useState<string[]>([])
  const preview = useAct(generatePlans, {
    success: false,
    refreshes: [],
    onDone: (made) => {
      setRows(made.rows)
      setMore(made.more)
      setLeft(new Set())
    },
  })
  const create = useAct(generatePlans, { success: (made) => `已生成 ${made.created} 份草稿`, onDone: onClose })
  // The officers are those of the institution, whichever project is asked for.
  const first = rows?.[0]?.projectCode
  const start = useCall(dayCheckStart, { query: { projectCode: first ?? '' } }, { quiet: true, enabled: first !== undefined })
  const officers = start.data?.officers ?? []
  const chosen = (rows ?? []).filter((one) => !left.has(one.projectCode))
  const people = officers.filter(({ id }) => supervisors.includes(id))
  const input = (dryRun: boolean) => ({
    query: { projectCode },
    body: {
      dryRun,
      discipline,
      year,
      supervisors: dryRun ? placeholders : people,
      rows: dryRun ? [] : chosen.map((one) => ({ projectCode: one.projectCode, times: one.times })),
    },
  })
  return (
    <FormSheet
      title="按风险等级生成监督计划"
      saveText={rows ? `生成 ${chosen.length} 份草稿` : '预览'}
      saving={preview.running || create.running}
      onSave={() =>
        rows ? chosen.length > 0 && create.run(input(false), { fieldsShown: true }) : preview.run(input(true), { fieldsShown: true })
      }
      onClose={onClose}
      errors={create.fieldErrors}
      dirty={rows !== undefined}
      width={860}
    >
      <div className="plan-fields">
        <div>
          <label className="zg-label" htmlFor={`${key}-discipline`}>
            监督专业
          </label>
          <Choice
            id={`${key}-discipline`}
            clear={false}
            value={discipline}
            options={dicts.options('checkDiscipline')}
            onChange={(next) => {
              setDiscipline(next ?? '1')
              setRows(undefined)
            }}
          />
        </div>
        <div>
          <label className="zg-label" htmlFor={`${key}-year`}>
            年度
          </label>
          <InputNumber
            id={`${key}-year`}
            min={2000}
            max={2100}
            value={year}
            onChange={(next) => {
              setYear(next ?? year)
              setRows(undefined)
            }}
          />
        </div>
        {rows && rows.length > 0 && (
          <div className="wide">
            <label className="zg-label" htmlFor={`${key}-supervisors`}>
              监督人员（至少 {leastSupervisors} 名）
            </label>
            <Select
              id={`${key}-supervisors`}
              mode="multiple"
              optionFilterProp="label"
              value={supervisors}
              options={officers.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={setSupervisors}
            />
            {create.fieldErrors.supervisors && <small className="tone-danger">{create.fieldErrors.supervisors}</small>}
          </div>
        )}
      </div>
      {rows?.length === 0 && <Empty small text="在建项目都已有该年度计划" />}
      {more > 0 && <Notice tone="info">另有 {more} 个项目，本批生成后再次预览。</Notice>}
      {rows && rows.length > 0 && (
        <Sideways label="生成预览">
          <table className="plan-rows">
            <thead>
              <tr>
                <th scope="col">
                  <Button
                    type="text"
                    size="small"
                    onClick={() => setLeft(left.size ? new Set() : new Set(rows.map((one) => one.projectCode)))}
                  >
                    {left.size ? '全选' : '全不选'}
                  </Button>
                </th>
                <th scope="col">项目</th>
                <th scope="col">风险等级</th>
                <th scope="col">依据</th>
                <th scope="col">阶段</th>
                <th scope="col">次数（不少于）</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.projectCode}>
                  <td>
                    <Checkbox
                      aria-label={`生成${row.projectName}的计划`}
                      checked={!left.has(row.projectCode)}
                      onChange={(event) => {
                        const next = new Set(left)
                        if (event.target.checked) next.delete(row.projectCode)
                        else next.add(row.projectCode)
                        setLeft(next)
                      }}
                    />
                  </td>
                  <td>{row.projectName}</td>
                  <td>
                    <RiskBadge level={row.riskLevel} />
                  </td>
                  <td className="zg-2">{row.reason}</td>
                  <td>{row.phaseName}</td>
                  <td>
                    <InputNumber
                      aria-label={`${row.projectName}检查次数`}
                      min={1}
                      max={24}
                      value={row.times}
                      onChange={(times) =>
                        setRows(rows.map((one) => (one.projectCode === row.projectCode ? { ...one, times: times ?? one.least } : one)))
                      }
                    />{' '}
                    <span className={row.times < row.least ? 'tone-warning' : 'zg-2'}>{row.least}</span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sideways>
      )}
    </FormSheet>
  )
}

/** A preview writes nothing and needs no names. */
const placeholders = [
  { id: null, name: '预览一' },
  { id: null, name: '预览二' },
]
