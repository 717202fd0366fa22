import { deviceStatus } from '@zhugong/contract/equipment/codes'
import { deviceStatistics } from '@zhugong/contract/equipment/device-tools'
import {
  createDevice,
  type DeviceRow,
  deviceList,
  deviceStatuses,
  listDevices,
  removeDevices,
  updateDevice,
} from '@zhugong/contract/equipment/endpoints'
import { importDevices } from '@zhugong/contract/equipment/service-endpoints'
import { enables } from '@zhugong/contract/kit/enable'
import { livePages } from '@zhugong/contract/telemetry/live-pages'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, useCanAll } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { switchAction } from '#kit/enable.tsx'
import { FigureStrip, RiskBadge, Tag } from '#kit/feedback.tsx'
import { daysLeft, daysUntil, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePageQuery } from '#kit/page.tsx'
import { SidePanel } from '#kit/side-panel.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { OnlineTag, placeOf, protocolOptions, protocols, StatusTag } from './device-words.tsx'

const DeviceImport = lazy(() => import('./device-import.tsx').then((file) => ({ default: file.DeviceImport })))
const DeviceForm = lazy(() => import('./device-form.tsx').then((file) => ({ default: file.DeviceForm })))

/** Link to the live page of a device, for readers with the permission. */
function liveAction({ id, family }: { id: string; family: string }) {
  const live = livePages[family]
  return live && { label: '实时', href: hrefOf(live.path, { deviceId: id }), needs: live.code }
}

const ownQuery = ['create', 'gatewayId']

