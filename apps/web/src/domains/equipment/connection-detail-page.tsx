import { getDevice, updateDevice } from '@zhugong/contract/equipment/endpoints'
import { protocolOf } from '@zhugong/contract/protocols/catalogue'
import { sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Can, withCode } from '#kit/can.tsx'
import { DetailShell } from '#kit/detail-shell.tsx'
import { Empty, Notice } from '#kit/feedback.tsx'
import { age, time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import { PageModal } from '#kit/overlay.tsx'
import { useGo, usePageParam } from '#kit/page.tsx'
import { Copyable } from './copyable.tsx'
import { clockWords, OnlineTag, placeOf, protocols, StatusTag } from './device-words.tsx'
import { FamilyWire } from './family-wire.tsx'
import { FrameLog } from './frame-log.tsx'
import { ChooseFirst, useTab } from './library-parts.tsx'
import { DeviceWarnings, RegistrationCard } from './registration-card.tsx'
import { SectionNav } from './section-nav.tsx'
import './equipment.css'
import { Access } from './connection-access.tsx'
import { Commands } from './connection-commands.tsx'
import { Statistics, Trial } from './connection-trial.tsx'
import { Values } from './connection-values.tsx'
import { SelfCheck } from './self-check.tsx'

/** Connection of a device: checks, settings, frames and commands. */
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
    renew.afterRequesting(
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
                value: clockWords(device.health?.clockSkewSeconds) ?? '--',
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
          {protocolOf(device?.protocol)?.passwordLength !== undefined && (
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
