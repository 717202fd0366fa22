import { dockingType } from '@zhugong/contract/equipment/codes'
import {
  copyDocking,
  type DockingRow,
  dockingList,
  listDockings,
  removeDocking,
  switchDocking,
  updateDocking,
} from '@zhugong/contract/equipment/docking-endpoints'
import { turned } from '@zhugong/contract/kit/enable'
import { Button } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { daysLeft, daysUntil, thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { dockingTypeName, dockingTypeOptions, ResultTag, runResultOptions } from './docking-words.tsx'
import { ShownOnce } from './shown-once.tsx'

/** Platforms we pull from or that push to us, and whether their runs succeeded. */
export default function DockingListPage() {
  const go = useGo()
  const list = useListPage(dockingList, { everyMs: 15_000 })
  const counts = useCall(listDockings, { query: { size: 1 } }, { quiet: true, everyMs: 30_000 })
  const [key, setKey] = useState<{ id: string; pushSecret: string }>()
  const turn = useAct(switchDocking, { success: '已更改' })
  const copy = useAct(copyDocking, {
    success: '已复制，新对接处于停用状态',
    onDone: ({ id, pushSecret }) => (pushSecret ? setKey({ id, pushSecret }) : go('/gatewayOther/edit', { id })),
  })
  const removal = useAct(removeDocking, { success: '已删除' })
  const sync = useAct(updateDocking, { success: '已开始同步，稍后在同步记录中查看' })
  const flip = (row: DockingRow) =>
    switchAction({
      enable: row.enable,
      needs: switchDocking,
      question: {
        thing: `停用 ${row.name}`,
        consequence: `${row.matched} 台已匹配的设备不再有新数据，历史保留。`,
        verb: `停用，${row.matched} 台停止`,
        keep: '继续使用',
      },
      run: () => turn.run({ body: { id: row.id, status: turned(row.enable) } }),
    })
  const remove = (row: DockingRow) =>
    removal.afterRequesting(
      {
        thing: `删除 ${row.name}`,
        consequence: '凭证、映射、同步记录和对方设备清单一并删除；平台设备与历史数据保留。',
        verb: '删除对接',
        keep: '不删除',
        typeName: row.name,
        typeLabel: '输入对接名称确认',
      },
      { params: { id: row.id } },
    )
  const columns: ColumnOf<typeof dockingList>[] = [
    {
      key: 'name',
      width: 180,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => <Link to={hrefOf('/gatewayOther/details', { id: row.id })}>{row.name}</Link>,
    },
    { key: 'vendor', width: 130, sort: true, filter: 'text', value: (row) => row.vendor },
    {
      key: 'connType',
      width: 94,
      filter: 'multi',
      options: dockingTypeOptions,
      value: (row) => dockingTypeName(row.connType),
    },
    { key: 'endpoint', width: 200, hidden: true, value: (row) => row.endpoint },
    {
      key: 'schedule',
      width: 80,
      value: (row) => (row.connType === dockingType.pull ? `${row.scheduleMinutes} 分钟` : '对方推送'),
    },
    { key: 'lastRun', width: 150, sort: true, filter: 'datetime-range', value: (row) => row.lastRun },
    {
      key: 'lastResult',
      width: 90,
      filter: 'multi',
      options: runResultOptions,
      value: (row) => <ResultTag result={row.lastResult} />,
    },
    { key: 'lastMessage', width: 180, value: (row) => row.lastMessage },
    { key: 'rows', width: 70, align: 'right', value: (row) => thousands(row.rows) },
    {
      key: 'failed24h',
      width: 96,
      align: 'right',
      sort: true,
      value: (row) => <span className={row.failed24h ? 'tone-danger' : ''}>{row.failed24h}</span>,
    },
    {
      key: 'unmatched',
      width: 72,
      align: 'right',
      sort: true,
      value: (row) => <span className={row.unmatched ? 'tone-warning' : ''}>{row.unmatched}</span>,
    },
    {
      key: 'tokenExpire',
      width: 120,
      sort: true,
      filter: 'date-range',
      value: (row) => {
        const days = daysUntil(row.tokenExpire)
        if (days === undefined) return undefined
        return days <= 14 ? <Tag tone={days < 0 ? 'danger' : 'warning'}>{daysLeft(row.tokenExpire)}</Tag> : row.tokenExpire
      },
    },
    {
      key: 'enable',
      width: 80,
      filter: 'single',
      options: enableOptions,
      value: (row) => <EnableTag enable={row.enable} />,
    },
  ]
  const c = counts.data?.counts
  const add = (
    <Can call={switchDocking}>
      <Button type="primary" onClick={() => go('/gatewayOther/edit')}>
        新增对接
      </Button>
    </Can>
  )
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '正常', value: c?.ok, unit: '个', tone: 'fine' },
            { label: '失败', value: c?.failed, unit: '个', tone: c?.failed ? 'danger' : undefined },
            { label: '凭证将到期', value: c?.expiring, unit: '个', tone: c?.expiring ? 'warning' : undefined },
            {
              label: '未匹配',
              value: c?.unmatched,
              unit: '台',
              href: hrefOf('/equipmentThird', { matchState: '2,3' }),
              tone: c?.unmatched ? 'warning' : undefined,
            },
          ]}
        />
      }
      actions={add}
    >
      <DataTable
        list={list}
        columns={columns}
        unit="个"
        search={{ key: 'name', placeholder: '对接名称' }}
        onRow={(row) => go('/gatewayOther/details', { id: row.id })}
        actions={(row) => [
          row.connType === dockingType.pull && {
            label: '立即同步',
            needs: updateDocking,
            onClick: () => sync.run({ params: { id: row.id }, body: { sync: {} } }),
          },
          { label: '编辑', href: hrefOf('/gatewayOther/edit', { id: row.id }), needs: switchDocking },
          flip(row),
          { label: '复制', needs: copyDocking, onClick: () => copy.run({ params: { id: row.id } }) },
          { label: '删除', needs: removeDocking, danger: true, onClick: () => remove(row) },
        ]}
        emptyHint="其他厂商平台的设备在这里对接：填写账号与字段映射，数据与自有设备一样入库、判断和展示"
        emptyAction={add}
      />
      <ShownOnce
        title="推送密钥只显示这一次"
        secret={key?.pushSecret}
        what="密钥"
        next="去编辑"
        onNext={() => key && go('/gatewayOther/edit', { id: key.id })}
        onClose={() => setKey(undefined)}
      />
    </ListShell>
  )
}
