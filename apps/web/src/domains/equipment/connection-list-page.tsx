import { ignoreUnregistered, type listUnregistered, strangerList } from '@zhugong/contract/equipment/device-tools'
import { createDevice, type DeviceRow, deviceList, listDevices, updateDevice } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, InputNumber, Segmented } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DataTable } from '#kit/data-table.tsx'
import { FigureStrip, Tag } from '#kit/feedback.tsx'
import { thousands, time } from '#kit/format.ts'
import { useListPage } from '#kit/list.ts'
import { ListShell } from '#kit/list-shell.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePage, usePageQuery } from '#kit/page.tsx'
import type { ColumnOf } from '#kit/table-columns.tsx'
import { clockWords, OnlineTag, placeOf, protocolOptions, protocols } from './device-words.tsx'
import { familyTree } from './model-list-page.tsx'
import './equipment.css'

const DeviceForm = lazy(() => import('./device-form.tsx').then((file) => ({ default: file.DeviceForm })))

type Stranger = OutputFor<typeof listUnregistered>['list'][number]
/** Clock deviation in seconds above which readings are stored in the wrong minute. */
const clockLimit = 60

/** State of all connections, and unknown devices trying to connect. Transport facts only, no readings. */
export default function ConnectionListPage() {
  const query = usePageQuery()
  const page = usePage()
  const go = useGo()
  const tab = query.get('tab') === 'strangers' ? 'strangers' : 'state'
  const projectCode = useProjectCode()
  const counts = useCall(listDevices, { query: { projectCode, size: 1, with: 'health' } }, { quiet: true, everyMs: 10_000 })
  const c = counts.data?.counts
  const [form, setForm] = useState<{ adopts?: Stranger }>()
  return (
    <ListShell
      titleActions={
        <Segmented<'state' | 'strangers'>
          value={tab}
          onChange={(next) => go(page.path, next === 'strangers' ? { tab: next } : {}, { replace: true })}
          options={[
            { value: 'state', label: '接入状态' },
            { value: 'strangers', label: `未登记设备 ${c?.unregistered ?? ''}` },
          ]}
        />
      }
      strip={
        <FigureStrip
          loading={!counts.data}
          items={[
            { label: '在线', value: c?.online, unit: '台', tone: 'fine', remark: c && `共 ${c.online + c.offline} 台` },
            { label: '离线', value: c?.offline, unit: '台', tone: c?.offline ? 'warning' : undefined },
            { label: '错误帧', value: c?.badFrames, unit: '台', remark: '24 小时', tone: c?.badFrames ? 'danger' : undefined },
            { label: '未登记', value: c?.unregistered, unit: '个', tone: c?.unregistered ? 'warning' : undefined },
          ]}
        />
      }
      actions={
        <Can call={createDevice}>
          <Button type="primary" onClick={() => setForm({})}>
            新增设备
          </Button>
        </Can>
      }
    >
      {tab === 'state' ? <States projectCode={projectCode} /> : <Strangers onAdopt={(adopts) => setForm({ adopts })} />}
      {form && (
        <Suspense>
          <DeviceForm id={undefined} adopts={form.adopts} onClose={() => setForm(undefined)} />
        </Suspense>
      )}
    </ListShell>
  )
}

