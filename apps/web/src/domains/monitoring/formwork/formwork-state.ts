import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import {
  type findPours,
  formworkMarks,
  formworkMetrics,
  formworkShare,
  type PourStep,
} from '@zhugong/contract/monitoring/formwork/formwork'
import type { formworkInfo } from '@zhugong/contract/monitoring/formwork/formwork-live'
import type { Reading } from '#kit/live-store.ts'
import { toneColors } from '../crane-state.ts'

type Info = OutputFor<typeof formworkInfo>
export type BayPoint = Info['points'][number]
export type Pour = OutputFor<typeof findPours>['list'][number]
export type Verdict = Info['verdict']

/** Seconds of silence during a pour after which a point is doubtful, and dangerous. */
export const silence = { doubt: 15, danger: 120 }

export const pointColors: Readonly<Record<BayPoint['state'], string>> = {
  fine: toneColors.fine,
  warning: toneColors.warning,
  alarm: toneColors.alarm,
  unset: toneColors.alarm,
  silent: toneColors.alarm,
}
export const pointWords: Readonly<Record<BayPoint['state'], string>> = {
  fine: '正常',
  warning: '预警',
  alarm: '报警',
  unset: '未设设计值',
  silent: '失联',
}

const stateAt = (share: number | null): BayPoint['state'] =>
  (share ?? 0) >= formworkMarks.stop ? 'alarm' : (share ?? 0) >= formworkMarks.warning ? 'warning' : 'fine'

/** A point updated with its newest reading, between server answers and in a replay. */
export function withReading(point: BayPoint, reading: Reading | undefined, now: number, replayed: boolean): BayPoint {
  if (!reading) return replayed ? { ...point, share: null, state: 'silent', silentSeconds: null, time: null } : point
  if (!replayed && point.time !== null && reading.at < point.time) return point
  const judged = formworkShare(reading.values, { designForce: point.designForce, supportHeight: point.supportHeight })
  const number = (key: string) => (typeof reading.values[key] === 'number' ? (reading.values[key] as number) : null)
  const silentSeconds = Math.max(0, Math.round((now - (reading.receivedAt ?? reading.at)) / 1000))
  return {
    ...point,
    ...judged,
    time: reading.at,
    silentSeconds,
    axialForce: number('axialForce'),
    axialForcePercent: number('axialForcePercent'),
    horizontalDisplacement: number('horizontalDisplacement'),
    settlement: number('settlement'),
    batteryPercent: number('batteryPercent') ?? point.batteryPercent,
    state:
      silentSeconds >= silence.danger
        ? 'silent'
        : judged.designForce === null && number('axialForce') !== null
          ? 'unset'
          : stateAt(judged.share),
  }
}

export const metricName = (key: string | null): string => formworkMetrics[key ?? ''] ?? ''

/** May the pour continue? Computed from the points as drawn, so that text and drawing agree. */
export function verdictFor(points: readonly BayPoint[], pouring: boolean): { verdict: Verdict; text: string } {
  const top = [...points].sort((a, b) => (b.share ?? -1) - (a.share ?? -1))[0]
  const said = top ? `${top.pointCode} ${metricName(top.worstMetric)} ${Math.round(top.share ?? 0)} %` : ''
  const silent = points.filter((one) => one.state === 'silent')
  if (points.some((one) => one.state === 'alarm')) return { verdict: 'stop', text: `停止浇筑，撤离：${said}` }
  if (!pouring) return { verdict: 'idle', text: silent.length > 0 ? `未在浇筑，${silent.length} 个测点失联` : '未在浇筑' }
  if (silent.length > 0) return { verdict: 'stop', text: `停止浇筑：${silent.map((one) => one.pointCode).join('、')} 失联` }
  if (points.some((one) => one.state === 'warning' || one.state === 'unset')) return { verdict: 'watch', text: `注意：${said}` }
  return { verdict: 'go', text: `可继续浇筑　最大 ${said}` }
}

/** 02:14:30 */
export function clockWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (n: number) => String(n).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

/** Steps of the current or last pour, oldest first. */
export function currentPour(steps: readonly PourStep[]): readonly PourStep[] {
  const start = steps.findIndex((one) => one.kind === 'start')
  return start < 0 ? [] : steps.slice(0, start + 1).reverse()
}

/** Summary of pours: how near they come to the design values, and which point carries most. */
export function poursSaid(pours: readonly Pour[]): string {
  const known = pours.filter((one) => one.maxAxialForcePercent !== null)
  const [last] = known
  if (!last) return '还没有浇筑记录'
  const others = known.slice(1)
  const mean = others.length > 0 ? others.reduce((sum, one) => sum + (one.maxAxialForcePercent ?? 0), 0) / others.length : undefined
  const over = known.filter((one) => (one.maxAxialForcePercent ?? 0) >= formworkMarks.warning).length
  return `最近一次 ${last.worstPoint ?? ''} 升至设计值的 ${last.maxAxialForcePercent} %${
    mean === undefined ? '' : `，之前 ${others.length} 次均值 ${mean.toFixed(0)} %`
  }；${over > 0 ? `${over} 次达到 ${formworkMarks.warning} % 预警` : `没有一次达到 ${formworkMarks.warning} % 预警`}`
}
