import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { changeInspection, createInspection, type InspectionDetail, inspectionProposal } from '@zhugong/contract/scoring/inspections'
import { inspectionTypes, leastCheckers, mostCheckers } from '@zhugong/contract/scoring/moves'
import { Button, Checkbox, Input, Select } from 'antd'
import { useId, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useProjectRights } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Notice, TableSkeleton } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { Choice, TimeInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePage } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { useUnsaved } from '#kit/unsaved.ts'

/** 企业自查 and 监理检查 in dictionary inspectType. */
const byCompany = '11'
const bySupervisor = '13'

type Proposal = OutputFor<typeof inspectionProposal>
interface SheetRow {
  id: string | null
  sheetCode: string
  label: string
  assignee: string | null
}
interface Task {
  inspectType: string
  checkTime: string
  checkers: string[]
  part: string
  remark: string | null
  sheets: SheetRow[]
}

/** Begins an inspection: who checks what. Sheets that cannot apply are left out with the reason, one tap brings them in. */
export function NewTask({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const read = useCall(inspectionProposal, { query: { projectCode } }, { quiet: true })
  const [id] = useState(() => uid())
  const { supervised } = useProjectRights()
  const act = useAct(createInspection, {
    success: '已开始，按分工评分',
    onDone: (made) => page.leave(hrefOf('/safetyInspection/edit', { id: made.id })),
  })
  const proposal = read.data
  return (
    <PageShell title="新建安全巡检">
      {read.error ? (
        <ErrorPanel error={read.error} retry={read.refetch} />
      ) : !proposal ? (
        <TableSkeleton />
      ) : (
        <TaskFields
          proposal={proposal}
          initial={{
            inspectType: supervised.includes(projectCode) ? bySupervisor : byCompany,
            checkTime: time(Date.now()),
            checkers: [],
            part: '全场',
            remark: null,
            sheets: proposal.sheets
              .filter((one) => one.proposed)
              .map(({ code }) => ({ id: null, sheetCode: code, label: '', assignee: null })),
          }}
          errors={act.fieldErrors}
          saving={act.running}
          saveText="开始检查"
          onSave={(task) => act.run({ query: { projectCode }, body: { id, ...task } }, { fieldsShown: true })}
        />
      )}
    </PageShell>
  )
}

/** Changes the team and the sheets of a running inspection. */
export function TaskOf({ file, onDone }: { file: InspectionDetail; onDone: () => void }) {
  const read = useCall(inspectionProposal, { query: { projectCode: file.projectCode } }, { quiet: true })
  const act = useAct(changeInspection, { success: '分工已保存', onDone })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (!read.data) return <TableSkeleton />
  return (
    <TaskFields
      key={file.version}
      // The last inspection may be this one.
      proposal={{ ...read.data, last: null }}
      initial={{
        inspectType: file.inspectType,
        checkTime: file.checkTime,
        checkers: file.checkers,
        part: file.part,
        remark: file.remark,
        sheets: file.sheets.map(({ id, sheetCode, label, assignee }) => ({ id, sheetCode, label, assignee })),
      }}
      errors={act.fieldErrors}
      saving={act.running}
      saveText="保存分工"
      onSave={(task) =>
        act.run(
          { params: { id: file.id }, query: { projectCode: '*' }, body: { action: 'save', version: file.version, ...task } },
          { fieldsShown: true },
        )
      }
    />
  )
}

interface FieldsProps {
  proposal: Proposal
  initial: Task
  errors: Readonly<Record<string, string>>
  saving: boolean
  saveText: string
  onSave: (task: Task) => unknown
}

function TaskFields({ proposal, initial, errors, saving, saveText, onSave }: FieldsProps) {
  const page = usePage()
  const dicts = useDicts('inspectType')
  const [task, setTask] = useState(initial)
  const key = useId()
  useUnsaved(task !== initial, page.cacheKey, '安全巡检分工')
  const change = (more: Partial<Task>) => setTask((now) => ({ ...now, ...more }))
  const { last } = proposal
  const error = (field: string) => errors[field] && <small className="tone-danger">{errors[field]}</small>
  const sheetErrors = Object.entries(errors).filter(([field]) => field.startsWith('sheets'))
  return (
    <div className="scoring-task">
      <Card
        title="任务"
        actions={last && <Button onClick={() => change(copied(last, task))}>复制上次范围（{last.checkTime.slice(0, 10)}）</Button>}
      >
        <div className="scoring-fields">
          <div>
            <label className="zg-label" htmlFor={`${key}-type`}>
              检查类型
            </label>
            <Choice
              id={`${key}-type`}
              clear={false}
              value={task.inspectType}
              options={dicts.options('inspectType').filter((one) => inspectionTypes.includes(one.value))}
              onChange={(inspectType) => change({ inspectType: inspectType ?? '' })}
            />
            {error('inspectType')}
          </div>
          <div>
            <label className="zg-label" htmlFor={`${key}-time`}>
              检查时间
            </label>
            <TimeInput id={`${key}-time`} value={task.checkTime} onChange={(checkTime) => change({ checkTime: checkTime ?? '' })} />
            {error('checkTime')}
          </div>
          <div>
            <label className="zg-label" htmlFor={`${key}-part`}>
              检查范围
            </label>
            <Input id={`${key}-part`} maxLength={100} value={task.part} onChange={(event) => change({ part: event.target.value })} />
            {error('part')}
          </div>
          <div className="wide">
            <label className="zg-label" htmlFor={`${key}-checkers`}>
              检查人（至少 {leastCheckers} 名，可写外单位人员）
            </label>
            <Select
              id={`${key}-checkers`}
              mode="tags"
              maxCount={mostCheckers}
              value={task.checkers}
              options={proposal.people.map((name) => ({ value: name, label: name }))}
              onChange={(checkers: string[]) =>
                change({
                  checkers,
                  sheets: task.sheets.map((one) => (one.assignee && !checkers.includes(one.assignee) ? { ...one, assignee: null } : one)),
                })
              }
            />
            {error('checkers')}
          </div>
          <div className="wide">
            <label className="zg-label" htmlFor={`${key}-remark`}>
              备注
            </label>
            <Input
              id={`${key}-remark`}
              maxLength={500}
              value={task.remark ?? ''}
              onChange={(event) => change({ remark: event.target.value || null })}
            />
          </div>
        </div>
      </Card>
      <Card
        title="检查表"
        remark={`已选 ${task.sheets.length} 张`}
        actions={
          <Button disabled={task.checkers.length === 0} onClick={() => change({ sheets: dealt(task) })}>
            轮流分给检查人
          </Button>
        }
      >
        {sheetErrors.length > 0 && <Notice tone="danger">{sheetErrors.map(([, words]) => words).join('；')}</Notice>}
        <ul className="scoring-choose">
          {proposal.sheets.map((sheet) => (
            <ChosenSheet key={sheet.code} sheet={sheet} task={task} onChange={(sheets) => change({ sheets })} />
          ))}
        </ul>
      </Card>
      <div className="scoring-bar">
        <Button type="primary" size="large" loading={saving} onClick={() => void onSave(task)}>
          {saveText}
        </Button>
        <span className="zg-2">{task.checkers.length < leastCheckers && `提交前检查人至少 ${leastCheckers} 名`}</span>
      </div>
    </div>
  )
}

/** A kind of sheet with its uses: several machines of one kind have a sheet each. */
function ChosenSheet({ sheet, task, onChange }: { sheet: Proposal['sheets'][number]; task: Task; onChange: (sheets: SheetRow[]) => void }) {
  const own = task.sheets.filter((one) => one.sheetCode === sheet.code)
  const add = () => onChange([...task.sheets, { id: null, sheetCode: sheet.code, label: '', assignee: null }])
  const put = (row: SheetRow, more: Partial<SheetRow>) => onChange(task.sheets.map((one) => (one === row ? { ...one, ...more } : one)))
  return (
    <li>
      <div className="zg-row zg-wrap zg-gap-6 zg-middle">
        <Checkbox
          checked={own.length > 0}
          onChange={(event) => (event.target.checked ? add() : onChange(task.sheets.filter((one) => one.sheetCode !== sheet.code)))}
        >
          {sheet.name}
        </Checkbox>
        <span className="zg-2">
          {sheet.categoryName !== sheet.name && `${sheet.categoryName} · `}权重 {sheet.weight}
          {sheet.why && ` · ${sheet.why}`}
        </span>
        {own.length > 0 && (
          <button type="button" className="zg-bare zg-link zg-end" onClick={add}>
            再加一张
          </button>
        )}
      </div>
      {own.map((row, i) => (
        <div key={row.id ?? `new ${i}`} className="scoring-assign">
          <Input
            aria-label={`${sheet.name}第 ${i + 1} 张的对象`}
            placeholder={own.length > 1 ? '对象，如 1# 塔机' : '对象，可不填'}
            maxLength={30}
            value={row.label}
            onChange={(event) => put(row, { label: event.target.value })}
          />
          <Select
            aria-label={`${sheet.name}第 ${i + 1} 张由谁检查`}
            placeholder="检查人"
            allowClear
            value={row.assignee}
            options={task.checkers.map((name) => ({ value: name, label: name }))}
            onChange={(assignee: string | undefined) => put(row, { assignee: assignee ?? null })}
          />
          {own.length > 1 && (
            <Button onClick={() => onChange(task.sheets.filter((one) => one !== row))} aria-label={`移出${sheet.name}第 ${i + 1} 张`}>
              移出
            </Button>
          )}
        </div>
      ))}
    </li>
  )
}

const dealt = ({ sheets, checkers }: Task): SheetRow[] =>
  sheets.map((one, i) => ({ ...one, assignee: checkers[i % checkers.length] ?? null }))

/** The team and the sheets of the last inspection; sheets that this one already has keep their results. */
function copied(last: NonNullable<Proposal['last']>, task: Task): Partial<Task> {
  const known = new Map(task.sheets.map((one) => [`${one.sheetCode} ${one.label}`, one.id]))
  return {
    checkers: last.checkers,
    part: last.part,
    sheets: last.sheets.map((one) => ({ ...one, id: known.get(`${one.sheetCode} ${one.label}`) ?? null })),
  }
}