function States({ projectCode }: { projectCode: string }) {
  const go = useGo()
  const list = useListPage(deviceList, {
    scope: useMemo(() => ({ projectCode, with: 'health' }), [projectCode]),
    everyMs: 10_000,
    own: ['tab'],
  })
  const kinds = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const [interval, setInterval] = useState<{ rows: readonly DeviceRow[]; seconds: number }>()
  const command = useAct(sendCommand, { success: false })
  const change = useAct(updateDevice, { success: false })
  const columns: ColumnOf<typeof deviceList>[] = [
    {
      key: 'deviceSn',
      width: 130,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => <Link to={`/equipmentDetail/${row.id}`}>{row.deviceSn}</Link>,
    },
    { key: 'name', width: 100, sort: true, filter: 'text', value: (row) => row.name },
    {
      key: 'family',
      width: 100,
      filter: 'tree-cascader',
      tree: familyTree(kinds.data?.list ?? []),
      value: (row) => row.familyName,
    },
    {
      key: 'protocol',
      width: 96,
      filter: 'multi',
      options: protocolOptions,
      value: (row) => protocols[row.protocol] ?? row.protocol,
    },
    { key: 'gatewayName', width: 120, sort: true, filter: 'text', value: (row) => row.gatewayName },
    { key: 'projectName', width: 120, sort: true, filter: 'text', value: (row) => row.projectName },
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
    { key: 'lastTime', width: 146, sort: true, filter: 'datetime-range', value: (row) => time(row.lastTime) },
    {
      key: 'delay',
      width: 76,
      align: 'right',
      value: (row) => (row.health?.delaySeconds == null ? undefined : `${row.health.delaySeconds} 秒`),
    },
    {
      key: 'rate',
      width: 84,
      align: 'right',
      value: (row) =>
        row.health && (
          <span className={row.online && row.health.ratePerMin < row.health.expectedPerMin * 0.8 ? 'tone-warning' : ''}>
            {row.health.ratePerMin} / {row.health.expectedPerMin}
          </span>
        ),
    },
    {
      key: 'badFrames24h',
      width: 76,
      align: 'right',
      sort: true,
      filter: 'numeric-range',
      value: (row) => <span className={row.health?.badFrames24h ? 'tone-danger' : ''}>{thousands(row.health?.badFrames24h)}</span>,
    },
    {
      key: 'clockSkew',
      width: 96,
      align: 'right',
      value: (row) =>
        row.health?.clockSkewSeconds == null ? undefined : (
          <span className={Math.abs(row.health.clockSkewSeconds) > clockLimit ? 'tone-danger' : ''}>
            {clockWords(row.health.clockSkewSeconds)}
          </span>
        ),
    },
    { key: 'quality', width: 110, value: (row) => row.health?.doubtful.join('、') },
  ]
  const tellAll = async (rows: readonly DeviceRow[], cmd: 'device.reboot') => {
    const yes = await confirmDanger({
      thing: `重启 ${rows.length} 台设备`,
      consequence: '重启期间没有数据，通常不超过 2 分钟。',
      verb: `重启 ${rows.length} 台`,
      keep: '不重启',
    })
    if (!yes) return
    let done = 0
    for (const row of rows) if ((await command.run({ params: { id: row.id }, body: { cmd } }))?.data.result === 0) done++
    notify.success(`${done} 台已执行，${rows.length - done} 台没有应答或不支持`)
  }
  const setAll = async (rows: readonly DeviceRow[], seconds: number) => {
    let done = 0
    for (const row of rows) if (await change.run({ params: { id: row.id }, body: { intervalSeconds: seconds } })) done++
    notify.success(`${done} 台的上报间隔已改为 ${seconds} 秒`)
    setInterval(undefined)
  }
  return (
    <>
      <DataTable
        list={list}
        columns={columns}
        unit="台"
        name="connection-states"
        search={{ key: 'deviceSn', placeholder: '序列号' }}
        onRow={(row) => go(`/equipmentDetail/${row.id}`)}
        selection={{
          unit: '台',
          actions: (rows) => (
            <>
              <Can call={updateDevice} at={rows.map(placeOf)}>
                <Button onClick={() => setInterval({ rows, seconds: 60 })}>设置间隔</Button>
              </Can>
              <Can call={sendCommand}>
                <Button danger loading={command.running} onClick={() => void tellAll(rows, 'device.reboot')}>
                  重启
                </Button>
              </Can>
            </>
          ),
        }}
        emptyHint="设备登记后，这里显示连接、延迟、错误帧与时钟"
      />
      <PageModal
        open={interval !== undefined}
        title={`设置 ${interval?.rows.length ?? 0} 台的上报间隔`}
        okText="设置"
        okButtonProps={{ loading: change.running }}
        onCancel={() => setInterval(undefined)}
        onOk={() => interval && void setAll(interval.rows, interval.seconds)}
      >
        <label htmlFor="connection-interval">间隔（秒），平台据此判断离线</label>
        <InputNumber
          id="connection-interval"
          className="zg-w-all"
          min={0.1}
          max={86_400}
          value={interval?.seconds ?? 60}
          onChange={(seconds) => setInterval((now) => now && { ...now, seconds: seconds ?? 60 })}
        />
      </PageModal>
    </>
  )
}

function Strangers({ onAdopt }: { onAdopt: (row: Stranger) => void }) {
  const list = useListPage(strangerList, { everyMs: 10_000, own: ['tab'], defaultSort: '-lastTime' })
  const ignore = useAct(ignoreUnregistered, { success: '已更改' })
  const kinds = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const columns: ColumnOf<typeof strangerList>[] = [
    {
      key: 'identifier',
      width: 200,
      locked: true,
      sort: true,
      filter: 'text',
      value: (row) => <code>{row.identifier}</code>,
    },
    {
      key: 'protocol',
      width: 100,
      filter: 'multi',
      options: protocolOptions,
      value: (row) => protocols[row.protocol] ?? row.protocol,
    },
    { key: 'address', width: 130, value: (row) => row.address },
    { key: 'gatewayName', width: 120, value: (row) => row.gatewayName },
    {
      key: 'reason',
      width: 110,
      filter: 'multi',
      options: [
        { value: 'unregistered', label: '未登记' },
        { value: 'wrongPassword', label: '密码错误' },
        { value: 'unknownGateway', label: '网关不存在' },
        { value: 'notBound', label: '未绑定网关' },
        { value: 'notInService', label: '未投入使用' },
        { value: 'encryptedNoKey', label: '加密无密钥' },
        { value: 'taken', label: '登记冲突' },
      ],
      value: (row) => <Tag tone="warning">{row.reasonText}</Tag>,
    },
    { key: 'count', width: 80, align: 'right', sort: true, value: (row) => thousands(row.count) },
    { key: 'firstTime', width: 150, sort: true, value: (row) => row.firstTime },
    { key: 'lastTime', width: 150, sort: true, value: (row) => row.lastTime },
    { key: 'guess', width: 110, value: (row) => kinds.data?.list.find((one) => one.key === row.guess)?.name ?? row.guess },
  ]
  return (
    <DataTable
      list={list}
      columns={columns}
      unit="个"
      name="connection-strangers"
      rowKey="id"
      search={{ key: 'identifier', placeholder: '标识' }}
      toolbar={
        <Button onClick={() => list.setFilter('ignored', list.filters.ignored ? undefined : 'true')}>
          {list.filters.ignored ? '看未忽略' : '看已忽略'}
        </Button>
      }
      expand={(row) => <pre className="eq-pre">{row.sample ?? '没有样例'}</pre>}
      actions={(row) => [
        (row.reason === 'unregistered' || row.reason === 'notBound') && {
          label: '认领',
          needs: createDevice,
          onClick: () => onAdopt(row),
        },
        {
          label: row.ignored ? '恢复' : '忽略',
          needs: ignoreUnregistered,
          onClick: () => ignore.run({ params: { identifier: row.identifier }, body: { ignored: !row.ignored } }),
        },
      ]}
      emptyHint="没有登记就来敲门的设备会列在这里，可以直接认领"
    />
  )
}
