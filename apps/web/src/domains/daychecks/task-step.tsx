import { changeDayCheck, createDayCheck, type DayCheckDetail, type DayCheckStart, dayCheckStart } from '@zhugong/contract/daychecks/calls'
import { checkSources, dayCheckStates, disciplines, leastOfficers, type Officer } from '@zhugong/contract/daychecks/moves'
import { Button, Checkbox, Segmented, Select } from 'antd'
import { useId, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, ErrorPanel, Notice, Pairs, TableSkeleton } from '#kit/feedback.tsx'
import { day } from '#kit/format.ts'
import { Choice, Choices, DayInput } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'

interface Task {
  inspectType: string
  discipline: string[]
  plannedDate: string
  checkers: Officer[]
  template: string[] | null
}

/** Plans a check: of its own, for a visit of a plan, or for the record that asks for it. */
export function NewTask({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const query = usePageQuery()
  const [id] = useState(() => uid())
  const act = useAct(createDayCheck, {
    success: '检查已安排，项目方在检查提交前看不到',
    onDone: (made) => page.leave(hrefOf('/jgt/daycheck/edit', { id: made.id })),
  })
  const sourceKind = checkSources.find((one) => one === query.get('sourceKind'))
  const sourceId = query.get('sourceId') ?? undefined
  const initial: Task = {
    inspectType: query.get('inspectType') ?? '01',
    discipline: [query.get('discipline') ?? disciplines.safety],
    plannedDate: day(Date.now()),
    checkers: [],
    template: null,
  }
  return (
    <PageShell title="安排检查">
      <TaskFields
        projectCode={projectCode}
        initial={initial}
        errors={act.fieldErrors}
        saving={act.running}
        saveText="安排检查"
        onSave={(task) =>
          act.run(
            {
              query: { projectCode },
              body: { id, ...task, planId: query.get('planId'), visitId: query.get('taskId'), sourceKind, sourceId },
            },
            { fieldsShown: true },
          )
        }
      />
    </PageShell>
  )
}

/** The task of a planned check, to be changed until the officers arrive. */
export function TaskStep({ file }: { file: DayCheckDetail }) {
  const act = useAct(changeDayCheck, { success: '任务已调整' })
  const may = file.actions.some((one) => one.action === 'assign')
  if (file.state === dayCheckStates.planned && may)
    return (
      <TaskFields
        key={file.version}
        projectCode={file.projectCode}
        initial={{
          inspectType: file.inspectType,
          discipline: file.discipline,
          plannedDate: file.plannedDate,
          checkers: file.checkers.map((name, i) => ({ id: file.checkerIds[i] ?? null, name })),
          template: file.template,
        }}
        fixedSheets
        errors={act.fieldErrors}
        saving={act.running}
        saveText="保存任务"
        onSave={(task) =>
          act.run(
            { params: { id: file.id }, query: { projectCode: '*' }, body: { action: 'assign', version: file.version, ...task } },
            { fieldsShown: true },
          )
        }
      />
    )
  return (
    <Card title="任务">
      <Pairs
        items={[
          { label: '项目', value: file.projectName },
          { label: '检查类型', value: file.inspectTypeName },
          { label: '专业', value: file.disciplineNames.join('、') },
          { label: '计划日期', value: file.plannedDate },
          { label: '检查人员', value: file.checkers.join('、') },
          { label: '受检单体', value: file.units.map((one) => one.name).join('、') },
        ]}
      />
    </Card>
  )
}

interface FieldsProps {
  projectCode: string
  initial: Task
  /** The sheets are those of its units already. */
  fixedSheets?: boolean
  errors: Readonly<Record<string, string>>
  saving: boolean
  saveText: string
  onSave: (task: Task) => unknown
}

function TaskFields({ projectCode, initial, fixedSheets = false, errors, saving, saveText, onSave }: FieldsProps) {
  const dicts = useDicts('inspectType', 'checkDiscipline')
  const [task, setTask] = useState(initial)
  const key = useId()
  const start = useCall(dayCheckStart, { query: { projectCode, discipline: task.discipline } }, { quiet: true, keepPrevious: true })
  const change = (more: Partial<Task>) => setTask((now) => ({ ...now, ...more }))
  const error = (field: string) => errors[field] && <small className="tone-danger">{errors[field]}</small>
  if (start.error) return <ErrorPanel error={start.error} retry={start.refetch} />
  if (!start.data) return <TableSkeleton />
  const officers = start.data.officers
  return (
    <>
      <Facts facts={start.data.facts} />
      <Card title="任务" remark={start.data.projectName}>
        <div className="day-fields">
          <div>
            <label className="zg-label" htmlFor={`${key}-type`}>
              检查类型
            </label>
            <Choice
              id={`${key}-type`}
              clear={false}
              value={task.inspectType}
              options={dicts.options('inspectType')}
              onChange={(inspectType) => change({ inspectType: inspectType ?? '01' })}
            />
            {error('inspectType')}
          </div>
          <div>
            <label className="zg-label" htmlFor={`${key}-discipline`}>
              专业
            </label>
            <Choices
              id={`${key}-discipline`}
              value={task.discipline}
              options={dicts.options('checkDiscipline')}
              onChange={(discipline) => change({ discipline: discipline ?? [] })}
            />
            {error('discipline')}
          </div>
          <div>
            <label className="zg-label" htmlFor={`${key}-day`}>
              计划日期
            </label>
            <DayInput
              id={`${key}-day`}
              min={day(Date.now())}
              value={task.plannedDate}
              onChange={(plannedDate) => change({ plannedDate: plannedDate ?? day(Date.now()) })}
            />
            {error('plannedDate')}
          </div>
          <div className="wide">
            <label className="zg-label" htmlFor={`${key}-checkers`}>
              检查人员（至少 {leastOfficers} 名）
            </label>
            <Select
              id={`${key}-checkers`}
              mode="multiple"
              optionFilterProp="label"
              value={task.checkers.map((one) => one.id ?? one.name)}
              options={optionsOf(officers, task.checkers)}
              onChange={(chosen: string[]) =>
                change({
                  checkers: chosen.map(
                    (value) => [...officers, ...task.checkers].find((one) => (one.id ?? one.name) === value) ?? { id: null, name: value },
                  ),
                })
              }
            />
            {error('checkers')}
          </div>
        </div>
      </Card>
      {!fixedSheets && (
        <Card title="检查表" remark="默认按现场情况选表；也可指定">
          <Segmented
            aria-label="检查表范围"
            options={[
              { value: 'free', label: '按现场情况' },
              { value: 'chosen', label: '指定检查表' },
            ]}
            value={task.template === null ? 'free' : 'chosen'}
            onChange={(value) =>
              change({
                template: value === 'free' ? null : (start.data?.sheets.filter((one) => one.proposed).map((one) => one.code) ?? []),
              })
            }
          />
          <ul className="day-problems">
            {start.data.sheets.map((sheet) => (
              <li key={sheet.code}>
                <Checkbox
                  disabled={task.template === null}
                  checked={task.template === null ? sheet.proposed : task.template.includes(sheet.code)}
                  onChange={(event) =>
                    change({
                      template: event.target.checked
                        ? [...(task.template ?? []), sheet.code]
                        : (task.template ?? []).filter((one) => one !== sheet.code),
                    })
                  }
                >
                  {sheet.name}{' '}
                  <span className="zg-2">
                    {sheet.whole ? '项目整体' : '按单体'}
                    {sheet.why && ` · ${sheet.why}`}
                  </span>
                </Checkbox>
              </li>
            ))}
          </ul>
          {error('template')}
        </Card>
      )}
      {errors.projectCode && <Notice tone="danger">{errors.projectCode}</Notice>}
      <div className="day-bar">
        <Button type="primary" size="large" loading={saving} onClick={() => void onSave(task)}>
          {saveText}
        </Button>
        <span className="zg-2">到场签到前，检查对项目和企业保密</span>
      </div>
    </>
  )
}

const optionsOf = (officers: DayCheckStart['officers'], chosen: readonly Officer[]) => [
  ...officers.map((one) => ({ value: one.id, label: one.name })),
  // An officer who has left the institution, or a member without account.
  ...chosen.filter((one) => !officers.some(({ id }) => id === one.id)).map((one) => ({ value: one.id ?? one.name, label: one.name })),
]

/** What is known of the site before the officers walk it. */
export function Facts({ facts }: { facts: DayCheckStart['facts'] }) {
  return (
    <ul className="day-facts" aria-label="项目已知情况">
      {facts.map(({ label, value, link, level }) => (
        <li key={label}>
          <span className="zg-2">{label}</span>
          <b className={level === 'warn' ? 'tone-warning' : ''}>{link ? <a href={link}>{value}</a> : value}</b>
        </li>
      ))}
    </ul>
  )
}
