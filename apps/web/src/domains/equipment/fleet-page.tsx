import {
  type DeviceRow,
  deviceList,
  deviceStatistics,
  deviceStatuses,
  listDevices,
  updateDevice,
} from '@zhugong/contract/equipment/endpoints'
import { listFactories } from '@zhugong/contract/equipment/library-endpoints'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Card, Empty, ErrorPanel, FigureStrip, RiskBadge, TableSkeleton } from '#kit/feedback.tsx'
import { daysLeft, ratioOf, time } from '#kit/format.ts'
import { DayInput } from '#kit/inputs.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { OnlineTag, placeOf, StatusTag } from './device-words.tsx'
import { FactoryChoice, Share } from './library-parts.tsx'
import { familyTree } from './model-list-page.tsx'
import './equipment.css'

/** How well are all sites equipped, and where are gaps? */
export default function FleetPage() {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const projectCode = useProjectCode()
  const tab = query.get('tab') === 'list' ? 'list' : 'matrix'
  const counts = useCall(listDevices, { query: { projectCode, size: 1 } }, { quiet: true })
  const matrix = useCall(deviceStatistics, { query: { projectCode, groupBy: 'project,category' } }, { quiet: true })
  const c = counts.data?.counts
  return (
    <ListShell
      titleActions={
        <Segmented<'matrix' | 'list'>
          value={tab}
          onChange={(next) => go(page.path, next === 'list' ? { tab: next } : {}, { replace: true })}
          options={[
            { value: 'matrix', label: '矩阵' },
            { value: 'list', label: '清单' },
          ]}
        />
      }
      strip={
        <FigureStrip
          loading={counts.isPending}
          items={[
            { label: '设备', value: c?.all, unit: '台' },
            { label: '在线率', value: c ? ratioOf(c.online, c.inUse) : undefined, remark: c ? `在线 ${c.online} 台` : undefined },
            {
              label: '应装未装',
              value: matrix.data?.gaps.length,
              unit: '处',
              tone: matrix.data?.gaps.length ? 'danger' : undefined,
            },
            { label: '失联超 7 天', value: c?.lost7d, unit: '台', tone: c?.lost7d ? 'warning' : undefined },
          ]}
        />
      }
    >
      {tab === 'matrix' ? <Matrix read={matrix} /> : <Devices projectCode={projectCode} />}
    </ListShell>
  )
}

