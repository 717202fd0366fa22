import { CheckSquareOutlined } from '@ant-design/icons'
import { createMachineCheck, listMachineChecks, machineCheckList } from '@zhugong/contract/upkeep/inspections'
import { Button, Segmented } from 'antd'
import type { ReactNode } from 'react'
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
import { chooseMachine, InspectForm } from './inspect-form.tsx'
import { MachineBoard } from './machine-board.tsx'
import { paths, ResultTag, StateTag } from './upkeep-words.tsx'
import { useMachines } from './use-machines.ts'
import './upkeep.css'

const views = [
  { value: 'board', label: '看板' },
  { value: 'list', label: '检查记录' },
]

/** Which machine is due for which check, what failed, which stands still? With `?machine=`, as its plate says, the form of a check. */
export default function InspectListPage() {
  const query = usePageQuery()
  const machine = query.get('machine')
  if (machine !== null) return <InspectForm key={machine} machineId={machine === chooseMachine ? null : machine} type={query.get('type')} />
  return <Lists />
}

function Lists() {
  const go = useGo()
  const query = usePageQuery()
  const scope = useProjectScope()
  const filters = ['today', 'stopped', 'machineId', 'tab', 'result', 'type'].some((key) => query.get(key) !== null)
  const view = query.get('view') ?? (filters ? 'list' : 'board')
  const late = query.get('late') === 'true'
  const { data } = useCall(listMachineChecks, { query: { ...scope, size: 1 } }, { quiet: true })
  const { counts: board } = useMachines({ ...scope })
  const counts = data?.counts
  const toolbar = (
    <Segmented options={views} value={view} onChange={(next) => go(paths.inspect, next === 'board' ? {} : { view: String(next) })} />
  )
  const figure = (label: string, count: number | undefined, to: string, more: object = {}) => ({
    label,
    value: thousands(count),
    href: `${paths.inspect}?${to}`,
    ...more,
  })
  return (
    <ListShell
      actions={
        <Can call={createMachineCheck}>
          <Button type="primary" icon={<CheckSquareOutlined />} onClick={() => go(paths.inspect, { machine: chooseMachine })}>
            登记检查
          </Button>
        </Can>
      }
      strip={
        <FigureStrip
          loading={!counts || !board}
          items={[
            figure('今日检查', counts?.today, 'today=true', {
              unit: '次',
              remark: board ? `今日应检 ${board.used} 台，已检 ${board.checkedToday} 台` : undefined,
            }),
            figure('逾期未检', board?.late, 'view=board&late=true', { unit: '台', tone: board?.late ? 'warning' : undefined }),
            figure('停用整改', counts?.stopped, 'stopped=true', { unit: '次', tone: counts?.stopped ? 'danger' : undefined }),
            figure('未闭合', counts?.open, 'tab=open', { unit: '次' }),
          ]}
        />
      }
    >
      {view === 'board' ? <MachineBoard scope={scope} late={late} toolbar={toolbar} /> : <Records toolbar={toolbar} />}
    </ListShell>
  )
}

function Records({ toolbar }: { toolbar: ReactNode }) {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const { machines } = useMachines({ ...scope })
  const list = useListPage(machineCheckList, { scope, defaultSort: '-checkDate', tabs: ['tab'] })
  const columns = useColumns().filter((column) => !(column.key === 'projectName' && oneProject))
  return (
    <DataTable
      list={list}
      columns={columns}
      unit="次"
      search={{ key: 'machineName', placeholder: '设备' }}
      toolbar={toolbar}
      onRow={(row) => go(paths.inspectDetail, { id: row.id })}
      emptyHint="还没有设备检查：从“登记检查”开始，或扫描机身上的设备铭牌"
      filterWords={{
        tab: { title: '整改', words: { open: '未闭合', own: '我检查的' } },
        today: { title: '检查日期', words: { true: '今天' } },
        stopped: { title: '设备', words: { true: '停用整改中' } },
        machineId: { title: '设备', words: Object.fromEntries(machines.map((one) => [one.id, one.name])) },
      }}
      actions={(row) => [{ label: '查看', href: hrefOf(paths.inspectDetail, { id: row.id }) }]}
    />
  )
}

function useColumns(): ColumnOf<typeof machineCheckList>[] {
  const dicts = useDicts('specialDeviceType', 'deviceInspectType', 'deviceInspectResult', 'rectifyState')
  return [
    { key: 'code', width: 170, locked: true, value: (r) => r.code },
    { key: 'projectName', width: 150, value: (r) => r.projectName },
    { key: 'machineName', width: 120, filter: 'text', value: (r) => r.machineName },
    {
      key: 'deviceType',
      width: 110,
      weak: true,
      filter: 'multi',
      options: dicts.options('specialDeviceType'),
      value: (r) => r.deviceTypeName,
    },
    { key: 'type', width: 110, filter: 'multi', options: dicts.options('deviceInspectType'), value: (r) => r.typeName },
    { key: 'checkDate', width: 140, sort: true, filter: 'date-range', value: (r) => r.checkDate.slice(0, 16) },
    {
      key: 'result',
      width: 130,
      keeps: true,
      filter: 'multi',
      options: dicts.options('deviceInspectResult'),
      value: (r) => (
        <>
          <ResultTag row={r} />
          {r.stopped && <Tag tone="danger">停用中</Tag>}
        </>
      ),
    },
    { key: 'failItems', width: 210, filter: 'text', value: (r) => r.failItems.join('、') || <span className="zg-2">无</span> },
    { key: 'state', width: 130, keeps: true, filter: 'multi', options: dicts.options('rectifyState'), value: (r) => <StateTag row={r} /> },
    {
      key: 'deadline',
      width: 150,
      sort: true,
      value: (r) =>
        r.deadline && (
          <span className={r.overdueDays ? 'tone-danger' : ''}>
            {r.deadline}
            {r.overdueDays > 0 && ` 逾期 ${r.overdueDays} 天`}
          </span>
        ),
    },
    { key: 'checkOrg', width: 150, weak: true, filter: 'text', value: (r) => r.checkOrg },
    { key: 'checkers', width: 100, weak: true, filter: 'text', value: (r) => r.checkers.join('、') },
    { key: 'nextDate', width: 110, sort: true, filter: 'date-range', value: (r) => r.nextDate },
  ]
}
