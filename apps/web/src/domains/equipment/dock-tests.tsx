import { CheckCircleFilled, ClockCircleOutlined, CloseCircleFilled } from '@ant-design/icons'
import { dockState } from '@zhugong/contract/equipment/codes'
import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { type getFactory, updateFactory } from '@zhugong/contract/equipment/library-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useState } from 'react'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty } from '#kit/feedback.tsx'
import { Choice } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { DockTag } from './library-parts.tsx'
import './equipment.css'

const icons = {
  ok: <CheckCircleFilled className="tone-fine" aria-label="通过" />,
  bad: <CloseCircleFilled className="tone-danger" aria-label="未通过" />,
  waiting: <ClockCircleOutlined className="zg-2" aria-label="等待" />,
}

/** Interface tests of a manufacturer: started on a device, recorded automatically for 24 hours, judged by a person. */
export function DockTests({ maker }: { maker: OutputFor<typeof getFactory> }) {
  const [starting, setStarting] = useState(false)
  const [deviceId, setDeviceId] = useState<string>()
  const act = useAct(updateFactory, { success: '已更改', onDone: () => setStarting(false) })
  const devices = useCall(listDevices, { query: { factoryId: maker.id, size: 500 } }, { enabled: starting, quiet: true })
  const running = maker.dockTests[0]?.state === dockState.running
  const open = maker.dockTests[0]?.checks.filter((c) => c.state !== 'ok') ?? []
  const judge = async (action: 'pass' | 'lapse') => {
    const needsReason = action === 'lapse' || open.length > 0
    const reason = needsReason
      ? await askReason(action === 'lapse' ? `标记 ${maker.name} 对接失效` : `还有 ${open.length} 项未通过，仍标记通过`, '原因')
      : undefined
    if (needsReason && !reason) return
    void act.run({ params: { id: maker.id }, body: { dock: { action, reason: reason || undefined } } })
  }
  return (
    <Card
      title="对接测试"
      remark="选一台接入的设备，系统在 24 小时内逐项核对"
      actions={
        <Can call={updateFactory}>
          {!running && (
            <Button size="small" onClick={() => setStarting(true)}>
              发起测试
            </Button>
          )}
          {running && (
            <Button size="small" type="primary" loading={act.running} onClick={() => void judge('pass')}>
              标记通过
            </Button>
          )}
          {(running || maker.dockState === dockState.passed) && (
            <Button size="small" danger onClick={() => void judge('lapse')}>
              标记失效
            </Button>
          )}
        </Can>
      }
    >
      {maker.dockTests.length === 0 ? (
        <Empty small text="没有测试" hint="通过对接测试的厂商，设备接入时少出问题" />
      ) : (
        maker.dockTests.map((test) => (
          <section key={test.id} className="eq-test">
            <header>
              <DockTag state={test.state} /> <b>{test.protocol}</b> <span>{test.deviceName ?? '其他项目的设备'}</span>
              <span className="zg-2">
                {test.byName} 于 {test.startedAt} 发起{test.endedAt && `，${test.endedAt} 结束`}
                {test.reason && `：${test.reason}`}
              </span>
            </header>
            <ul>
              {test.checks.map((one) => (
                <li key={one.key}>
                  {icons[one.state]} {one.label}：<span className={one.state === 'bad' ? 'tone-danger' : 'zg-2'}>{one.text}</span>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
      <PageModal
        open={starting}
        title="发起对接测试"
        okText="发起"
        okButtonProps={{ disabled: !deviceId, loading: act.running }}
        onCancel={() => setStarting(false)}
        onOk={() => void act.run({ params: { id: maker.id }, body: { dock: { action: 'start', deviceId: deviceId || undefined } } })}
      >
        <label htmlFor="dock-device">测试设备</label>
        <Choice
          id="dock-device"
          value={deviceId ?? null}
          onChange={setDeviceId}
          loading={devices.isFetching}
          options={(devices.data?.list ?? []).map((one) => ({ value: one.id, label: `${one.name}（${one.projectName}）` }))}
        />
        <p className="zg-2 zg-above">系统核对报文格式、时间、单位与量程、断线补传、告警五项；断线补传与告警需要现场配合。</p>
      </PageModal>
    </Card>
  )
}
