import { updateDevice } from '@zhugong/contract/equipment/endpoints'
import { type ListeningProtocol, listeningProtocols, protocolOf } from '@zhugong/contract/protocols/catalogue'
import { Button, InputNumber } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useFamily } from '#kit/family.ts'
import { Card, Pairs } from '#kit/feedback.tsx'
import { Copyable } from './copyable.tsx'
import type { Device } from './device.ts'
import { protocols } from './device-words.tsx'
import { GatePush } from './gate-push.tsx'
import { publishExample } from './gateway-words.ts'

const accessNames: Readonly<Record<string, string>> = {
  mn: 'MN',
  phone: '终端手机号',
  terminalId: '终端 ID',
  appId: '应用编号',
  crcMode: '校验方式',
  address: '从站地址',
}

/** Port that the device connects to; an external broker has a port of its own. */
function portOf({ protocol, ports }: Device): string | number {
  const entry = protocolOf(protocol)
  if (entry?.gateway === 'connects' && ports.broker) return ports.broker.port
  if (isListening(protocol)) return ports[protocol]
  return entry?.portWords ?? (location.port || '443')
}
const isListening = (protocol: string): protocol is ListeningProtocol => listeningProtocols.some((one) => one === protocol)

export function Access({ device }: { device: Device }) {
  const family = useFamily(device.family)
  const change = useAct(updateDevice, { success: '已保存' })
  const [seconds, setSeconds] = useState<number>(device.intervalSeconds)
  const access = device.access as Record<string, unknown>
  const entry = protocolOf(device.protocol)
  const isConnecting = entry?.gateway === 'connects'
  return (
    <>
      <Card title="接入" remark={protocols[device.protocol] ?? device.protocol}>
        <Pairs
          items={[
            { label: '平台地址', value: (isConnecting && device.ports.broker?.host) || location.hostname },
            { label: '端口', value: portOf(device) },
            ...(device.gatewayId
              ? [{ label: '主题', value: `site/v1/up/${device.gatewayId}/${device.deviceSn}/telemetry`, wide: true }]
              : []),
            ...Object.entries(accessNames).flatMap(([key, label]) =>
              access[key] === undefined ? [] : [{ label, value: String(access[key]) }],
            ),
            ...(entry?.hasSecret ? [{ label: '密钥', value: '••••••（不显示）' }] : []),
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
      {device.family === 'faceGate' && device.protocol === 'http' && <GatePush deviceId={device.id} />}
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
      {isConnecting && device.gatewayId && (
        <Card title="发一条试试" remark={device.ports.broker ? '账号与口令由消息服务器分配' : '把“网关密钥”换成保存的密钥'}>
          <Copyable
            text={publishExample(
              { id: device.gatewayId, connectionType: 'mqtt' },
              '网关密钥',
              location.hostname,
              device.deviceSn,
              device.ports,
              family.data?.samples.find((one) => one.protocol === device.protocol)?.text,
            )}
          />
        </Card>
      )}
    </>
  )
}
