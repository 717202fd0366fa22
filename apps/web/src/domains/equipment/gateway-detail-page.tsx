import { listUnregistered } from '@zhugong/contract/equipment/device-tools'
import { getGateway, switchGateway, updateGateway } from '@zhugong/contract/equipment/gateway-endpoints'
import { isOn, turned } from '@zhugong/contract/kit/enable'
import { listFamilies } from '@zhugong/contract/telemetry/endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { SwitchButton } from '#kit/enable.tsx'
import { Card, Empty, Pairs, Tag } from '#kit/feedback.tsx'
import { age, thousands, time } from '#kit/format.ts'
import { PageShell } from '#kit/list-shell.tsx'
import { useNow } from '#kit/live.ts'
import { useGo, usePageQuery } from '#kit/page.tsx'
import { ConnectGuide } from './connect-guide.tsx'
import { protocols } from './device-words.tsx'
import './equipment.css'
import { AnyFamilyWire } from './family-wire.tsx'
import { FrameLog } from './frame-log.tsx'
import { connectionName } from './gateway-words.ts'
import { ChangeList } from './library-parts.tsx'
import { SecretPanel } from './secret-panel.tsx'
import { SectionNav } from './section-nav.tsx'

/** Rates below one per minute are shown per hour. */
const messageRate = (perMinute: number) =>
  perMinute >= 1 || perMinute === 0 ? `每分钟 ${thousands(perMinute)} 条` : `每小时 ${Math.round(perMinute * 60)} 条`

