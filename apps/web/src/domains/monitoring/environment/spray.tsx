import { listDevices } from '@zhugong/contract/equipment/endpoints'
import { switchSpray } from '@zhugong/contract/monitoring/environment/environment-endpoints'
import { findSprayRuns } from '@zhugong/contract/monitoring/environment/environment-lists'
import { dryBelowMpa } from '@zhugong/contract/telemetry/device-faults'
import { Button } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { dark } from '#kit/colors.ts'
import { ErrorPanel, Panel } from '#kit/feedback.tsx'
import { day, shortTime, span, time } from '#kit/format.ts'
import { useNow } from '#kit/live.ts'
import type { Reading } from '#kit/live-store.ts'
import { hrefOf } from '#kit/page.tsx'
import { numberIn } from '../crane-state.ts'
import type { SprayLine } from './environment-plan.tsx'
import './environment.css'
import { takeReading } from '../family-live.ts'
import { useEveryMs } from '../family-monitor.tsx'
import type { Span } from '../replay.ts'

/** Code of a running spray. */
const sprayRuns = '1'

export type Run = { id: string; deviceName: string; time: number; data: Record<string, unknown> }
export const seconds = (run: Run): number => numberIn(run.data, 'durationSeconds') ?? 0
export const startOf = (run: Run): number => {
  const given = run.data.startTime
  const at = typeof given === 'string' ? Date.parse(given) : typeof given === 'number' ? given : Number.NaN
  return Number.isNaN(at) ? run.time - seconds(run) * 1000 : at
}
const triggers: Readonly<Record<string, string>> = { manual: '手动', timer: '定时', linkage: '联动' }

export function sprayOf(name: string, online: boolean, reading: Reading | undefined): Omit<SprayLine, 'id'> {
  const pressure = numberIn(reading?.values, 'waterPressure')
  const on = reading?.values.running === sprayRuns
  if (!online) return { name, state: 'offline', word: '离线' }
  if (pressure !== undefined && pressure < dryBelowMpa) return { name, state: 'dry', word: '无水' }
  return on ? { name, state: 'running', word: '运行' } : { name, state: 'standby', word: '待命' }
}

/** State of a spray at a past moment, from its runs. */
export function sprayThen(name: string, runs: readonly Run[], at: number): Omit<SprayLine, 'id'> {
  const runsThen = runs.some((one) => one.deviceName === name && startOf(one) <= at && at < startOf(one) + seconds(one) * 1000)
  return runsThen ? { name, state: 'running', word: '运行' } : { name, state: 'standby', word: '未运行' }
}

/** Sprays of the site and their runs today. */
export function useSprays(projectCode: string, past?: Span) {
  const often = useEveryMs(60_000)
  const list = useCall(
    listDevices,
    { query: { projectCode, family: 'sprayController', with: 'latest', size: 100 } },
    { quiet: true, ...often },
  )
  const devices = list.data?.list
  const ids = useMemo(() => (devices ?? []).map((one) => one.id), [devices])
  useEffect(() => {
    for (const one of devices ?? []) takeReading(one.id, one.latest)
  }, [devices])
  const [today] = useState(() => Date.parse(`${day(Date.now())}T00:00:00+08:00`))
  const dayStart = past ? Date.parse(`${day(past.from)}T00:00:00+08:00`) : today
  const runs = useCall(
    findSprayRuns,
    { query: { projectCode, startTime: time(dayStart), endTime: past && time(past.to), size: 100, sort: '-time' } },
    { quiet: true, keepPrevious: true, ...often },
  )
  return { sprays: devices ?? [], spraysAsked: list, ids, runs, dayStart }
}

const onOff = { start: '1', stop: '0' } as const
const runMinutes = 10
/** A spray reports every half minute: without a report for twice that time the command counts as failed. */
const answerMs = 60_000
/** How long the result of a command is shown. */
const saidMs = 120_000

interface SentCommand {
  id: string
  runs: boolean
  at: number
}

/** Progress of the last command: sent, confirmed by the spray's own report, or failed. */
export function reportedOf(
  sentCommand: SentCommand,
  sprays: readonly SprayLine[],
  now: number,
): { text: string; color: string } | undefined {
  const spray = sprays.find((one) => one.id === sentCommand.id)
  if (!spray || now - sentCommand.at > saidMs) return undefined
  const verb = sentCommand.runs ? '启动' : '停止'
  if ((spray.state === 'running') === sentCommand.runs) return { text: `${spray.name} 已${verb}，设备已确认`, color: dark.fine }
  if (now - sentCommand.at < answerMs)
    return { text: `${spray.name} ${verb}指令已下发 ${span(now - sentCommand.at)}，等待设备确认`, color: dark.running }
  const why = spray.state === 'dry' ? '：管路无水' : spray.state === 'offline' ? '：设备离线' : ''
  return { text: `${spray.name} 未${verb}${why}，请到现场检查`, color: dark.warning }
}

