import { createDevice } from '@zhugong/contract/equipment/endpoints'
import {
  copyGateway,
  type GatewayRow,
  listGateways,
  removeGateway,
  stationList,
  switchGateway,
} from '@zhugong/contract/equipment/gateway-endpoints'
import { turned } from '@zhugong/contract/kit/enable'
import { crcModes } from '@zhugong/contract/protocols/hj212'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, InputNumber } from 'antd'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { EnableTag, enableOptions, switchAction } from '#kit/enable.tsx'
import { FigureStrip, Notice, Tag } from '#kit/feedback.tsx'
import { thousands } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf, useGo } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { ShownOnce } from './shown-once.tsx'

const unitNames: Readonly<Record<string, string>> = { ug: 'μg/m³', mg: 'mg/m³' }

/** Dust and noise stations that report by HJ 212: MN, model and project of each. */
export default function StationListPage() {
  const go = useGo()
  const projectCode = useProjectCode()
  const list = useListPage(stationList, { scope: useMemo(() => ({ projectCode, connType: '6' }), [projectCode]), everyMs: 30_000 })
  const counts = useCall(listGateways, { query: { projectCode, connType: '6', size: 1 } }, { quiet: true, everyMs: 60_000 })
  const [made, setMade] = useState<{ id: string; secret: string }>()
  const [interval, setInterval] = useState<{ rows: readonly GatewayRow[]; seconds: number }>()
  const turn = useAct(switchGateway, { success: '已更改' })
  const copy = useAct(copyGateway, { success: '已复制，填写 MN 后启用', onDone: setMade })
  const removal = useAct(removeGateway, { success: '已删除' })
  const command = useAct(sendCommand, { success: false })
  const flip = (row: GatewayRow) =>
    switchAction({
      enable: row.status,
      needs: switchGateway,
      question: {
        thing: `停用 ${row.name}（${row.code}）`,
        consequence: '收到的报文不再入库，随时可以启用。',
        verb: '停用',
        keep: '继续使用',
      },
      run: () => turn.run({ body: { id: row.id, status: turned(row.status) } }),
    })
  const remove = (row: GatewayRow) =>
    removal.afterRequesting(
      {
        thing: `删除 ${row.name}`,
        consequence: '从台账移除，未恢复的告警随之关闭；历史数据保留。',
        verb: '删除',
        keep: '不删除',
        typeName: row.station?.mn ?? row.name,
        typeLabel: '输入 MN 确认',
      },
      { params: { id: row.id } },
    )
  const tellAll = async (rows: readonly GatewayRow[], cmd: 'device.syncTime' | 'hj212.setInterval', params: Record<string, unknown>) => {
    let done = 0
    for (const row of rows) {
      const answer = await command.run({ params: { id: row.id }, body: { cmd, params } })
      if (answer?.data.result === 0) done++
    }
    const failed = rows.length - done
    if (failed) notify.warning(`${done} 台已执行，${failed} 台没有应答或拒绝`)
    else notify.success(`${done} 台已执行`)
  }
  const columns: ColumnOf<typeof stationList>[] = [
    {
      key: 'mn',
      width: 200,
      locked: true,
      filter: 'text',
      value: (row) => <Link to={hrefOf('/gatewayEnv/details', { id: row.id })}>{row.station?.mn}</Link>,
    },
    { key: 'name', width: 110, sort: true, filter: 'text', value: (row) => row.name },
    {
      key: 'edition',
      width: 72,
      filter: 'multi',
      options: ['2005', '2017', '2025'].map((value) => ({ value, label: value })),
      value: (row) => row.station?.edition,
    },
    {
      key: 'crcMode',
      width: 168,
      filter: 'multi',
      options: Object.entries(crcModes).map(([value, label]) => ({ value, label })),
      value: (row) => row.station && crcModes[row.station.crcMode],
    },
    {
      key: 'unit',
      width: 104,
      filter: 'single',
      options: [
        { value: 'missing', label: '未确认' },
        { value: 'ok', label: '已确认' },
      ],
      value: (row) =>
        row.station && row.station.unitsMissing.length > 0 ? (
          <Tag tone="danger">未确认</Tag>
        ) : (
          [...new Set(Object.values(row.station?.units ?? {}).map((unit) => unitNames[unit] ?? unit))].join('、')
        ),
    },
    {
      key: 'modelName',
      width: 110,
      filter: 'text',
      value: (row) => row.station?.modelName ?? <span className="tone-warning">未匹配</span>,
    },
    ...(projectCode === '*'
      ? [
          {
            key: 'projectName',
            width: 150,
            sort: true,
            filter: 'text',
            value: (row: GatewayRow) => row.projectName,
          } satisfies ColumnOf<typeof stationList>,
        ]
      : []),
    {
      key: 'online',
      keeps: true,
      width: 76,
      sort: true,
      filter: 'single',
      options: [
        { value: 'true', label: '在线' },
        { value: 'false', label: '离线' },
      ],
      value: (row) => <Tag tone={row.online ? 'fine' : 'neutral'}>{row.online ? '在线' : '离线'}</Tag>,
    },
    { key: 'lastSeen', keeps: true, width: 150, sort: true, filter: 'datetime-range', value: (row) => row.lastSeen },
    { key: 'interval', width: 70, align: 'right', value: (row) => `${row.station?.intervalSeconds ?? '--'} 秒` },
    {
      key: 'badFrames24h',
      keeps: true,
      width: 72,
      align: 'right',
      filter: 'numeric-range',
      value: (row) => <span className={row.station?.badFrames24h ? 'tone-danger' : ''}>{thousands(row.station?.badFrames24h)}</span>,
    },
    {
      key: 'enable',
      keeps: true,
      width: 80,
      filter: 'single',
      options: enableOptions,
      value: (row) => <EnableTag enable={row.status} />,
    },
  ]
  const c = counts.data?.counts
  return (
    <ListShell
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            {
              label: '在线',
              value: c?.online,
              unit: '台',
              tone: 'fine',
              remark: c ? `共 ${c.online + c.offline} 台，离线 ${c.offline} 台` : undefined,
            },
            { label: '未匹配', value: c?.unmatched, unit: '台', tone: c?.unmatched ? 'warning' : undefined },
            { label: '单位未确认', value: c?.unitsMissing, unit: '台', tone: c?.unitsMissing ? 'danger' : undefined },
            { label: '错误帧', value: c?.badFrames, unit: '帧', remark: '24 小时' },
          ]}
        />
      }
      above={
        c !== undefined &&
        c.unitsMissing > 0 && <Notice tone="danger">单位未确认的监测站：数据照常保存，但不判断告警；平台不会按数值大小猜测单位</Notice>
      }
      actions={
        <Can call={createDevice}>
          <Button type="primary" onClick={() => go('/administration', { create: 'environment' })}>
            新增监测站
          </Button>
        </Can>
      }
    >
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        search={{ key: 'mn', placeholder: 'MN' }}
        onRow={(row) => go('/gatewayEnv/details', { id: row.id })}
        actions={(row) => [
          flip(row),
          { label: '报文', href: `/equipmentDetail/${row.id}?tab=frames`, needs: 'device-admin.frame' },
          { label: '复制', needs: copyGateway, onClick: () => copy.run({ params: { id: row.id } }) },
          { label: '删除', needs: 'device-admin.delete', danger: true, onClick: () => remove(row) },
        ]}
        selection={{
          unit: '台',
          actions: (rows) => (
            <Can call={sendCommand}>
              <Button loading={command.running} onClick={() => void tellAll(rows, 'device.syncTime', {})}>
                校时
              </Button>
              <Button onClick={() => setInterval({ rows, seconds: 60 })}>设置间隔</Button>
            </Can>
          ),
        }}
        emptyHint="HJ 212 监测站登记后，这里显示 MN、版本、单位和错误帧"
      />
      <PageModal
        open={interval !== undefined}
        title={`设置 ${interval?.rows.length ?? 0} 台的实时数据间隔`}
        okText="下发"
        okButtonProps={{ loading: command.running }}
        onCancel={() => setInterval(undefined)}
        onOk={() => {
          if (interval) void tellAll(interval.rows, 'hj212.setInterval', { seconds: interval.seconds }).then(() => setInterval(undefined))
        }}
      >
        <label htmlFor="station-interval">间隔（秒）</label>
        <InputNumber
          id="station-interval"
          className="zg-w-all"
          min={30}
          max={3600}
          value={interval?.seconds ?? 60}
          onChange={(seconds) => setInterval((now) => now && { ...now, seconds: seconds ?? 60 })}
        />
      </PageModal>
      <ShownOnce
        title="新监测站的密码只显示这一次"
        secret={made?.secret}
        what="密码"
        next="去填写 MN"
        onNext={() => made && go('/gatewayEnv/details/information', { id: made.id })}
        onClose={() => setMade(undefined)}
      />
    </ListShell>
  )
}
