import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { confirmMinutes, type RunResult } from '@zhugong/contract/linkage/codes'
import type { Run } from './run.ts'

/** The data on which the decision about a run is based. */
export interface Facts {
  now: number
  /** Number of joined alarms that are open. */
  open: number
  /** The action still exists and is enabled. */
  enabled: boolean
  inService: boolean
  cooldownUntil: number | undefined
  /** A manual stop of this device: reason, user, and the time (epoch ms) until which nothing starts it automatically. */
  block: { until: number; reason: string; by: string } | undefined
  /** Active interlocks in words; empty if none. */
  holding: string
  /** Result of the command in flight if the process that sent it has stopped. */
  heard: 'start' | 'stop' | undefined
}

export type Step =
  | { do: 'end'; result: RunResult; reason: string }
  | { do: 'hold'; reason: string; until: number }
  | { do: 'wait'; until: number }
  /** Send the start command, again if necessary. */
  | { do: 'start' }
  | { do: 'started' }
  /** Send the stop command, again if necessary; `result` if it is final now. */
  | { do: 'stop'; result?: RunResult; reason?: string }

/** Interval for checking interlocks and manual stops. */
export const lookMs = 30_000
/** Maximum time a run is held back before its start. */
export const holdMs = 60 * 60_000
export const tries = 3
/** The stop command is repeated every minute for this long if the device does not stop. */
const stopForMs = 15 * 60_000

const clock = (at: number) => new Date(at + shanghaiOffsetMs).toISOString().slice(11, 16)
export const cooldownText = (until: number) => `冷却中，至 ${clock(until)}`
export const blockText = (block: { until: number; reason: string; by: string }) =>
  `${block.by}已人工停止（${block.reason}），${clock(block.until)} 前不自动启动`

/** Decides the next step of a run. Pure function. */
export function decide(run: Run, f: Facts): Step {
  switch (run.state) {
    case 'waitingConfirm':
      return waiting(run, f)
    case 'held':
    case 'starting':
      return starting(run, f)
    case 'running':
      return running(run, f)
    case 'stopping':
      return stopping(run, f)
    case 'ended':
      return { do: 'end', result: run.result ?? 'done', reason: run.reason }
  }
}

/** The reason why a run may not start or continue; undefined if there is none. */
function against(run: Run, f: Facts): { result: RunResult; reason: string } | undefined {
  if (run.stopBy !== null) return { result: 'manual', reason: `${run.stopBy}人工停止：${run.stopReason ?? ''}` }
  if (!f.enabled) return { result: 'disabled', reason: '执行动作已停用' }
  return undefined
}

function waiting(run: Run, f: Facts): Step {
  const no = against(run, f)
  if (no) return { do: 'end', ...no }
  if (f.open === 0) return { do: 'end', result: 'alarmOver', reason: '告警已解除，未启动' }
  const until = run.confirmUntil?.getTime() ?? 0
  if (f.now >= until) return { do: 'end', result: 'unconfirmed', reason: `${confirmMinutes} 分钟内无人确认，未启动` }
  return { do: 'wait', until }
}

function starting(run: Run, f: Facts): Step {
  if (f.heard === 'start') return { do: 'started' }
  // Ends a run. If a start command was sent, the device may have received it, so it is stopped even without an answer.
  const leave = (result: RunResult, reason: string): Step =>
    run.attempts > 0 && run.definition.stopCommand ? { do: 'stop', result, reason } : { do: 'end', result, reason }
  const no = against(run, f)
  if (no) return leave(no.result, no.reason)
  if (f.open === 0) return leave('alarmOver', '告警已解除，未启动')
  if (f.block) return leave('blocked', blockText(f.block))
  if (!f.inService) return leave('unreachable', '设备未在使用中')
  if (run.attempts === 0 && f.cooldownUntil !== undefined && f.cooldownUntil > f.now)
    return current(run, f, cooldownText(f.cooldownUntil), f.cooldownUntil)
  if (f.holding) return run.attempts > 0 ? leave('interlock', f.holding) : current(run, f, f.holding, f.now + lookMs)
  return { do: 'start' }
}

function current(run: Run, f: Facts, reason: string, until: number): Step {
  const last = run.holdUntil?.getTime() ?? f.now + holdMs
  if (f.now >= last) return { do: 'end', result: 'held', reason }
  return { do: 'hold', reason, until: Math.min(until, last) }
}

function running(run: Run, f: Facts): Step {
  const no = against(run, f)
  if (no) return { do: 'stop', ...no }
  // The device was stopped on its own page, so no stop command is needed.
  if (f.block) return { do: 'end', result: 'manual', reason: blockText(f.block) }
  if (f.holding) return { do: 'stop', result: 'interlock', reason: f.holding }
  const [least, most] = [run.minUntil?.getTime() ?? 0, run.maxUntil?.getTime() ?? 0]
  if (f.now >= most) return { do: 'stop', result: 'maxRun', reason: `已运行 ${run.definition.maxRunSeconds} 秒` }
  if (f.open === 0 && f.now >= least) return { do: 'stop', result: 'recovered', reason: '告警已解除' }
  return { do: 'wait', until: Math.min(f.now + lookMs, most, f.open === 0 ? least : most) }
}

function stopping(run: Run, f: Facts): Step {
  const result = run.result ?? 'recovered'
  if (f.heard === 'stop') return { do: 'end', result, reason: run.reason }
  const since = run.stoppingAt?.getTime() ?? f.now
  // A start without an answer is stopped as a precaution, with a limited number of attempts.
  const givenUp = run.startTime === null ? run.stopAttempts >= tries : f.now >= since + stopForMs
  if (givenUp)
    return {
      do: 'end',
      result: run.startTime === null ? result : 'stopFailed',
      reason: run.startTime === null ? run.reason : '停止指令未被执行',
    }
  return { do: 'stop' }
}
