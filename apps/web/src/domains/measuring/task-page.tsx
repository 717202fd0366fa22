import { PlusOutlined } from '@ant-design/icons'
import { taskMoves, taskStates } from '@zhugong/contract/measuring/moves'
import {
  checkTypes,
  createMeasureTask,
  getMeasureTask,
  listMeasureTasks,
  type MeasureTask,
  measureTaskList,
  removeMeasureTask,
} from '@zhugong/contract/measuring/tasks'
import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan, withCode } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip } from '#kit/feedback.tsx'
import { Filled } from '#kit/filled.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { usePlaceFilter } from '../places/public.tsx'
import { TaskDrawer } from './task-drawer.tsx'
import { TaskWizard } from './task-wizard.tsx'
import { anyProject, paths, Rate, TaskTag } from './words.tsx'
import './measuring.css'

const tabs = [
  { value: '', label: '全部' },
  { value: 'mine', label: '我要测的' },
  { value: 'open', label: '未完成' },
  { value: 'review', label: '待整改/复测' },
  { value: 'below', label: '未达标' },
]

const measuring = new Set<string>([taskStates.assigned, taskStates.running, taskStates.own])

/** What do I measure today and where; which tasks fall below their target? */
export default function TaskPage() {
  const go = useGo()
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const list = useListPage(measureTaskList, { scope, defaultSort: 'deadline', tabs: ['tab'], own: ['task'] })
  const { data } = useCall(listMeasureTasks, { query: { ...scope, page: 1, size: 1 } }, { quiet: true, keepPrevious: true })
  const opened = usePageQuery().get('task')
  const [making, setMaking] = useState<'assign' | 'own'>()
  const maySetup = useCan(withCode(createMeasureTask, taskMoves.reassign.needs))
  const mayRun = useCan(withCode(createMeasureTask, taskMoves.submit.needs))
  const removal = useAct(removeMeasureTask, { success: '任务已删除' })
  const columns = useColumns(data?.templates ?? [])
  const counts = data?.counts
  const open = (task: string | undefined) => go(paths.tasks, { ...list.filters, task }, { replace: true })
  const remove = (row: MeasureTask) =>
    removal.afterRequesting(
      { thing: `删除任务 ${row.taskName}`, consequence: '任务尚未开始，删除后测量人员不再收到。', verb: '删除', keep: '保留' },
      { params: { id: row.id } },
    )
  return (
    <ListShell
      actions={
        projectCode !== '*' && (
          <>
            {maySetup && (
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setMaking('assign')}>
                指派任务
              </Button>
            )}
            {mayRun && (
              <Button icon={<PlusOutlined />} onClick={() => setMaking('own')}>
                自建测量
              </Button>
            )}
          </>
        )
      }
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            { label: '待测', value: thousands(counts?.waiting), unit: '个', href: `${paths.tasks}?state=${taskStates.assigned}` },
            {
              label: '进行中',
              value: thousands(counts?.running),
              unit: '个',
              href: `${paths.tasks}?state=${taskStates.running},${taskStates.own}`,
            },
            {
              label: '待整改/待复测',
              value: thousands(counts?.review),
              unit: '个',
              tone: counts?.review ? 'warning' : undefined,
              href: `${paths.tasks}?tab=review`,
            },
            {
              label: '本月合格率',
              value: counts?.monthRate ?? '--',
              unit: counts?.monthRate === null ? undefined : '%',
              remark: counts ? `${counts.month} 个任务提交` : undefined,
              href: `${paths.tasks}?thisMonth=true`,
            },
          ]}
        />
      }
    >
      <MyTasks />
      <DataTable
        list={list}
        columns={columns}
        unit="个"
        search={{ key: 'taskName', placeholder: '任务名称' }}
        toolbar={<Segmented options={tabs} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />}
        onRow={(row) => open(row.id)}
        emptyHint="还没有实测实量任务：选择模板和部位，指派给测量人员"
        filterWords={{
          thisMonth: { title: '提交', words: { true: '本月' } },
          burst: { title: '爆点', words: { true: '有爆点', false: '无爆点' } },
        }}
        actions={(row) => [
          { label: measuring.has(row.state) ? '录入' : '查看', onClick: () => open(row.id) },
          maySetup && row.state === taskStates.assigned && { label: '删除', danger: true, onClick: () => void remove(row) },
        ]}
      />
      {making && <TaskWizard as={making} projectCode={projectCode} onClose={() => setMaking(undefined)} onOwn={(id) => open(id)} />}
      {opened && <TaskDrawer key={opened} id={opened} onClose={() => open(undefined)} />}
    </ListShell>
  )
}

