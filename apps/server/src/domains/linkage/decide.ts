import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { confirmMinutes, type RunResult } from '@zhugong/contract/linkage/codes'
import type { Run } from './run.ts'

/** What is known of the world when a run is looked at. */
export interface Facts {
  now: number
  /** Joined alarms that are open. */
  open: number
  /** The action is still there and switched on. */
  enabled: boolean
  inService: boolean
  cooldownUntil: number | undefined
  /** Somebody stopped this device: why, and until when nothing starts it by itself. */
  block: { until: number; reason: string; by: string } | undefined
  /** Interlocks that hold now, in words; empty when none does. */
  holding: string
  /** What became of the command in flight when whoever sent it has gone. */
  heard: 'start' | 'stop' | undefined
}

export type Step =
  | { do: 'end'; result: RunResult; reason: string }
  | { do: 'hold'; reason: string; until: number }
  | { do: 'wait'; until: number }
  /** Say the start, or say it again. */
  | { do: 'start' }
  | { do: 'started' }
  /** Say the stop, or say it again; with a result when it is decided now. */
  | { do: 'stop'; result?: RunResult; reason?: string }

/** Interlocks and manual stops are read this often. */
export const lookMs = 30_000
/** Alarms that are held back are not waited for longer than this. */
export const holdMs = 60 * 60_000
export const tries = 3
/** A device that does not stop is told again every minute, for this long. */
const stopForMs = 15 * 60_000

const clock = (at: number) => new Date(at + shanghaiOffsetMs).toISOString().slice(11, 16)
export const cooldownText = (until: number) => `冷却中，至 ${clock(until)}`
export const blockText = (block: { until: number; reason: string; by: string }) =>
  `${block.by}已人工停止（${block.reason}），${clock(block.until)} 前不自动启动`

/** Pure: what to do with a run. */
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

/** Whatever keeps a run from beginning, or from going on. */
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
  // A device that was told once may have heard it: it is told to stop, whatever it says.
  const leave = (result: RunResult, reason: string): Step =>
    run.attempts > 0 && run.definition.stopCommand ? { do: 'stop', result, reason } : { do: 'end', result, reason }
  const no = against(run, f)
  if (no) return leave(no.result, no.reason)
  if (f.open === 0) return leave('alarmOver', '告警已解除，未启动')
  if (f.block) return leave('blocked', blockText(f.block))
  if (!f.inService) return leave('unreachable', '设备未在使用中')
  if (run.attempts === 0 && f.cooldownUntil !== undefined && f.cooldownUntil > f.now)
    return held(run, f, cooldownText(f.cooldownUntil), f.cooldownUntil)
  if (f.holding) return run.attempts > 0 ? leave('interlock', f.holding) : held(run, f, f.holding, f.now + lookMs)
  return { do: 'start' }
}

function held(run: Run, f: Facts, reason: string, until: number): Step {
  const last = run.holdUntil?.getTime() ?? f.now + holdMs
  if (f.now >= last) return { do: 'end', result: 'held', reason }
  return { do: 'hold', reason, until: Math.min(until, last) }
}

function running(run: Run, f: Facts): Step {
  const no = against(run, f)
  if (no) return { do: 'stop', ...no }
  // Stopped at the device's own page meanwhile: there is nothing left to stop.
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
  // A start nobody answered is taken back as a precaution, and not for ever.
  const givenUp = run.startTime === null ? run.stopAttempts >= tries : f.now >= since + stopForMs
  if (givenUp)
    return {
      do: 'end',
      result: run.startTime === null ? result : 'stopFailed',
      reason: run.startTime === null ? run.reason : '停止指令未被执行',
    }
  return { do: 'stop' }
}
