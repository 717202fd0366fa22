import {
  copyGateway,
  gatewayList,
  type gatewayRow,
  listGateways,
  removeGateway,
  switchGateway,
} from '@zhugong/contract/equipment/gateway-endpoints'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { Button, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { z } from 'zod'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { switchAction } from '#kit/enable.tsx'
import { FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode, useProjectScope } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { connectionName, connectionOptions } from './gateway-words.ts'
import { OpenApps } from './open-apps.tsx'
import { ShownOnce } from './shown-once.tsx'

type Row = z.output<typeof gatewayRow>

const tabChoices = [
  { value: 'gateways', label: '网关' },
  { value: 'apps', label: '开放应用' },
]

/** Senders with their own identity: gateways on site, and applications of the open API. */
export default function GatewayListPage() {
  const go = useGo()
  const page = usePage()
  const tab = usePageQuery().get('tab') === 'apps' ? 'apps' : 'gateways'
  const tabs = (
    <Segmented
      aria-label="接入身份"
      options={tabChoices}
      value={tab}
      onChange={(next) => go(page.path, next === 'apps' ? { tab: next } : {}, { replace: true })}
    />
  )
  return tab === 'apps' ? <OpenApps tabs={tabs} /> : <Gateways tabs={tabs} />
}

/** Gateways with their state and the devices behind them. */
function Gateways({ tabs }: { tabs: ReactNode }) {
  const scope = useProjectScope()
  const projectCode = useProjectCode()
  const go = useGo()
  const list = useListPage(gatewayList, { scope, everyMs: 30_000 })
  const counts = useCall(listGateways, { query: { projectCode, size: 1 } }, { quiet: true })
  const [secret, setSecret] = useState<{ id: string; secret: string }>()
  const turn = useAct(switchGateway, { success: '已更改' })
  const copy = useAct(copyGateway, { success: '已复制，新网关处于停用状态', onDone: setSecret })
  const removal = useAct(removeGateway, { success: '已删除' })

  const flip = (row: Row) =>
    switchAction({
      enable: row.status,
      needs: switchGateway,
      question: {
        thing: `停用网关 ${row.name}`,
        consequence: `立即断开并拒绝再连接，下挂 ${row.devices} 台设备随之离线。`,
        verb: `停用，${row.devices} 台离线`,
        keep: '继续使用',
      },
      run: () => turn.run({ body: { id: row.id, status: turned(row.status) } }),
    })
  const remove = (row: Row) =>
    removal.afterRequesting(
      {
        thing: `删除网关 ${row.name}`,
        consequence: '密钥随之失效，网关不能再连接。',
        verb: '删除网关',
        keep: '不删除',
      },
      { params: { id: row.id } },
    )
  const columns: ColumnOf<typeof gatewayList>[] = [
    {
      key: 'name',
      width: 200,
      locked: true,
      sort: true,
      value: (row) => <Link to={hrefOf('/gateway/details', { id: row.id })}>{row.name}</Link>,
    },
    { key: 'code', width: 110, hidden: true, sort: true, filter: 'text', value: (row) => row.code },
    {
      key: 'connectionType',
      width: 132,
      filter: 'multi',
      options: connectionOptions,
      value: (row) => connectionName(row.connectionType),
    },
    ...(projectCode === '*'
      ? [{ key: 'projectName', width: 140, value: (row: Row) => row.projectName } satisfies ColumnOf<typeof gatewayList>]
      : []),
    {
      key: 'devices',
      width: 150,
      value: (row) => (
        <span>
          在线 {row.devicesOnline} / {row.devices}
          {!row.online && row.devices > 0 && <span className="tone-warning">，{row.devices} 台受影响</span>}
        </span>
      ),
    },
    {
      key: 'online',
      width: 88,
      sort: true,
      filter: 'single',
      options: [
        { value: 'true', label: '在线' },
        { value: 'false', label: '离线' },
      ],
      value: (row) =>
        row.online ? (
          <Tag tone="fine">在线</Tag>
        ) : (
          <Tag tone={isOn(row.status) ? 'warning' : 'neutral'} icon={false}>
            离线
          </Tag>
        ),
    },
    { key: 'lastSeen', width: 148, sort: true, filter: 'datetime-range', value: (row) => row.lastSeen },
    { key: 'msgPerMin', width: 92, align: 'right', value: (row) => row.msgPerMin },
    { key: 'ip', width: 120, hidden: true, value: (row) => row.ip },
    {
      key: 'refused24h',
      width: 100,
      align: 'right',
      value: (row) => <span className={row.refused24h > 0 ? 'tone-warning' : ''}>{thousands(row.refused24h)}</span>,
    },
    {
      key: 'status',
      width: 84,
      sort: true,
      filter: 'single',
      options: [
        { value: '1', label: '已启用' },
        { value: '0', label: '已停用' },
      ],
      value: (row) => <Tag tone={isOn(row.status) ? 'fine' : 'neutral'}>{isOn(row.status) ? '已启用' : '已停用'}</Tag>,
    },
    { key: 'createTime', width: 152, hidden: true, sort: true, value: (row) => row.createTime },
  ]
  const c = counts.data?.counts
  return (
    <ListShell
      titleActions={tabs}
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '在线', value: c?.online, unit: '台', tone: 'fine', remark: c && `共 ${c.online + c.offline} 台` },
            {
              label: '离线',
              value: c?.offline,
              unit: '台',
              tone: c?.offline ? 'danger' : undefined,
              remark: c?.offline ? '下挂设备的离线告警已合并' : undefined,
              remarkTone: 'warning',
            },
            { label: '已停用', value: c?.disabled, unit: '台' },
            { label: '有拒绝消息', value: c?.refused, unit: '台', tone: c?.refused ? 'warning' : undefined },
          ]}
        />
      }
      above={c && c.offline > 0 && <Notice tone="warning">网关离线期间，下挂设备不再逐台报离线，请先恢复网关的电源和网络</Notice>}
      actions={
        <Can call={switchGateway}>
          <Button type="primary" onClick={() => go('/gateway/edit')}>
            新增网关
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        search={{ key: 'name', placeholder: '网关名称' }}
        onRow={(row) => go('/gateway/details', { id: row.id })}
        actions={(row) => [
          { label: '编辑', href: hrefOf('/gateway/edit', { id: row.id }), needs: switchGateway },
          flip(row),
          { label: '复制', needs: copyGateway, onClick: () => copy.run({ params: { id: row.id } }) },
          {
            label: '删除',
            needs: removeGateway,
            danger: true,
            disabled: row.devices > 0 && `下挂 ${row.devices} 台设备，请先改绑`,
            onClick: () => remove(row),
          },
        ]}
        emptyHint="网关是现场设备与平台之间的盒子，新增后得到密钥和接入说明"
        emptyAction={
          <Can call={switchGateway}>
            <Button type="primary" onClick={() => go('/gateway/edit')}>
              新增网关
            </Button>
          </Can>
        }
      />
      <ShownOnce
        title="新网关的密钥只显示这一次"
        secret={secret?.secret}
        what="密钥"
        next="去详情"
        onNext={() => secret && go('/gateway/details', { id: secret.id })}
        onClose={() => setSecret(undefined)}
      />
    </ListShell>
  )
}
