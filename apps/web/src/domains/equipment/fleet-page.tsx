import { deviceStatistics } from '@zhugong/contract/equipment/device-tools'
import { type DeviceRow, deviceList, deviceStatuses, listDevices, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { listFactories } from '@zhugong/contract/equipment/library-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
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

/** Equipment of all sites, and what is missing. */
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
          loading={!counts.data}
          items={[
            { label: '设备', value: c?.all, unit: '台' },
            {
              label: '在线率',
              value: c ? ratioOf(c.online, c.inUse) : undefined,
              remark: c ? `在线 ${c.online} / ${c.inUse} 台` : undefined,
            },
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

function Matrix({ read }: { read: ReturnType<typeof useCall<unknown, unknown, Fleet>> }) {
  const go = useGo()
  if (read.isPending) return <TableSkeleton rows={6} columns={5} />
  if (read.error || !read.data) return <ErrorPanel error={read.error} retry={read.refetch} />
  const sites = sitesOf(read.data)
  if (sites.length === 0) return <Empty text="没有设备" hint="各项目登记设备后，这里按项目与类别汇总" />
  return (
    <Card title="项目 × 类别" remark="在线 / 总数；红底数字为告警台数，“应装”为应装未装，点类别看清单" flush>
      <table className="eq-table eq-fleet">
        <thead>
          <tr>
            <th>项目</th>
            <th className="num">在线 / 总数</th>
            <th className="num">告警</th>
            <th className="num">应装未装</th>
            <th>各类设备</th>
          </tr>
        </thead>
        <tbody>
          {sites.map(({ code, name, families, gaps, all, online, alarming }) => (
            <tr key={code}>
              <th scope="row">{name}</th>
              <td className="num">
                {online} / {all}
              </td>
              <td className="num">{alarming > 0 ? <b className="tone-danger">{alarming}</b> : 0}</td>
              <td className="num">{gaps.length > 0 ? <b className="tone-danger">{gaps.length}</b> : 0}</td>
              <td>
                <ul className="eq-families">
                  {gaps.map((gap) => (
                    <li key={gap.family} className="gap" title={gap.why}>
                      {gap.familyName} <b>应装</b>
                    </li>
                  ))}
                  {families.map((one) => (
                    <li key={one.family}>
                      <button
                        type="button"
                        className="zg-bare"
                        onClick={() => go('/administrationAll', { tab: 'list', projectName: name, family: one.family })}
                      >
                        {one.familyName}{' '}
                        <b className={one.online < one.inUse ? 'tone-warning' : ''}>
                          {one.online}/{one.all}
                        </b>
                        {one.alarming > 0 && <em title={`${one.alarming} 台告警中`}>{one.alarming}</em>}
                      </button>
                    </li>
                  ))}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

type Fleet = OutputFor<typeof deviceStatistics>

/** Sites with their devices and what is missing; sorted by missing devices, then by offline devices. */
function sitesOf({ groups, gaps }: Fleet) {
  const names = new Map([...groups, ...gaps].map((one) => [one.projectCode ?? '', one.projectName ?? '']))
  const sum = (of: Fleet['groups'], key: 'all' | 'online' | 'alarming') => of.reduce((total, one) => total + one[key], 0)
  return [...names]
    .map(([code, name]) => {
      const families = groups.filter((one) => (one.projectCode ?? '') === code).sort((a, b) => b.alarming - a.alarming || b.all - a.all)
      const missing = gaps.filter((one) => one.projectCode === code)
      const all = sum(families, 'all')
      return { code, name, families, gaps: missing, all, online: sum(families, 'online'), alarming: sum(families, 'alarming') }
    })
    .sort((a, b) => b.gaps.length - a.gaps.length || b.all - b.online - (a.all - a.online))
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
        providerId: editing.providerId || undefined,
        dueDate: editing.dueDate || undefined,
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
        <div className="zg-stack">
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
