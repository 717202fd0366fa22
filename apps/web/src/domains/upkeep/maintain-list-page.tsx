import { PlusOutlined } from '@ant-design/icons'
import { createMaintenance, listMaintenance, maintenanceList } from '@zhugong/contract/upkeep/maintenance'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { MaintainCalendar } from './maintain-calendar.tsx'
import { MaintainForm } from './maintain-form.tsx'
import { paths, ResultTag } from './upkeep-words.tsx'
import { useMachines } from './use-machines.ts'
import './upkeep.css'

const views = [
  { value: 'calendar', label: '日历' },
  { value: 'list', label: '维保记录' },
]
const filterKeys = ['month', 'parts', 'doubtful', 'machineId', 'type', 'result']

/** What is due this month, who did what, and is it really done? */
export default function MaintainListPage() {
  const go = useGo()
  const query = usePageQuery()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const [adding, setAdding] = useState(false)
  const { data } = useCall(listMaintenance, { query: { ...scope, size: 1 } }, { quiet: true })
  const { counts: board } = useMachines({ ...scope })
  const counts = data?.counts
  const view = query.get('view') ?? (filterKeys.some((key) => query.get(key) !== null) ? 'list' : 'calendar')
  const late = query.get('maintainLate') === 'true'
  const toolbar = (
    <Segmented options={views} value={view} onChange={(next) => go(paths.maintain, next === 'calendar' ? {} : { view: String(next) })} />
  )
  const figure = (label: string, count: number | undefined, to: string, unit: string, tone?: 'danger' | 'warning') => ({
    label,
    value: thousands(count),
    unit,
    tone: count ? tone : undefined,
    href: `${paths.maintain}?${to}`,
  })
  return (
    <ListShell
      actions={
        oneProject && (
          <Can call={createMaintenance}>
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
              登记维保
            </Button>
          </Can>
        )
      }
      strip={
        <FigureStrip
          loading={!counts || !board}
          items={[
            {
              ...figure('本月已保', counts?.month, 'month=true', '次'),
              remark: board ? `在用 ${board.used} 台，每台每月至少一次` : undefined,
            },
            figure('逾期未保', board?.maintainLate, 'view=calendar&maintainLate=true', '台', 'danger'),
            figure('本月更换部件', counts?.parts, 'month=true&parts=true', '次'),
            figure('存疑记录', counts?.doubtful, 'doubtful=true', '次', 'warning'),
          ]}
        />
      }
    >
      {view === 'calendar' ? <MaintainCalendar scope={scope} late={late} toolbar={toolbar} /> : <Records toolbar={toolbar} />}
      {adding && <MaintainForm onClose={() => setAdding(false)} />}
    </ListShell>
  )
}

function Records({ toolbar }: { toolbar: ReactNode }) {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const { machines } = useMachines({ ...scope })
  const list = useListPage(maintenanceList, { scope, defaultSort: '-maintainDate' })
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  return (
    <DataTable
      list={list}
      columns={columns}
      unit="次"
      search={{ key: 'machineName', placeholder: '设备' }}
      toolbar={toolbar}
      onRow={(row) => go(paths.maintainDetail, { id: row.id })}
      emptyHint="还没有设备维保：由机械员或维保单位从“登记维保”开始"
      filterWords={{
        month: { title: '维保日期', words: { true: '本月' } },
        parts: { title: '更换部件', words: { true: '有', false: '无' } },
        doubtful: { title: '存疑', words: { true: '有疑点', false: '无疑点' } },
        machineId: { title: '设备', words: Object.fromEntries(machines.map((one) => [one.id, one.name])) },
      }}
      actions={(row) => [{ label: '查看', href: hrefOf(paths.maintainDetail, { id: row.id }) }]}
    />
  )
}

function useColumns(): ColumnOf<typeof maintenanceList>[] {
  const dicts = useDicts('deviceMaintainType', 'deviceInspectResult')
  return [
    { key: 'code', width: 170, locked: true, value: (r) => r.code },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'machineName', width: 120, filter: 'text', value: (r) => r.machineName },
    { key: 'type', width: 110, filter: 'multi', options: dicts.options('deviceMaintainType'), value: (r) => r.typeName },
    { key: 'maintainDate', width: 110, sort: true, filter: 'date-range', value: (r) => r.maintainDate },
    { key: 'content', width: 240, value: (r) => r.content },
    {
      key: 'parts',
      width: 170,
      filter: 'single',
      options: [
        { value: 'true', label: '有更换' },
        { value: 'false', label: '未更换' },
      ],
      value: (r) => r.parts.map((one) => one.name).join('、') || <span className="zg-2">无</span>,
    },
    {
      key: 'doubts',
      width: 170,
      keeps: true,
      filter: 'single',
      filterKey: 'doubtful',
      options: [
        { value: 'true', label: '有疑点' },
        { value: 'false', label: '无疑点' },
      ],
      value: (r) =>
        r.doubts.map((one) => (
          <Tag key={one} tone="warning">
            {one}
          </Tag>
        )),
    },
    {
      key: 'result',
      width: 110,
      filter: 'multi',
      options: dicts.options('deviceInspectResult'),
      value: (r) => (r.correctedBy ? <Tag tone="neutral">已更正</Tag> : <ResultTag row={r} />),
    },
    { key: 'maintainCorp', width: 170, weak: true, filter: 'text', value: (r) => r.maintainCorp },
    { key: 'maintainers', width: 120, weak: true, filter: 'text', value: (r) => r.maintainers.map((one) => one.name).join('、') },
    { key: 'acceptor', width: 90, weak: true, value: (r) => r.acceptor },
    { key: 'nextDate', width: 110, sort: true, filter: 'date-range', value: (r) => r.nextDate },
    {
      key: 'overdueDays',
      width: 100,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (r) => (r.overdueDays ? <span className="tone-danger">{r.overdueDays}</span> : null),
    },
  ]
}
