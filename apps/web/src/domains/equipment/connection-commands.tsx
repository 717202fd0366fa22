import { deviceCommands } from '@zhugong/contract/telemetry/commands'
import type { NamedParameter } from '@zhugong/contract/telemetry/terminal-parameters'
import { listCommands, sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Input, Select } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { Card, Empty, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'

const available: readonly (keyof typeof deviceCommands)[] = [
  'device.syncTime',
  'device.reboot',
  'device.setInterval',
  'device.getParams',
  'device.setParams',
  'device.getAttributes',
  'camera.snapshot',
  'gate.open',
]

/** Parameters that a terminal reported, with their names. */
const namedIn = (data: Record<string, unknown> | null): NamedParameter[] =>
  Array.isArray(data?.named) ? (data.named as NamedParameter[]) : []

export function Commands({ id }: { id: string }) {
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
        <div className="zg-row zg-below-12">
          <Select
            aria-label="指令"
            className="zg-w-180"
            value={cmd}
            options={available.map((value) => ({ value, label: deviceCommands[value] }))}
            onChange={setCmd}
          />
          <Input
            aria-label="参数"
            className="zg-grow"
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