/** Traffic of one gateway, and how to bring it online. */
export default function GatewayDetailPage() {
  const id = usePageQuery().get('id') ?? ''
  const go = useGo()
  const now = useNow(10_000)
  const [section, setSection] = useState('state')
  const [renewed, setRenewed] = useState<string>()
  const {
    data: gateway,
    error,
    isPending,
    refetch,
  } = useCall(getGateway, { params: { id } }, { enabled: id !== '', quiet: true, everyMs: 15_000 })
  const refused = useCall(listUnregistered, { query: { gatewayId: id, size: 50 } }, { enabled: id !== '', quiet: true })
  const families = useCall(listFamilies, {}, { staleMs: 3_600_000, quiet: true })
  const turn = useAct(switchGateway, { success: '已更改' })
  const change = useAct(updateGateway, {
    success: '密钥已更换',
    onDone: (done) => setRenewed(done.secret),
  })
  if (!id) {
    return (
      <PageShell>
        <div className="zg-card">
          <Empty text="请先选择" hint="从网关管理中选择一台网关">
            <Button type="primary" onClick={() => go('/gateway')}>
              去网关管理
            </Button>
          </Empty>
        </div>
      </PageShell>
    )
  }
  if (renewed) return <SecretPanel id={id} secret={renewed} title="密钥已更换" />
  const renew = async () => {
    if (!gateway) return
    const yes = await confirmDanger({
      thing: `更换 ${gateway.name} 的密钥`,
      consequence: `旧密钥立即失效，网关断开，下挂 ${gateway.devices} 台设备在写入新密钥前离线。`,
      verb: `更换密钥，${gateway.devices} 台离线`,
      keep: '保留旧密钥',
    })
    if (yes) void change.run({ params: { id }, body: { renewSecret: true, version: gateway.version } })
  }
  const switched = gateway && {
    enable: gateway.status,
    needs: switchGateway,
    question: {
      thing: `停用网关 ${gateway.name}`,
      consequence: `立即断开并拒绝再连接，下挂 ${gateway.devices} 台设备随之离线。`,
      verb: `停用，${gateway.devices} 台离线`,
      keep: '继续使用',
    },
    run: () => turn.run({ body: { id, status: turned(gateway.status) } }),
  }
  return (
    <DetailShell
      title={gateway?.name}
      place={gateway && { projectCode: gateway.projectCode }}
      loading={isPending}
      error={error && !gateway ? error : undefined}
      retry={refetch}
      tags={
        gateway && (
          <>
            <Tag tone={gateway.online ? 'fine' : 'warning'}>{gateway.online ? '在线' : '离线'}</Tag>
            {!isOn(gateway.status) && <Tag tone="neutral">已停用</Tag>}
          </>
        )
      }
      facts={
        gateway
          ? [
              { label: '项目', value: gateway.projectName },
              { label: '接入方式', value: connectionName(gateway.connectionType) },
              { label: '下挂设备', value: `在线 ${gateway.devicesOnline} / ${gateway.devices}` },
              { label: '最近活动', value: gateway.lastSeen ? age(gateway.lastSeen, now) : '从未连接' },
              {
                label: '24 小时拒绝',
                value: thousands(gateway.refused24h),
                tone: gateway.refused24h > 0 ? 'warning' : undefined,
              },
            ]
          : []
      }
      actions={
        <Can call={switchGateway}>
          {switched && <SwitchButton {...switched} />}
          <Can code="device-admin.secret">
            <Button onClick={() => void renew()}>更换密钥</Button>
          </Can>
          <Button type="primary" onClick={() => go('/gateway/edit', { id })}>
            编辑
          </Button>
        </Can>
      }
    >
      {gateway && (
        <div className="eq-body">
          <SectionNav
            current={section}
            onSelect={setSection}
            items={[
              { key: 'state', title: '概况' },
              { key: 'connect', title: '怎么接入' },
              { key: 'devices', title: '下挂设备', count: gateway.deviceList.length },
              { key: 'refused', title: '拒绝与错误', count: refused.data?.total },
              { key: 'frames', title: '报文日志' },
              { key: 'changes', title: '变更记录', count: gateway.changes.length },
            ]}
          />
          <div className="eq-main">
            {section === 'frames' && (
              <Can code="device-admin.frame" fallback={<Empty text="无权查看报文" hint="需要 device-admin.frame" />}>
                <FrameLog gatewayId={id} />
              </Can>
            )}
            {section === 'changes' && (
              <Card title="变更记录">
                <ChangeList changes={gateway.changes} />
              </Card>
            )}
            {section === 'state' && <Uptime hours={gateway.hours} now={now} />}
            {section === 'state' && (
              <Card title="概况">
                <Pairs
                  items={[
                    { label: '网关编号', value: gateway.code },
                    { label: '网关标识', value: <code>{gateway.id}</code> },
                    { label: '客户端编号', value: <code>{gateway.clientId}</code> },
                    { label: '来源地址', value: gateway.ip },
                    { label: '消息', value: gateway.msgPerMin === null ? '' : messageRate(gateway.msgPerMin) },
                    ...(gateway.poll
                      ? [
                          { label: '轮询地址', value: `${gateway.poll.host}:${gateway.poll.port}` },
                          { label: '轮询间隔', value: `${gateway.poll.intervalSeconds} 秒` },
                          { label: '最近应答', value: gateway.poll.lastOk },
                          { label: '最近错误', value: gateway.poll.lastError },
                        ]
                      : []),
                    { label: '最近活动', value: gateway.lastSeen },
                    { label: '新增时间', value: gateway.createTime },
                    { label: '备注', value: gateway.remark, wide: true },
                  ]}
                />
              </Card>
            )}
            {section === 'connect' && (
              <Card title="怎么接入" remark="密钥只在新增和更换时显示一次">
                <ConnectGuide gateway={gateway} />
              </Card>
            )}
            {section === 'connect' && <AnyFamilyWire first={gateway.deviceList[0]?.family} protocol="mqtt" />}
            {section === 'devices' && (
              <Card title="下挂设备" remark={`${gateway.deviceList.length} 台`} flush>
                {gateway.deviceList.length === 0 ? (
                  <Empty small hint="登记设备时选择这台网关，设备会出现在这里">
                    <Button onClick={() => go('/administration', { create: 'device', gatewayId: id })}>去登记设备</Button>
                  </Empty>
                ) : (
                  gateway.deviceList.map((one) => (
                    <button
                      key={one.id}
                      type="button"
                      className="zg-bare eq-row"
                      onClick={() => go('/administrationDetails', { id: one.id })}
                    >
                      <b>{one.name}</b>
                      <span className="zg-2">{families.data?.list.find((f) => f.key === one.family)?.name ?? one.family}</span>
                      <code className="zg-2">{one.deviceSn}</code>
                      <span className="right">
                        <Tag tone={one.online ? 'fine' : 'neutral'}>{one.online ? '在线' : '离线'}</Tag>
                      </span>
                    </button>
                  ))
                )}
              </Card>
            )}
            {section === 'refused' && (
              <Card title="拒绝与错误" remark="没有登记的设备、没有通过的连接和没有接收的消息，每种原因一行" flush>
                {refused.data && refused.data.list.length > 0 ? (
                  refused.data.list.map((one) => (
                    <div key={one.id} className="eq-row">
                      <b>{one.identifier}</b>
                      <Tag tone="warning">{one.reasonText}</Tag>
                      <span className="zg-2">
                        {protocols[one.protocol] ?? one.protocol} {one.address}
                      </span>
                      <span className="right zg-2">
                        {thousands(one.count)} 次，最近 {one.lastTime}
                      </span>
                    </div>
                  ))
                ) : (
                  <Empty small text="没有拒绝" hint="经这台网关来的消息都已接收" />
                )}
              </Card>
            )}
          </div>
        </div>
      )}
    </DetailShell>
  )
}

const binMs = 3 * 3_600_000
const bins = 56

/** Seven days in intervals of three hours: green where devices behind the gateway sent data, a gap where none did. */
function Uptime({ hours, now }: { hours: readonly { hour: number; readings: number; devices: number }[]; now: number }) {
  const last = Math.floor(now / binMs) * binMs
  const spans = Array.from({ length: bins }, (_, i) => {
    const from = last - (bins - 1 - i) * binMs
    const inside = hours.filter((one) => one.hour >= from && one.hour < from + binMs)
    return { from, readings: inside.reduce((sum, one) => sum + one.readings, 0), devices: Math.max(0, ...inside.map((one) => one.devices)) }
  })
  const silent = spans.filter((one) => one.readings === 0).length
  return (
    <Card
      title="近 7 天"
      remark={hours.length === 0 ? '没有数据' : silent === 0 ? '每 3 小时一格，没有中断' : `每 3 小时一格，${silent} 格没有数据`}
    >
      <div className="eq-band" role="img" aria-label={`近 7 天中约 ${silent * 3} 小时没有数据`}>
        {spans.map((one) => (
          <i
            key={one.from}
            className={one.readings ? '' : 'off'}
            title={`${time(one.from)} 起 3 小时：${one.readings ? `${one.devices} 台，${thousands(one.readings)} 条` : '没有数据'}`}
          />
        ))}
      </div>
    </Card>
  )
}
