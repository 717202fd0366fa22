import { verifyDevice } from '@zhugong/contract/equipment/device-tools'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct } from '#kit/call.ts'
import { Chart } from '#kit/chart.tsx'
import { Card, Empty, Notice } from '#kit/feedback.tsx'
import { minuteOfDay } from '#kit/format.ts'
import type { Device } from './device.ts'

export function Statistics({ device }: { device: Device }) {
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

export function Trial({ id }: { id: string }) {
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
      <Button type="primary" className="zg-apart" disabled={frame.trim() === ''} loading={act.running} onClick={() => void run()}>
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
        <div className="eq-trial">
          <div>
            <b>报文内容</b>
            <pre className="eq-pre">{JSON.stringify(trial.fields, null, 2)}</pre>
          </div>
          <div>
            <b>将存储的值</b>
            <pre className="eq-pre">
              {trial.values ? JSON.stringify({ ...trial.values, 质量: trial.quality || undefined }, null, 2) : '不存储'}
            </pre>
          </div>
        </div>
      )}
    </Card>
  )
}
