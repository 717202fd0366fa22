import { CaretRightOutlined, DownloadOutlined, PauseOutlined, StepBackwardOutlined, StepForwardOutlined } from '@ant-design/icons'
import { submitExport } from '@zhugong/contract/exports/endpoints'
import { minuteMs } from '@zhugong/contract/kit/time'
import { Button, Checkbox, Segmented } from 'antd'
import { useAct } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import { dark } from '#kit/colors.ts'
import { Notice } from '#kit/feedback.tsx'
import { time, timeOfDay } from '#kit/format.ts'
import { TimeInput } from '#kit/inputs.tsx'
import type { Desk } from './family-monitor.tsx'
import { levelColor } from './level-color.ts'
import type { Span } from './replay.ts'
import { type Replay, speeds } from './use-replay.ts'

const lengths = [
  { value: 10 * minuteMs, label: '10 分' },
  { value: 30 * minuteMs, label: '30 分' },
  { value: 120 * minuteMs, label: '2 小时' },
  { value: 1440 * minuteMs, label: '24 小时' },
]

/** Controls of a replay: alarms as ticks, missing data as hatched spans. */
export function ReplayBar({ replay, desk, feature }: { replay: Replay; desk: Desk; feature: string }) {
  const { span, at, until, playing, speed, skips, gaps, alarms } = replay
  const length = span.to - span.from
  const share = (moment: number) => `${(Math.min(1, Math.max(0, (moment - span.from) / length)) * 100).toFixed(3)}%`
  const width = (one: Span) => `${(((one.to - one.from) / length) * 100).toFixed(3)}%`
  const mayExport = [useCan('export.run'), useCan(`${desk.module}.export`)].every(Boolean)
  const take = useAct(submitExport, { success: '已开始导出，可在导出中心下载' })
  return (
    <section className="mon-replay" aria-label="回放">
      {replay.error && <Notice tone="danger">读取历史读数失败：{replay.error.message}</Notice>}
      <div className="line">
        <strong className="ribbon">回放 {time(at)}</strong>
        <Button ghost icon={<StepBackwardOutlined />} aria-label="上一次上报" onClick={() => replay.step(-1)} />
        <Button
          ghost
          icon={playing ? <PauseOutlined /> : <CaretRightOutlined />}
          aria-label={playing ? '暂停' : '播放'}
          onClick={() => replay.play(!playing)}
        />
        <Button ghost icon={<StepForwardOutlined />} aria-label="下一次上报" onClick={() => replay.step(1)} />
        <Segmented
          aria-label="倍速"
          size="small"
          value={speed}
          options={speeds.map((value) => ({ value, label: `${value}×` }))}
          onChange={(value) => replay.pace(Number(value))}
        />
        <Checkbox checked={skips} onChange={(event) => replay.skip(event.target.checked)}>
          跳过空档
        </Checkbox>
        <span className="from">
          起
          <TimeInput
            aria-label="回放开始时间"
            value={time(span.from)}
            onChange={(value) => {
              const from = value ? Date.parse(`${value.replace(' ', 'T')}+08:00`) : Number.NaN
              if (!Number.isNaN(from)) desk.setReplay({ from, to: from + length })
            }}
          />
        </span>
        <Segmented
          aria-label="时长"
          size="small"
          value={length}
          options={lengths}
          onChange={(value) => desk.setReplay({ from: span.from, to: span.from + Number(value) })}
        />
        {mayExport && (
          <Button
            ghost
            icon={<DownloadOutlined />}
            loading={take.running}
            onClick={() =>
              void take.run({
                body: { feature, query: { deviceId: desk.selected, startTime: String(span.from), endTime: String(span.to) } },
              })
            }
          >
            导出本段
          </Button>
        )}
        <Button type="primary" className="back" onClick={() => desk.setReplay(undefined)}>
          回到实时
        </Button>
      </div>
      <div className="track">
        <span className="loaded" style={{ width: share(until) }} />
        {gaps.map((one) => (
          <span key={one.from} className="gap" style={{ left: share(one.from), width: width(one) }} title="这段时间没有数据" />
        ))}
        {alarms.map((one) => (
          <button
            key={one.id}
            type="button"
            className="zg-bare tick"
            style={{ left: share(one.startTime), color: levelColor(one.level) === dark.alarm ? dark.alarm : dark.warning }}
            title={`${timeOfDay(one.startTime)} ${one.deviceName} ${one.label}`}
            aria-label={`${timeOfDay(one.startTime)} ${one.deviceName} ${one.label}`}
            onClick={() => replay.seek(one.startTime)}
          />
        ))}
        <input
          type="range"
          aria-label="回放位置"
          aria-valuetext={time(at)}
          min={span.from}
          max={span.to}
          step={1000}
          value={at}
          onChange={(event) => replay.seek(Number(event.target.value))}
        />
      </div>
      <div className="ends">
        <span>{time(span.from)}</span>
        <span>{alarms.length > 0 ? `${alarms.length} 条告警` : '这段时间没有告警'}</span>
        <span>{time(span.to)}</span>
      </div>
    </section>
  )
}