function Matrix({
  read,
}: {
  read: ReturnType<typeof useCall<unknown, unknown, import('@zhugong/contract/kit/endpoint').OutputFor<typeof deviceStatistics>>>
}) {
  const go = useGo()
  if (read.isPending) return <TableSkeleton rows={6} columns={8} />
  if (read.error || !read.data) return <ErrorPanel error={read.error} retry={read.refetch} />
  const { groups, gaps } = read.data
  const families = [...new Map([...groups, ...gaps].map((one) => [one.family, one.familyName])).entries()]
  const projects = [
    ...new Map([
      ...groups.map((g) => [g.projectCode ?? '', g.projectName ?? ''] as const),
      ...gaps.map((g) => [g.projectCode, g.projectName] as const),
    ]).entries(),
  ]
  const withGaps = new Map(projects.map(([code]) => [code, gaps.filter((g) => g.projectCode === code).length]))
  projects.sort(([a], [b]) => (withGaps.get(b) ?? 0) - (withGaps.get(a) ?? 0))
  if (projects.length === 0) return <Empty text="没有设备" hint="各项目登记设备后，这里按项目与类别汇总" />
  return (
    <Card title="项目 × 类别" remark="在线 / 总数；红色数字为告警台数，“应装”为应装未装，点格子看清单" flush>
      <div style={{ overflow: 'auto', maxHeight: 600 }}>
        <table className="eq-table eq-matrix">
          <thead>
            <tr>
              <th>项目</th>
              {families.map(([key, name]) => (
                <th key={key}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {projects.map(([code, name]) => (
              <tr key={code}>
                <th scope="row">{name}</th>
                {families.map(([key]) => {
                  const cell = groups.find((g) => g.projectCode === code && g.family === key)
                  const gap = gaps.find((g) => g.projectCode === code && g.family === key)
                  return (
                    <td key={key} className={gap ? 'gap' : ''}>
                      {cell ? (
                        <button
                          type="button"
                          className="zg-bare"
                          title={`${name} ${cell.familyName}：在线 ${cell.online}，共 ${cell.all}`}
                          onClick={() => go('/administrationAll', { tab: 'list', projectName: name, family: key })}
                        >
                          <span className={cell.online < cell.all ? 'tone-warning' : ''}>
                            {cell.online}/{cell.all}
                          </span>
                          {cell.alarming > 0 && <em title={`${cell.alarming} 台告警中`}>{cell.alarming}</em>}
                        </button>
                      ) : gap ? (
                        <span className="tone-danger" title={gap.why}>
                          应装
                        </span>
                      ) : (
                        <span className="zg-2">–</span>
                      )}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}

function Devices({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const list = useListPage(deviceList, { scope: useMemo(() => ({ projectCode, with: 'online30' }), [projectCode]), own: ['tab'] })
  const kinds = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const providers = useCall(listFactories, { query: { kind: 'provider', size: 1000, sort: 'name' } }, { quiet: true })
  const [editing, setEditing] = useState<{ rows: readonly DeviceRow[]; providerId?: string | undefined; dueDate?: string | undefined }>()
  const act = useAct(updateDevice, { success: false })
  const save = async () => {
    if (!editing) return
    let done = 0
    for (const row of editing.rows) {
      const body = {
        ...(editing.providerId ? { providerId: editing.providerId } : {}),
        ...(editing.dueDate ? { dueDate: editing.dueDate } : {}),
      }
      if (await act.run({ params: { id: row.id }, body })) done++
    }
    notify.success(`${done} 台已更改`)
    setEditing(undefined)
  }
  const columns: ColumnOf<typeof deviceList>[] = [
    {
      key: 'name',
      width: 116,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => <Link to={hrefOf('/administrationDetails', { id: row.id })}>{row.name}</Link>,
    },
    { key: 'deviceSn', width: 130, hidden: true, sort: true, filter: 'text', value: (row) => row.deviceSn },
    {
      key: 'family',
      width: 100,
      sort: true,
      filter: 'tree-cascader',
      tree: familyTree(kinds.data?.list ?? []),
      value: (row) => row.familyName,
    },
    { key: 'projectName', width: 170, sort: true, filter: 'text', value: (row) => row.projectName },
    { key: 'areaCode', width: 90, hidden: true, filter: 'area-cascader', value: (row) => row.areaName },
    {
      key: 'modelName',
      width: 120,
      sort: true,
      filter: 'text',
      value: (row) => [row.brandName, row.modelName].filter(Boolean).join(' '),
    },
    {
      key: 'providerName',
      width: 130,
      filter: 'single',
      filterKey: 'providerId',
      options: (providers.data?.list ?? []).map((one) => ({ value: one.id, label: one.name })),
      value: (row) => row.providerName,
    },
    {
      key: 'online',
      width: 76,
      sort: true,
      filter: 'single',
      options: [
        { value: 'true', label: '在线' },
        { value: 'false', label: '离线' },
      ],
      value: (row) => <OnlineTag row={row} />,
    },
    {
      key: 'onlinePercent30d',
      width: 92,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (row) => <Share value={row.onlinePercent30d} low={90} />,
    },
    { key: 'lastTime', width: 150, sort: true, filter: 'datetime-range', value: (row) => time(row.lastTime) },
    {
      key: 'openLevel',
      width: 76,
      sort: true,
      filter: 'multi',
      options: ['1', '2', '3', '4'].map((value) => ({ value, label: `${value} 级` })),
      value: (row) => (row.openLevel === null ? undefined : <RiskBadge level={row.openLevel} />),
    },
    {
      key: 'status',
      width: 80,
      filter: 'multi',
      options: Object.entries(deviceStatuses).map(([value, label]) => ({ value, label })),
      value: (row) => <StatusTag status={row.status} />,
    },
    {
      key: 'ageYears',
      width: 80,
      align: 'right',
      value: (row) => (row.ageYears === null ? undefined : `${row.ageYears} 年`),
    },
    {
      key: 'dueDate',
      width: 110,
      sort: true,
      filter: 'date-range',
      value: (row) => row.dueDate && <span title={row.dueDate}>{daysLeft(row.dueDate)}</span>,
    },
    {
      key: 'complete',
      width: 76,
      align: 'right',
      filter: 'numeric-range',
      value: (row) => <Share value={row.complete} low={100} />,
    },
  ]
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        name="fleet-devices"
        search={{ key: 'name', placeholder: '设备名称' }}
        onRow={(row) => go('/administrationDetails', { id: row.id })}
        selection={{
          unit: '台',
          actions: (rows) => (
            <Can call={updateDevice} at={rows.map(placeOf)}>
              <Button onClick={() => setEditing({ rows })}>改供应商与到期</Button>
            </Can>
          ),
        }}
        emptyHint="没有符合条件的设备"
      />
      <PageModal
        open={editing !== undefined}
        title={`更改 ${editing?.rows.length ?? 0} 台`}
        okText="保存"
        okButtonProps={{ loading: act.running, disabled: !editing?.providerId && !editing?.dueDate }}
        onOk={() => void save()}
        onCancel={() => setEditing(undefined)}
      >
        <div style={{ display: 'grid', gap: 8 }}>
          <label htmlFor="fleet-provider">供应商</label>
          <FactoryChoice
            id="fleet-provider"
            kind="provider"
            value={editing?.providerId ?? null}
            onChange={(providerId) => setEditing((now) => now && { ...now, providerId })}
          />
          <label htmlFor="fleet-due">服务到期</label>
          <DayInput
            id="fleet-due"
            value={editing?.dueDate ?? null}
            onChange={(dueDate) => setEditing((now) => now && { ...now, dueDate })}
          />
        </div>
      </PageModal>
    </>
  )
}
