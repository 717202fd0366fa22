import { deviceOrigins, deviceStatus } from '@zhugong/contract/equipment/codes'
import { type DeviceRow, listDevices, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button, Segmented } from 'antd'
import { useMemo, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { Tag } from '#kit/feedback.tsx'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { Column } from '#kit/table-columns.tsx'
import { familyTree } from './model-list-page.tsx'
import { ReviewDrawer, review } from './review-drawer.tsx'

const { waiting, inUse, refused } = deviceStatus
const tabs = [waiting, inUse, refused] as const
type State = (typeof tabs)[number]
const originOptions = Object.entries(deviceOrigins).map(([value, label]) => ({ value, label }))
const passed = (row: DeviceRow) => (row.checks ?? []).filter((one) => one.ok).length

/** Review of devices before they go live. */
export default function ReviewPage() {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const projectCode = useProjectCode()
  const state = tabs.find((one) => one === query.get('tab')) ?? waiting
  const list = useListPage(listDevices, {
    scope: useMemo(() => ({ projectCode, auditState: state, with: 'checks' }), [projectCode, state]),
    own: ['tab'],
    defaultSort: state === waiting ? undefined : '-auditTime',
  })
  const counts = useCall(listDevices, { query: { projectCode, size: 1 } }, { quiet: true })
  const kinds = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const [open, setOpen] = useState<DeviceRow>()
  const act = useAct(updateDevice, { success: false })
  const passAll = async (rows: readonly DeviceRow[], clear: () => void) => {
    const green = rows.filter((row) => row.review?.actions.includes('pass') && row.checks?.every((one) => one.ok))
    let done = 0
    for (const row of green) if (await act.run({ params: { id: row.id }, body: { auditState: inUse, version: row.version } })) done++
    if (green.length < rows.length)
      notify.warning(`${done} 台已通过；${rows.length - green.length} 台自动检查未全部通过或不由您审核，请逐台查看`)
    else notify.success(`${done} 台已通过`)
    clear()
  }
  const columns: Column<DeviceRow>[] = [
    { key: 'name', title: '设备', width: 120, locked: true, sort: true, filter: 'text', value: (row) => row.name },
    { key: 'deviceSn', title: '序列号', width: 130, filter: 'text', value: (row) => row.deviceSn },
    {
      key: 'family',
      title: '类别',
      width: 100,
      filter: 'tree-cascader',
      tree: familyTree(kinds.data?.list ?? []),
      value: (row) => row.familyName,
    },
    { key: 'projectName', title: '项目', width: 170, sort: true, filter: 'text', value: (row) => row.projectName },
    {
      key: 'kind',
      title: '事项',
      width: 100,
      value: (row) =>
        row.pending.length ? (
          <Tag tone="running">变更 {row.pending.length} 项</Tag>
        ) : row.auditRemark && state === waiting ? (
          <Tag tone="warning">再次提交</Tag>
        ) : (
          '登记'
        ),
    },
    { key: 'applicant', title: '申请人', width: 90, filter: 'text', value: (row) => row.applicant },
    {
      key: 'origin',
      title: '来源',
      width: 84,
      filter: 'multi',
      options: originOptions,
      value: (row) => deviceOrigins[row.origin as keyof typeof deviceOrigins] ?? row.origin,
    },
    { key: 'applyTime', title: '申请时间', width: 150, sort: true, filter: 'datetime-range', value: (row) => row.applyTime },
    {
      key: 'check',
      title: '自动检查',
      width: 92,
      value: (row) => {
        const ok = passed(row)
        const all = row.checks?.length ?? 0
        return (
          <span
            className={ok < all ? 'tone-danger' : 'tone-fine'}
            title={row.checks?.flatMap((one) => (one.ok ? [] : [`${one.label}：${one.text}`])).join('；')}
          >
            {ok} / {all}
          </span>
        )
      },
    },
    ...(state === waiting
      ? []
      : ([
          { key: 'auditBy', title: '审核人', width: 90, value: (row) => row.auditBy },
          { key: 'auditTime', title: '审核时间', width: 150, sort: true, value: (row) => row.auditTime },
          { key: 'auditRemark', title: '意见', width: 180, value: (row) => row.auditRemark },
        ] satisfies Column<DeviceRow>[])),
  ]
  return (
    <ListShell
      titleActions={
        <Segmented<State>
          value={state}
          onChange={(tab) => go(page.path, { tab }, { replace: true })}
          options={[
            { value: waiting, label: `待审核 ${counts.data?.counts.waiting ?? ''}` },
            { value: inUse, label: '已通过' },
            { value: refused, label: '已驳回' },
          ]}
        />
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        name={`device-review-${state}`}
        search={{ key: 'name', placeholder: '设备名称' }}
        onRow={setOpen}
        selection={
          state === waiting
            ? {
                unit: '台',
                actions: (rows: readonly DeviceRow[], clear: () => void) => (
                  <Can call={review}>
                    <Button type="primary" loading={act.running} onClick={() => void passAll(rows, clear)}>
                      检查全绿的通过
                    </Button>
                  </Can>
                ),
              }
            : undefined
        }
        emptyHint={state === waiting ? '没有等待审核的设备' : '没有记录'}
      />
      <ReviewDrawer row={open} onClose={() => setOpen(undefined)} />
    </ListShell>
  )
}
