import { updateDevice } from '@zhugong/contract/equipment/endpoints'
import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useFamily } from '#kit/family.ts'
import { Card, Pairs } from '#kit/feedback.tsx'
import type { Device } from './connection-detail-page.tsx'
import { Copyable } from './copyable.tsx'
import { protocols } from './device-words.tsx'
import { publishExample } from './gateway-words.ts'

const accessNames: Readonly<Record<string, string>> = {
  mn: 'MN',
  phone: '终端手机号',
  terminalId: '终端 ID',
  appId: '应用编号',
  crcMode: '校验方式',
  address: '从站地址',
}

export function Access({ device }: { device: Device }) {
  const family = useFamily(device.family)
  const change = useAct(updateDevice, { success: '已保存' })
  const [seconds, setSeconds] = useState<number>(device.intervalSeconds)
  const access = device.access as Record<string, unknown>
  const { broker: external, ...ports } = device.ports
  const broker = device.protocol === 'mqtt' ? external : null
  return (
    <>
      <Card title="接入" remark={protocols[device.protocol] ?? device.protocol}>
        <Pairs
          items={[
            { label: '平台地址', value: broker?.host ?? location.hostname },
            {
              label: '端口',
              value: { ...ports, mqtt: broker?.port ?? ports.mqtt, http: location.port || '443' }[device.protocol] ?? '由平台轮询',
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
        <Card title="发一条试试" remark={device.ports.broker ? '账号与口令由消息服务器分配' : '把“网关密钥”换成保存的密钥'}>
          <Copyable
            text={publishExample(
              { id: device.gatewayId, connectionType: 'mqtt' },
              '网关密钥',
              location.hostname,
              device.deviceSn,
              device.ports,
              family.data?.samples.find((one) => one.protocol === 'mqtt')?.text,
            )}
          />
        </Card>
      )}
    </>
  )
}
