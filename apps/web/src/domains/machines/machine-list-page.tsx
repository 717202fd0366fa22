import { CheckOutlined, PlusOutlined } from '@ant-design/icons'
import { changeMachine, createMachine, listMachines, type MachineRow, machineList } from '@zhugong/contract/machines/calls'
import { Button, Segmented } from 'antd'
import { Link } from 'react-router'
import { call, useCall } from '#kit/call.ts'
import { Can, useCan } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { useDicts } from '#kit/dicts.ts'
import { useEach } from '#kit/each.ts'
import { FigureStrip, Notice } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { NoticeStack } from '#kit/notice-stack.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ZipButton } from '#kit/zip-button.tsx'
import { Age, IotTag, iotWords, MachineStateTag, paths, VerdictTag } from './machine-words.tsx'
import './machines.css'

/** Which cranes and hoists stand where, at which legal step, and which are overdue for test, registration or retirement? */
export default function MachineListPage() {
  const go = useGo()
  const scope = useProjectScope()
  const oneProject = useProjectCode() !== '*'
  const dicts = useDicts('deviceLifecycle')
  const list = useListPage(machineList, { scope, defaultSort: '-illegal', tabs: ['tab'] })
  const { data } = useCall(listMachines, { query: { ...scope, size: 1 } }, { quiet: true })
  const counts = data?.counts
  const columns = useColumns()
  const figure = (label: string, count: number | undefined, query: string, tone?: 'danger' | 'warning') => ({
    label,
    value: thousands(count),
    unit: '台',
    tone: count ? tone : undefined,
    href: `${paths.list}?${query}`,
  })
  const stages = [
    { value: '', label: '全部' },
    ...dicts.options('deviceLifecycle').map(({ value, label }) => ({ value, label: `${label} ${counts?.states[value] ?? 0}` })),
  ]
  return (
    <ListShell
      actions={
        <Can call={createMachine}>
          <Button type="primary" icon={<PlusOutlined />} onClick={() => go(paths.edit)}>
            新增设备
          </Button>
        </Can>
      }
      above={<Strays rows={data?.strays ?? []} />}
      strip={
        <FigureStrip
          loading={!counts}
          items={[
            figure('使用中', counts?.used, 'tab=6'),
            figure('检测到期 ≤30 日', counts?.testDue, 'testDue=true', 'warning'),
            figure('超 30 日未登记', counts?.unregistered, 'unregistered=true', 'danger'),
            figure('超年限', counts?.overAge, 'overAge=true', 'danger'),
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns.filter((column) => !(column.key === 'projectName' && oneProject))}
        unit="台"
        search={{ key: 'recordNo', placeholder: '产权备案编号' }}
        toolbar={
          <div className="machine-tabs">
            <Segmented options={stages} value={list.filters.tab ?? ''} onChange={(tab) => list.setFilter('tab', tab || undefined)} />
          </div>
        }
        onRow={(row) => go(paths.detail, { id: row.id })}
        emptyHint="还没有起重机械：由使用单位从“新增设备”开始"
        filterWords={{
          waiting: { title: '手续', words: { true: '待监管确认' } },
          testDue: { title: '检测', words: { true: '30 日内到期或已过期' } },
          unregistered: { title: '登记', words: { true: '超 30 日未登记' } },
          overAge: { title: '年限', words: { true: '超年限' } },
          illegal: { title: '判定', words: { true: '有违规' } },
          operatorsOk: { title: '司机持证', words: { true: '有效', false: '无效或未登记' } },
        }}
        selection={{ unit: '台', actions: (rows, clear) => <Selected rows={rows} clear={clear} /> }}
        actions={(row) => [{ label: '查看', href: hrefOf(paths.detail, { id: row.id }) }]}
      />
    </ListShell>
  )
}

/** Confirms what waits among the selected machines, or draws their plates. */
function Selected({ rows, clear }: { rows: readonly MachineRow[]; clear: () => void }) {
  const mayConfirm = useCan('supervision.deviceConfirm')
  const waiting = rows.filter((row) => row.waiting)
  const each = useEach('台', clear)
  const confirm = () =>
    each.run(waiting, '确认', (row) =>
      call(changeMachine, {
        params: { id: row.id },
        query: { projectCode: row.projectCode },
        body: { action: 'confirm', version: row.version },
      }),
    )
  return (
    <>
      {mayConfirm && (
        <Button icon={<CheckOutlined />} disabled={waiting.length === 0} loading={each.running} onClick={() => void confirm()}>
          确认手续（{waiting.length}）
        </Button>
      )}
      <ZipButton
        feature="spdevicePaper"
        query={{ ids: rows.map((row) => row.id), paper: 'plate' }}
        count={rows.length}
        label="下载铭牌"
        onDone={clear}
      />
    </>
  )
}

interface Stray {
  projectCode: string
  projectName: string
  devices: number
  names: string
}

/** Machines that report to the platform and have no legal file. */
function Strays({ rows }: { rows: readonly Stray[] }) {
  if (rows.length === 0) return null
  return (
    <NoticeStack>
      {rows.map((one) => (
        <Notice key={one.projectCode} tone="warning">
          在线未建档：{one.projectName} 有 {one.devices} 台塔机、升降机在线但没有监督设备档案（{one.names}）{' '}
          <Link to={hrefOf('/administration', { projectCode: one.projectCode })}>查看设备</Link>
        </Notice>
      ))}
    </NoticeStack>
  )
}

function useColumns(): ColumnOf<typeof machineList>[] {
  const dicts = useDicts('specialDeviceType', 'deviceLifecycle')
  return [
    { key: 'projectName', width: 140, weak: true, value: (r) => r.projectName },
    {
      key: 'deviceType',
      width: 110,
      weak: true,
      filter: 'multi',
      options: dicts.options('specialDeviceType'),
      value: (r) => r.deviceTypeName,
    },
    { key: 'name', width: 130, locked: true, filter: 'text', value: (r) => r.name },
    { key: 'model', width: 100, weak: true, filter: 'text', value: (r) => r.model },
    { key: 'recordNo', width: 150, filter: 'text', value: (r) => r.recordNo ?? '--' },
    { key: 'useRegNo', width: 170, weak: true, filter: 'text', value: (r) => r.useRegNo ?? '--' },
    { key: 'ownerCorp', width: 140, weak: true, filter: 'text', value: (r) => r.ownerCorp },
    { key: 'installName', width: 140, weak: true, filter: 'text', value: (r) => r.installName ?? '--' },
    { key: 'maintainCorp', width: 140, weak: true, hidden: true, filter: 'text', value: (r) => r.maintainCorp },
    { key: 'inspectDate', width: 104, weak: true, filter: 'date-range', value: (r) => r.inspectDate ?? '--' },
    {
      key: 'nextInspectDate',
      width: 112,
      sort: true,
      filter: 'date-range',
      value: (r) => <span className={r.reasons.includes('检测已过期') ? 'tone-danger' : ''}>{r.nextInspectDate ?? '--'}</span>,
    },
    { key: 'ageYears', width: 92, align: 'right', sort: true, filter: 'numeric-range', value: (r) => <Age row={r} /> },
    {
      key: 'operatorsOk',
      width: 92,
      filter: 'single',
      options: [
        { value: 'true', label: '有效' },
        { value: 'false', label: '无效或未登记' },
      ],
      value: (r) =>
        r.operatorsOk === null ? <span className="zg-2">未登记</span> : r.operatorsOk ? '有效' : <span className="tone-danger">无效</span>,
    },
    {
      key: 'iotState',
      width: 84,
      filter: 'multi',
      options: Object.entries(iotWords).map(([value, label]) => ({ value, label })),
      value: (r) => <IotTag state={r.iotState} />,
    },
    {
      key: 'state',
      width: 156,
      keeps: true,
      filter: 'multi',
      options: dicts.options('deviceLifecycle'),
      value: (r) => <MachineStateTag row={r} />,
    },
    {
      key: 'usable',
      width: 210,
      keeps: true,
      value: (r) => (
        <>
          <VerdictTag row={r} /> <span className={r.usable ? 'zg-2' : 'tone-danger'}>{r.reasons.join('，')}</span>
        </>
      ),
    },
  ]
}
