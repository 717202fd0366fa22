import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled } from '@ant-design/icons'
import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { deviceCommands } from '@zhugong/contract/telemetry/commands'
import { getFamily } from '@zhugong/contract/telemetry/endpoints'
import type { NamedParameter } from '@zhugong/contract/telemetry/terminal-parameters'
import { listCommands, sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { Chart } from '#kit/chart.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { Card, Empty, Notice, Pairs, Tag } from '#kit/feedback.tsx'
import { age, minuteOfDay, time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePageParam } from '#kit/page.tsx'
import { Copyable } from './copyable.tsx'
import { OnlineTag, placeOf, protocols, qualityWords, StatusTag } from './device-words.tsx'
import { FamilyWire } from './family-wire.tsx'
import { fieldOf, rangeOf, valueWords } from './field-words.ts'
import { FrameLog } from './frame-log.tsx'
import { publishExample } from './gateway-words.ts'
import { ChooseFirst, useTab } from './library-parts.tsx'
import { DeviceWarnings, RegistrationCard } from './registration-card.tsx'
import { SectionNav } from './section-nav.tsx'
import './equipment.css'

type Device = OutputFor<typeof getDevice>

/** Why does this box not show data, and what did it really send? */
export default function ConnectionDetailPage() {
  const id = usePageParam('id')
  const go = useGo()
  const now = useNow(5_000)
  const [tab, setTab] = useTab('check')
  const {
    data: device,
    error,
    isPending,
    refetch,
  } = useCall(getDevice, { params: { id } }, { enabled: id !== '', quiet: true, everyMs: 10_000 })
  const [secret, setSecret] = useState<string>()
  const renew = useAct(updateDevice, { success: false, onDone: (done) => setSecret(done.password) })
  const sync = useAct(sendCommand, { success: (done) => (done.result === 0 ? '已校时' : done.message || '没有应答') })
  if (!id) return <ChooseFirst hint="从设备列表中选择一台" listPath="/equipmentList" listName="设备列表" />
  const reset = () =>
    renew.afterAsking(
      {
        thing: `更换 ${device?.name} 的密码`,
        consequence: '旧密码立即失效，写入新密码前报文会被拒绝。',
        verb: '更换密码',
        keep: '保留旧密码',
      },
      { params: { id }, body: { renewSecret: true } },
    )
  const failing = device?.selfCheck.find((step) => step.state === 'bad')
  return (
    <DetailShell
      title={device?.name}
      place={device && placeOf(device)}
      loading={isPending}
      error={error && !device ? error : undefined}
      retry={refetch}
      tags={
        device && (
          <>
            <OnlineTag row={device} />
            <StatusTag status={device.status} />
          </>
        )
      }
      facts={
        device
          ? [
              { label: '协议', value: protocols[device.protocol] ?? device.protocol },
              { label: '序列号', value: device.deviceSn },
              {
                label: '最后报文',
                value: device.lastTime === null ? '尚未收到' : <span title={time(device.lastTime)}>{age(device.lastTime, now)}</span>,
              },
              {
                label: '错误帧',
                value: device.health?.badFrames24h ?? 0,
                tone: device.health?.badFrames24h ? 'danger' : undefined,
              },
              {
                label: '时钟偏差',
                value: device.health?.clockSkewSeconds == null ? '--' : `${device.health.clockSkewSeconds} 秒`,
                tone: Math.abs(device.health?.clockSkewSeconds ?? 0) > 60 ? 'danger' : undefined,
              },
            ]
          : []
      }
      actions={
        <>
          <Can call={sendCommand}>
            <Button loading={sync.running} onClick={() => void sync.run({ params: { id }, body: { cmd: 'device.syncTime' } })}>
              时间校准
            </Button>
          </Can>
          {device?.protocol === 'hj212' && (
            <Can call={withCode(updateDevice, 'device-admin.secret')}>
              <Button onClick={() => void reset()}>更换密码</Button>
            </Can>
          )}
          <Button type="primary" onClick={() => go('/administrationDetails', { id })}>
            去档案
          </Button>
        </>
      }
    >
      {device && (
        <div className="eq-body">
          <SectionNav
            current={tab}
            onSelect={setTab}
            items={[
              { key: 'check', title: '自检' },
              { key: 'access', title: '接入' },
              { key: 'frames', title: '报文日志' },
              { key: 'latest', title: '最新值', count: Object.keys(device.latest?.values ?? {}).length },
              { key: 'commands', title: '下行命令' },
              { key: 'stats', title: '统计' },
              { key: 'trial', title: '解析试验' },
            ]}
          />
          <div className="eq-main">
            {failing && tab !== 'check' && (
              <Notice tone="danger">
                “{failing.label}”未通过：{failing.text}
              </Notice>
            )}
            {tab === 'check' && <SelfCheck device={device} />}
            {(tab === 'check' || tab === 'access') && <DeviceWarnings warnings={device.warnings} />}
            {tab === 'access' && <Access device={device} />}
            {tab === 'access' && <FamilyWire family={device.family} protocol={device.protocol} />}
            {tab === 'access' && <RegistrationCard device={device} onDone={() => void refetch()} />}
            {tab === 'frames' && (
              <Can code="device-admin.frame" fallback={<Empty text="无权查看报文" hint="需要 device-admin.frame" />}>
                <FrameLog deviceId={id} />
              </Can>
            )}
            {tab === 'latest' && <Values device={device} now={now} />}
            {tab === 'commands' && <Commands id={id} />}
            {tab === 'stats' && <Statistics device={device} />}
            {tab === 'trial' && <Trial id={id} />}
          </div>
        </div>
      )}
      <PageModal
        open={secret !== undefined}
        title="新密码只显示这一次"
        okText="已保存"
        onOk={() => setSecret(undefined)}
        onCancel={() => setSecret(undefined)}
      >
        {secret && <Copyable text={secret} label="复制密码" />}
      </PageModal>
    </DetailShell>
  )
}

const icons = {
  ok: <CheckCircleFilled className="tone-fine" aria-label="通过" />,
  bad: <CloseCircleFilled className="tone-danger" aria-label="未通过" />,
  waiting: <ClockCircleOutlined className="zg-2" aria-label="等待" />,
}

function SelfCheck({ device }: { device: Device }) {
  return (
    <Card title="自检" remark="从连接到页面，逐步核对；先处理第一个红色">
      <ol className="eq-steps" style={{ listStyle: 'none' }}>
        {device.selfCheck.map((step) => (
          <li key={step.key} style={{ display: 'flex', gap: 12, alignItems: 'center' }}>
            {icons[step.state]}
            <b style={{ width: 96 }}>{step.label}</b>
            <span className={step.state === 'bad' ? 'tone-danger' : 'zg-2'}>{step.text}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const accessNames: Readonly<Record<string, string>> = {
  mn: 'MN',
  phone: '终端手机号',
  terminalId: '终端 ID',
  appId: '应用编号',
  crcMode: '校验方式',
  address: '从站地址',
}

function Access({ device }: { device: Device }) {
  const family = useCall(getFamily, { params: { key: device.family } }, { quiet: true, staleMs: 3_600_000 })
  const change = useAct(updateDevice, { success: '已保存' })
  const [seconds, setSeconds] = useState<number>(device.intervalSeconds)
  const access = device.access as Record<string, unknown>
  return (
    <>
      <Card title="接入" remark={protocols[device.protocol] ?? device.protocol}>
        <Pairs
          items={[
            { label: '平台地址', value: location.hostname },
            {
              label: '端口',
              value: { ...device.ports, http: location.port || '443' }[device.protocol] ?? '由平台轮询',
            },
            ...(device.gatewayId
              ? [{ label: '主题', value: `site/v1/up/${device.gatewayId}/${device.deviceSn}/telemetry`, wide: true }]
              : []),
            ...Object.entries(accessNames).flatMap(([key, label]) =>
              access[key] === undefined ? [] : [{ label, value: String(access[key]) }],
            ),
            { label: '密钥', value: '••••••（不显示）' },
            {
              label: '上报单位',
              value: access.units
                ? Object.entries(access.units as Record<string, string>)
                    .map(([k, v]) => `${k} ${v}`)
                    .join('，')
                : '',
            },
            { label: '判离线', value: `${device.offlineSeconds} 秒没有数据` },
          ]}
        />
      </Card>
      <Can call={updateDevice}>
        <Card title="上报间隔">
          <InputNumber
            aria-label="上报间隔"
            min={0.1}
            max={86_400}
            suffix="秒"
            value={seconds}
            onChange={(n) => setSeconds(n ?? device.intervalSeconds)}
          />{' '}
          <Button
            loading={change.running}
            disabled={seconds === device.intervalSeconds}
            onClick={() => void change.run({ params: { id: device.id }, body: { intervalSeconds: seconds, version: device.version } })}
          >
            保存
          </Button>
        </Card>
      </Can>
      {device.protocol === 'mqtt' && device.gatewayId && (
        <Card title="发一条试试" remark="把“网关密钥”换成保存的密钥">
          <Copyable
            text={publishExample(
              { id: device.gatewayId, connectionType: 'mqtt' },
              '网关密钥',
              location.hostname,
              device.deviceSn,
              device.ports.mqtt,
              family.data?.samples.find((one) => one.protocol === 'mqtt')?.text,
            )}
          />
        </Card>
      )}
    </>
  )
}

function Values({ device, now }: { device: Device; now: number }) {
  const family = useCall(getFamily, { params: { key: device.family } }, { quiet: true, staleMs: 3_600_000 })
  const latest = device.latest
  if (!latest) return <Empty text="还没有数据" hint="收到第一条数据后显示每个指标" />
  return (
    <Card title="最新值" remark={`${time(latest.time)}，${age(latest.time, now)}`} flush>
      <table className="eq-table">
        <thead>
          <tr>
            <th>指标</th>
            <th>标识</th>
            <th>值</th>
            <th>单位</th>
            <th>量程</th>
            <th>质量</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(latest.values).map(([key, value]) => {
            const metric = fieldOf(family.data, key)
            const quality = latest.quality?.[key]
            return (
              <tr key={key}>
                <td>{metric?.label ?? '未知指标'}</td>
                <td>
                  <code>{key}</code>
                </td>
                <td>{valueWords(value, metric)[0]}</td>
                <td>{metric?.unit || '--'}</td>
                <td>{metric ? rangeOf(metric) : '--'}</td>
                <td>{quality ? <Tag tone="warning">{qualityWords[quality] ?? quality}</Tag> : '正常'}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Card>
  )
}

const offered: readonly (keyof typeof deviceCommands)[] = [
  'device.syncTime',
  'device.reboot',
  'device.setInterval',
  'device.getParams',
  'device.setParams',
  'device.getAttributes',
  'camera.snapshot',
  'gate.open',
]

/** What a terminal said of its parameters, in words. */
const namedIn = (data: Record<string, unknown> | null): NamedParameter[] =>
  Array.isArray(data?.named) ? (data.named as NamedParameter[]) : []

function Commands({ id }: { id: string }) {
  const sent = useCall(listCommands, { params: { id }, query: { size: 50 } }, { quiet: true, everyMs: 5_000 })
  const act = useAct(sendCommand, {
    success: (done) => (done.result === 0 ? '设备已执行' : done.result === -3 ? '已下发，等待应答' : done.message || '没有完成'),
  })
  const [cmd, setCmd] = useState<keyof typeof deviceCommands>('device.syncTime')
  const [params, setParams] = useState('{}')
  const read = () => {
    try {
      return JSON.parse(params) as Record<string, unknown>
    } catch {
      return undefined
    }
  }
  const given = read()
  const send = async () => {
    if (!given) return
    const yes = await confirmDanger({
      thing: `下发 ${deviceCommands[cmd]}`,
      consequence: '指令会立即在现场设备上执行，并记入操作日志。',
      verb: '下发',
      keep: '不下发',
    })
    if (yes) void act.run({ params: { id }, body: { cmd, params: given } })
  }
  return (
    <Card title="下行命令">
      <Can call={sendCommand}>
        <div style={{ display: 'flex', gap: 8, marginBottom: 12 }}>
          <Select
            aria-label="指令"
            style={{ width: 180 }}
            value={cmd}
            options={offered.map((value) => ({ value, label: deviceCommands[value] }))}
            onChange={setCmd}
          />
          <Input
            aria-label="参数"
            style={{ flex: 1 }}
            status={given ? '' : 'error'}
            maxLength={2000}
            placeholder="参数（JSON）"
            value={params}
            onChange={(event) => setParams(event.target.value)}
          />
          <Button type="primary" disabled={!given} loading={act.running} onClick={() => void send()}>
            下发
          </Button>
        </div>
      </Can>
      {(sent.data?.list ?? []).map((row) => (
        <div key={row.id} className="eq-row">
          <Tag tone={row.result === 0 ? 'fine' : row.result === -3 ? 'running' : 'danger'}>
            {row.result === 0 ? '完成' : row.result === -3 ? '等待' : '未完成'}
          </Tag>
          <b>{row.cmdText}</b>
          <span className="zg-2">
            {row.message}
            {namedIn(row.data).map((one) => (
              <div key={one.id}>
                {one.name}：{String(one.value)} {one.unit}
              </div>
            ))}
          </span>
          <span className="right zg-2">
            {row.byName} {time(row.sentAt)}
            {row.answeredAt && `，${row.answeredAt - row.sentAt} ms`}
          </span>
        </div>
      ))}
      {sent.data?.list.length === 0 && <Empty small text="没有下发过指令" hint="下发的指令与应答记在这里" />}
    </Card>
  )
}

function Statistics({ device }: { device: Device }) {
  if (device.hourly.length === 0) return <Empty text="24 小时内没有数据" hint="有数据后按小时统计条数、补传与存疑" />
  return (
    <Card title="最近 24 小时" remark="按小时">
      <Chart
        label={`${device.name} 最近 24 小时每小时的条数、补传与存疑`}
        height={260}
        option={{
          tooltip: { trigger: 'axis' },
          legend: { top: 0 },
          grid: { left: 52, right: 16, top: 32, bottom: 24 },
          xAxis: { type: 'category', data: device.hourly.map((one) => minuteOfDay(one.hour)) },
          yAxis: { type: 'value' },
          series: [
            { name: '条数', type: 'bar', data: device.hourly.map((one) => one.readings) },
            { name: '补传', type: 'bar', data: device.hourly.map((one) => one.late) },
            { name: '存疑', type: 'bar', data: device.hourly.map((one) => one.doubtful) },
          ],
        }}
      />
    </Card>
  )
}

function Trial({ id }: { id: string }) {
  const [frame, setFrame] = useState('')
  const act = useAct(verifyDevice, { success: false })
  const [trial, setTrial] = useState<{
    ok: boolean
    error: string | null
    hint: string | null
    fields: Record<string, unknown>
    values: Record<string, unknown> | null
    quality: Record<string, string> | null
  }>()
  const run = async () => {
    const done = await act.run({ body: { id, frame } })
    if (done) setTrial(done.data.decoded as typeof trial)
  }
  return (
    <Card title="解析试验" remark="按这台设备的协议、单位与校验解析，不存储">
      <Input.TextArea
        aria-label="报文"
        rows={6}
        maxLength={8192}
        placeholder="粘贴一帧：十六进制或文本"
        value={frame}
        onChange={(event) => setFrame(event.target.value)}
      />
      <Button type="primary" style={{ margin: '8px 0' }} disabled={frame.trim() === ''} loading={act.running} onClick={() => void run()}>
        解析
      </Button>
      {trial &&
        (trial.ok ? (
          <Notice tone={trial.hint ? 'warning' : 'fine'}>解析成功{trial.hint && `：${trial.hint}`}</Notice>
        ) : (
          <Notice tone="danger">
            {trial.error ?? '无法解析'}
            {trial.hint && `：${trial.hint}`}
          </Notice>
        ))}
      {trial && (
        <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 12 }}>
          <div>
            <b>报文内容</b>
            <pre className="eq-pre">{JSON.stringify(trial.fields, null, 2)}</pre>
          </div>
          <div>
            <b>将存储的值</b>
            <pre className="eq-pre">
              {trial.values ? JSON.stringify({ ...trial.values, ...(trial.quality ? { 质量: trial.quality } : {}) }, null, 2) : '不存储'}
            </pre>
          </div>
        </div>
      )}
    </Card>
  )
}
