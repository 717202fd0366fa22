import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { type listCommands, sendCommand } from '@zhugong/contract/telemetry/wire-endpoints'
import { Button, Select } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Card, Notice, Tag } from '#kit/feedback.tsx'
import { time } from '#kit/format.ts'
import { TimeInput } from '#kit/inputs.tsx'
import './equipment.css'

const historyKinds = [
  { value: 'minute', label: '分钟数据（2051）' },
  { value: 'hour', label: '小时数据（2061）' },
  { value: 'day', label: '日数据（2031）' },
]

/** Data fields of a station's answer, without protocol fields. */
const dataWords = (data: Record<string, unknown> | undefined): string => {
  const read = Object.entries(data ?? {}).filter(([name]) => name !== 'QnRtn' && name !== 'ExeRtn')
  return read.length ? `：${read.map(([name, value]) => `${name} = ${String(value)}`).join('，')}` : ''
}

interface StationCommandsProps {
  id: string
  sent: OutputFor<typeof listCommands>['list']
  onSent: () => void
}

/** Sets the clock of a station and requests stored data; shows the answer step by step. */
export function StationCommands({ id, sent, onSent }: StationCommandsProps) {
  const [history, setHistory] = useState<{ kind: string; from?: string | undefined; to?: string | undefined }>({ kind: 'hour' })
  const command = useAct(sendCommand, { success: false })
  const [answer, setAnswer] = useState<{
    result: number
    message: string
    steps?: { at: number; step: string; text: string }[] | undefined
    data?: Record<string, unknown> | undefined
  }>()
  const send = async (cmd: 'device.syncTime' | 'hj212.getInterval' | 'hj212.history', params: Record<string, unknown> = {}) => {
    setAnswer(undefined)
    const done = await command.run({ params: { id }, body: { cmd, params } })
    if (done) setAnswer(done.data)
    onSent()
  }
  return (
    <Card title="校时与补采" remark="三步：9011 请求应答、数据、9012 执行结果">
      <div className="zg-row zg-wrap zg-middle">
        <Button loading={command.running} onClick={() => void send('device.syncTime')}>
          校时
        </Button>
        <Button loading={command.running} onClick={() => void send('hj212.getInterval')}>
          读间隔
        </Button>
        <span className="zg-2">补采</span>
        <Select
          aria-label="补采类型"
          className="zg-w-160"
          value={history.kind}
          options={historyKinds}
          onChange={(kind) => setHistory({ ...history, kind })}
        />
        <div className="zg-w-180">
          <TimeInput value={history.from ?? null} placeholder="从" onChange={(from) => setHistory({ ...history, from })} />
        </div>
        <div className="zg-w-180">
          <TimeInput value={history.to ?? null} placeholder="到" onChange={(to) => setHistory({ ...history, to })} />
        </div>
        <Button
          loading={command.running}
          disabled={!history.from || !history.to}
          onClick={() => void send('hj212.history', { kind: history.kind, startTime: history.from, endTime: history.to })}
        >
          补采历史
        </Button>
      </div>
      {answer && (
        <div className="zg-above">
          <Notice tone={answer.result === 0 ? 'fine' : answer.result === -3 ? 'info' : 'danger'}>
            {answer.message || (answer.result === 0 ? '已执行' : '没有完成')}
            {dataWords(answer.data)}
          </Notice>
          <ol className="eq-changes">
            {(answer.steps ?? []).map((step) => (
              <li key={`${step.at}${step.step}`}>
                <span className="when">{time(step.at)}</span>
                <div>{step.text}</div>
              </li>
            ))}
          </ol>
        </div>
      )}
      {sent.slice(0, 5).map((row) => (
        <div key={row.id} className="eq-row">
          <Tag tone={row.result === 0 ? 'fine' : row.result === -3 ? 'running' : 'danger'}>
            {row.result === 0 ? '完成' : row.result === -3 ? '等待' : '未完成'}
          </Tag>
          <b>{row.cmdText}</b>
          <span className="zg-2">{row.message}</span>
          {row.result !== 0 && row.steps.length > 0 && <span className="zg-2">止于 {row.steps.at(-1)?.text}</span>}
          <span className="right zg-2">
            {row.byName} {time(row.sentAt)}
          </span>
        </div>
      ))}
    </Card>
  )
}