/** Devices of the site: online state, completeness and service fees. */
export default function DeviceListPage() {
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const go = useGo()
  const list = useListPage(deviceList, { scope: useMemo(() => ({ ...scope }), [scope]), own: ownQuery })
  const counts = useCall(listDevices, { query: { projectCode, size: 1 } }, { quiet: true })
  const kinds = useCall(deviceStatistics, { query: { projectCode } }, { quiet: true })
  const query = usePageQuery()
  const requested = query.get('create')
  const [form, setForm] = useState<{ id: string | undefined; family?: string; modelId?: string; gatewayId?: string } | undefined>(
    // Other pages link here to register a device: by family key, model id or gateway.
    requested ? { id: undefined, ...requestedFor(requested, query.get('gatewayId') ?? undefined) } : undefined,
  )
  const [importing, setImporting] = useState(false)
  const may = useCanAll()
  const mayRemove = may(removeDevices)
  const removal = useAct(removeDevices, { success: '已删除' })
  const change = useAct(updateDevice, { success: '已更改' })

  const families = (kinds.data?.groups ?? []).map((one) => ({ value: one.family, label: one.familyName }))
  const columns: ColumnOf<typeof deviceList>[] = [
    {
      key: 'name',
      width: 116,
      locked: true,
      sort: true,
      value: (row) => <Link to={hrefOf('/administrationDetails', { id: row.id })}>{row.name}</Link>,
    },
    { key: 'deviceSn', width: 120, hidden: true, value: (row) => row.deviceSn, filter: 'text' },
    { key: 'family', width: 88, value: (row) => row.familyName, filter: 'multi', options: families },
    ...(projectCode === '*'
      ? [
          {
            key: 'projectName',
            width: 150,
            locked: true,
            sort: true,
            filter: 'text',
            value: (row: DeviceRow) => row.projectName,
          } satisfies ColumnOf<typeof deviceList>,
        ]
      : []),
    { key: 'modelName', width: 110, hidden: true, value: (row) => row.modelName },
    { key: 'installPlace', width: 88, value: (row) => row.installPlace },
    {
      key: 'online',
      width: 78,
      filter: 'single',
      options: [
        { value: 'true', label: '在线' },
        { value: 'false', label: '离线' },
      ],
      value: (row) => <OnlineTag row={row} />,
    },
    { key: 'lastTime', width: 146, sort: true, value: (row) => time(row.lastTime) },
    {
      key: 'openLevel',
      width: 78,
      sort: true,
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
      key: 'protocol',
      width: 96,
      hidden: true,
      filter: 'multi',
      options: protocolOptions,
      value: (row) => protocols[row.protocol] ?? row.protocol,
    },
    { key: 'gatewayName', width: 130, hidden: true, value: (row) => row.gatewayName },
    { key: 'dueDate', width: 96, filter: 'date-range', value: (row) => <Due date={row.dueDate} /> },
    {
      key: 'complete',
      width: 76,
      align: 'right',
      value: (row) => <span className={row.complete < 100 ? 'tone-warning' : ''}>{Math.round(row.complete)} %</span>,
    },
  ]

  const remove = async (rows: readonly DeviceRow[], clear: () => void) => {
    const yes = await confirmDanger({
      thing: `删除 ${rows.length === 1 ? rows[0]?.name : `${rows.length} 台设备`}`,
      consequence: '设备从台账移除，未恢复的告警随之关闭；历史数据与告警记录保留。',
      verb: `删除 ${rows.length} 台`,
      keep: '不删除',
      typeName: rows.length > 1 ? '删除' : undefined,
      typeLabel: rows.length > 1 ? '输入“删除”确认' : undefined,
    })
    if (yes && (await removal.run({ body: { ids: rows.map((one) => one.id) } }))) clear()
  }
  const turn = (row: DeviceRow) =>
    switchAction({
      enable: row.status === deviceStatus.inUse ? enables.on : enables.off,
      needs: updateDevice,
      question: {
        thing: `停用 ${row.name}`,
        consequence: '停用后不再判断告警，收到的数据照常保存；随时可以启用。',
        verb: `停用 ${row.name}`,
        keep: '继续使用',
      },
      run: () =>
        change.run({
          params: { id: row.id },
          body: { status: row.status === deviceStatus.inUse ? deviceStatus.off : deviceStatus.inUse, version: row.version },
        }),
    })

  const c = counts.data?.counts
  return (
    <ListShell
      left={
        <SidePanel
          title="设备类别"
          selected={list.filters.family}
          onSelect={(key) => list.setFilter('family', key)}
          all={{ title: '全部', count: kinds.data ? kinds.data.all : undefined }}
          nodes={(kinds.data?.groups ?? []).map((one) => ({ key: one.family, title: one.familyName, count: one.all }))}
        />
      }
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '设备', value: c?.all, unit: '台', remark: `${families.length} 类` },
            {
              label: '在线',
              value: c?.online,
              unit: '台',
              tone: 'fine',
              remark: c && c.inUse > 0 ? `在用 ${c.inUse} 台的 ${Math.round((c.online / c.inUse) * 100)} %` : undefined,
            },
            { label: '离线', value: c?.offline, unit: '台', tone: c?.offline ? 'warning' : undefined },
            { label: '30 日内到期', value: c?.dueSoon, unit: '台', tone: c?.dueSoon ? 'warning' : undefined },
          ]}
        />
      }
      actions={
        <>
          <Can call={createDevice}>
            <Button type="primary" onClick={() => setForm({ id: undefined })}>
              新增设备
            </Button>
          </Can>
          <Can call={importDevices}>
            <Button onClick={() => setImporting(true)}>导入</Button>
          </Can>
        </>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        search={{ key: 'name', placeholder: '设备名称' }}
        onRow={(row) => go('/administrationDetails', { id: row.id })}
        place={placeOf}
        actions={(row) => [
          liveAction(row),
          { label: '编辑', needs: updateDevice, onClick: () => setForm({ id: row.id }) },
          (row.status === deviceStatus.inUse || row.status === deviceStatus.off) && turn(row),
        ]}
        selection={
          mayRemove
            ? {
                unit: '台',
                disabled: (row: DeviceRow) => !may(removeDevices, placeOf(row)),
                actions: (rows: readonly DeviceRow[], clear: () => void) => (
                  <Button danger onClick={() => void remove(rows, clear)}>
                    删除 {rows.length} 台
                  </Button>
                ),
              }
            : undefined
        }
        emptyHint="登记监测设备后，这里显示是否在线、参数是否齐全、服务何时到期"
        emptyAction={
          <Can call={createDevice}>
            <Button type="primary" onClick={() => setForm({ id: undefined })}>
              新增设备
            </Button>
          </Can>
        }
      />
      {importing && (
        <Suspense>
          <DeviceImport onClose={() => setImporting(false)} />
        </Suspense>
      )}
      {form && (
        <Suspense>
          <DeviceForm key={form.id ?? 'new'} {...form} onClose={() => setForm(undefined)} />
        </Suspense>
      )}
    </ListShell>
  )
}

function requestedFor(requested: string, gatewayId: string | undefined) {
  if (requested === 'device') return gatewayId ? { gatewayId } : {}
  return /^[0-9a-f]{32}$/.test(requested) ? { modelId: requested } : { family: requested }
}

function Due({ date }: { date: string | null }) {
  const days = daysUntil(date)
  if (days === undefined) return <span className="zg-2">--</span>
  return days <= 30 ? (
    <Tag tone={days < 0 ? 'danger' : 'warning'} icon={false}>
      {daysLeft(date)}
    </Tag>
  ) : (
    date
  )
}
