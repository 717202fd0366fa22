import { closeRegistration, type getDevice, openRegistration, registrationHours } from '@zhugong/contract/equipment/endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button, Checkbox, InputNumber } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Notice, Pairs } from '#kit/feedback.tsx'

type Device = OutputFor<typeof getDevice>

/** Whether a terminal may register now, which one is bound, and refused attempts. */
export function RegistrationCard({ device, onDone }: { device: Device; onDone: () => void }) {
  const [hours, setHours] = useState<number>(registrationHours.usual)
  const [replaces, setReplaces] = useState(false)
  const open = useAct(openRegistration, { success: '已开放注册', onDone })
  const close = useAct(closeRegistration, { success: '已关闭注册', onDone })
  const { registration } = device
  if (!registration) return null
  const { open: window, bound } = registration
  const params = { id: device.id }
  return (
    <Card title="终端注册" remark="开放期间首次注册的终端即被绑定，注册成功后自动关闭">
      <Pairs
        items={[
          {
            label: '注册',
            value: window ? `开放至 ${window.openUntil}（${window.byName}${window.replaces ? '，更换终端' : ''}）` : '未开放',
          },
          { label: '已绑定终端', value: bound ? `${bound.terminalId || '无 ID'}（${bound.maker} ${bound.model}）` : '尚未注册' },
          ...(bound
            ? [
                { label: '注册车牌', value: bound.plate || '--' },
                { label: '注册时间', value: bound.registeredAt ?? '--' },
              ]
            : []),
        ]}
      />
      <Can call={openRegistration}>
        <div className="zg-row zg-middle zg-above-12">
          <InputNumber
            aria-label="开放时长"
            min={registrationHours.least}
            max={registrationHours.most}
            precision={0}
            suffix="小时"
            value={hours}
            onChange={(n) => setHours(n ?? registrationHours.usual)}
          />
          {bound && (
            <Checkbox checked={replaces} onChange={(event) => setReplaces(event.target.checked)}>
              更换终端
            </Checkbox>
          )}
          <Button loading={open.running} onClick={() => void open.run({ params, body: { hours, replaces } })}>
            开放注册
          </Button>
          {window && (
            <Button loading={close.running} onClick={() => void close.run({ params })}>
              关闭注册
            </Button>
          )}
        </div>
      </Can>
    </Card>
  )
}

/** Refused senders that used the identity of the device. */
export function DeviceWarnings({ warnings }: Pick<Device, 'warnings'>) {
  return warnings.map((one) => (
    <Notice key={one.kind} tone="danger">
      {one.lastTime} {one.text}（来自 {one.address || '未知地址'}，共 {one.count} 次）
    </Notice>
  ))
}