/** The caller's tasks are kept on the device with their rules, so that they open on a floor without network. */
function MyTasks() {
  const scope = useProjectScope()
  const { data } = useCall(listMeasureTasks, { query: { ...scope, tab: 'mine', page: 1, size: 20 } }, { quiet: true, offline: true })
  const go = useGo()
  if (!data?.list.length) return null
  return (
    <nav className="measuring-mine" aria-label="我要测的任务">
      {data.list.map((row) => (
        <button key={row.id} type="button" onClick={() => go(paths.tasks, { task: row.id })}>
          <b>{row.placeName}</b>
          <small>
            {row.templateName} · {row.currentPoints} / {row.totalPoints} 点{row.deadline ? ` · ${row.deadline.slice(5)} 前` : ''}
          </small>
          <Kept id={row.id} />
        </button>
      ))}
    </nav>
  )
}

function Kept({ id }: { id: string }) {
  useCall(getMeasureTask, { params: { id }, query: anyProject }, { quiet: true, offline: true })
  return null
}

function useColumns(templates: readonly string[]): ColumnOf<typeof measureTaskList>[] {
  const dicts = useDicts('measureTaskState')
  const projectCode = useProjectCode()
  const places = usePlaceFilter(projectCode)
  const all: ColumnOf<typeof measureTaskList>[] = [
    { key: 'taskNo', width: 120, sort: true, filter: 'text', value: (r) => r.taskNo },
    { key: 'taskName', width: 210, locked: true, filter: 'text', value: (r) => r.taskName },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    {
      key: 'checkType',
      width: 80,
      weak: true,
      filter: 'single',
      options: Object.entries(checkTypes).map(([value, label]) => ({ value, label })),
      value: (r) => checkTypes[r.checkType],
    },
    {
      key: 'placeName',
      width: 170,
      filter: places && 'tree-cascader',
      filterKey: 'place',
      tree: places,
      value: (r) => r.placeName,
    },
    {
      key: 'templateName',
      width: 110,
      filter: 'multi',
      filterKey: 'template',
      options: templates.map((value) => ({ value, label: value })),
      value: (r) => r.templateName,
    },
    { key: 'unitCorp', width: 160, weak: true, filter: 'text', value: (r) => r.unitCorp },
    { key: 'memberName', width: 96, filter: 'text', filterKey: 'member', value: (r) => r.memberName },
    {
      key: 'deadline',
      width: 150,
      keeps: true,
      sort: true,
      filter: 'date-range',
      value: (r) =>
        r.deadline && (
          <span className={r.overdueDays > 0 ? 'tone-danger' : undefined}>
            <span className="zg-num">{r.deadline}</span> {r.overdueDays > 0 && `逾期 ${r.overdueDays} 天`}
          </span>
        ),
    },
    {
      key: 'progress',
      width: 128,
      sort: true,
      filter: 'numeric-range',
      value: (r) => (
        <span className="zg-row zg-gap-6 zg-middle" title={`${r.currentPoints} / ${r.totalPoints} 点`}>
          <span className="measuring-share">
            <Filled part={r.currentPoints} whole={r.totalPoints} />
          </span>
          <span className="zg-num">{r.progress}%</span>
        </span>
      ),
    },
    {
      key: 'passRate',
      width: 110,
      keeps: true,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => <Rate value={r.passRate} target={r.targetRate} />,
    },
    {
      key: 'burstPoints',
      width: 80,
      align: 'right',
      filter: 'single',
      filterKey: 'burst',
      options: [
        { value: 'true', label: '有爆点' },
        { value: 'false', label: '无爆点' },
      ],
      value: (r) => (r.burstPoints ? <span className="tone-danger zg-num">{r.burstPoints}</span> : null),
    },
    {
      key: 'state',
      width: 104,
      keeps: true,
      filter: 'multi',
      options: dicts.options('measureTaskState'),
      value: (r) => <TaskTag row={r} />,
    },
  ]
  return projectCode === '*' ? all : all.filter((column) => column.key !== 'projectName')
}