/** Controls of the sprays, and the effect of the last runs on dust. */
export function SprayPanel({
  sprays,
  runs,
  error,
  retry,
  past,
}: {
  /** Shows a past moment: controls are disabled. */
  past: boolean
  sprays: readonly SprayLine[]
  runs: readonly Run[]
  error: unknown
  retry: () => unknown
}) {
  const [chosen, setChosen] = useState<string>()
  const running = sprays.filter((one) => one.state === 'running')
  const target = sprays.find((one) => one.id === chosen) ?? running[0] ?? sprays.find((one) => one.state === 'standby')
  const [submitted, setSubmitted] = useState<SentCommand>()
  const now = useNow()
  const act = useAct(switchSpray, {
    success: false,
    onDone: (_, { body }) => setSubmitted({ id: body.deviceId, runs: body.status === onOff.start, at: Date.now() }),
  })
  const start = async () => {
    if (!target) return
    const reason = await askReason(`启动 ${target.name} 喷淋 ${runMinutes} 分钟`, '事由')
    if (reason) void act.run({ body: { deviceId: target.id, status: onOff.start, minutes: runMinutes, reason } })
  }
  const stop = () =>
    target &&
    act.afterRequesting(
      {
        thing: `停止 ${target.name} 喷淋`,
        consequence: '立即关阀，本次用水到此为止；定时与手动启动不受影响。',
        verb: `停止 ${target.name}`,
        keep: '继续喷淋',
      },
      { body: { deviceId: target.id, status: onOff.stop } },
    )
  const reported = submitted && reportedOf(submitted, sprays, now)
  return (
    <Panel
      title="喷淋"
      actions={
        <span className="mon-legend">
          <span style={running.length > 0 ? { color: dark.running } : {}}>
            {running.length > 0 ? `${running.length} 台运行中` : '待命'}
          </span>
          　
          <Link className="mon-link" to={hrefOf('/sprayrecord', { plans: '1' })}>
            定时计划
          </Link>
        </span>
      }
    >
      <div className="env-spraying">
        <div className="strip">
          {sprays.map((one) => (
            <button
              key={one.id}
              type="button"
              className="zg-bare"
              aria-pressed={one.id === target?.id}
              data-state={one.state}
              onClick={() => setChosen(one.id)}
            >
              {one.name} {one.word}
            </button>
          ))}
        </div>
        {error ? (
          <ErrorPanel error={error} retry={retry} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keys
          <ul tabIndex={0}>
            {runs.slice(0, 4).map((one) => {
              const before = numberIn(one.data, 'pm10Before')
              const after = numberIn(one.data, 'pm10After')
              return (
                <li key={one.id}>
                  <time title={time(startOf(one))}>{shortTime(startOf(one))}</time>
                  <span>
                    {one.deviceName} {Math.round(seconds(one) / 60)} 分 {triggers[String(one.data.trigger)] ?? ''}
                  </span>
                  <b>{before === undefined || after === undefined ? '--' : `${before.toFixed(0)} → ${after.toFixed(0)}`}</b>
                  <em>
                    {before && after !== undefined
                      ? `${after <= before ? '−' : '+'}${Math.abs(((after - before) / before) * 100).toFixed(0)} %`
                      : ''}
                  </em>
                </li>
              )
            })}
            {runs.length === 0 && <li className="none">今天还没有喷淋记录</li>}
          </ul>
        )}
        {reported && (
          <div className="told" role="status" style={{ color: reported.color }}>
            {reported.text}
          </div>
        )}
        {!past && (
          <Can call={switchSpray}>
            <div className="acts">
              <Button danger ghost disabled={target?.state !== 'running'} loading={act.running} onClick={() => void stop()}>
                停止 {target?.state === 'running' ? target.name : ''}
              </Button>
              <Button ghost disabled={target?.state !== 'standby'} loading={act.running} onClick={() => void start()}>
                启动 {target?.state === 'standby' ? target.name : ''}
              </Button>
            </div>
          </Can>
        )}
      </div>
    </Panel>
  )
}
