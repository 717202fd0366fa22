import type { Family } from '@zhugong/contract/telemetry/families'
import type { Reading, Rejection } from '../readings/public.ts'
import { resultOf } from './frame-log.ts'

interface Taken {
  readings: readonly Pick<Reading, 'flag' | 'unknown' | 'quality' | 'values'>[]
}

/** Keys that are no metrics but that the platform reads: the point and its values by depth. */
const readBeside: ReadonlySet<string> = new Set(['pointCode', 'pointType', 'points'])

/** Quality codes as shown to users. */
const qualityWords: Readonly<Record<string, string>> = {
  fault: '故障',
  maintenance: '维护',
  calibration: '校准',
  stopped: '停运',
  manual: '手工输入',
  linkLost: '通信中断',
  stale: '陈旧',
  swapped: '经纬度可能填反',
  unitUnconfirmed: '单位未确认（在“接入”中选择微克或毫克）',
}

/** Log entry of an accepted message: a result word, and a hint about each item and key that was not simply stored. */
export interface FrameVerdict {
  result: string
  hint?: string
}

/** Most keys named in a hint; a message may contain hundreds. */
const mostNamed = 6
const named = (keys: readonly string[]) => `${keys.slice(0, mostNamed).join('、')}${keys.length > mostNamed ? ` 等 ${keys.length} 个` : ''}`

/**
 * Result of an accepted message. If several apply, the order is: partly refused, clock ahead or late, out of range, flagged by the device,
 * unknown keys.
 * @param isRepeated all readings were stored before.
 */
export function verdictOf(family: Family, { readings }: Taken, rejected: readonly Rejection[], isRepeated: boolean): FrameVerdict {
  if (isRepeated) return { result: 'duplicate' }
  const timed = readings.find((r) => r.flag === 2) ?? readings.find((r) => r.flag !== 0)
  const beyond = [...new Set(readings.flatMap((r) => outOfRange(family, r)))]
  const flagged = [...new Set(readings.flatMap((r) => flaggedIn(r)))]
  const unknown = [...new Set(readings.flatMap((r) => Object.keys(r.unknown ?? {}).filter((key) => !readBeside.has(key))))]
  const refused = [...new Set(rejected.map((r) => r.key ?? `第 ${r.index + 1} 条`))]
  const hints = [
    ...(refused.length ? [`没有保存：${named(refused)}（类型或时间不正确，逐条原因见解析结果）`] : []),
    ...(beyond.length ? [`超出量程：${named(beyond)}；已保存并标为超量程，不参与告警和统计`] : []),
    ...(flagged.length ? [`带质量标记：${named(flagged)}；已保存，不参与告警和统计`] : []),
    ...(unknown.length ? [`型号里没有的字段：${named(unknown)}；作为附加数据保存，不参与告警和曲线，请核对字段名`] : []),
  ]
  const word = refused.length
    ? 'oneRejected'
    : timed
      ? resultOf(timed)
      : beyond.length
        ? 'outOfRange'
        : flagged.length
          ? 'flagged'
          : unknown.length
            ? 'unknownKey'
            : 'stored'
  return { result: word, hint: hints.length ? hints.join('。') : undefined }
}

const flaggedIn = ({ quality }: Pick<Reading, 'quality'>): string[] =>
  Object.entries(quality ?? {}).flatMap(([key, word]) => (word === 'outOfRange' ? [] : [`${key} ${qualityWords[word] ?? word}`]))

function outOfRange(family: Family, { quality, values }: Pick<Reading, 'quality' | 'values'>): string[] {
  return Object.entries(quality ?? {}).flatMap(([key, word]) => {
    const metric = family.metric(key)
    if (word !== 'outOfRange' || !metric) return []
    return [`${key} ${String(values[key])}（${metric.min ?? '−∞'}～${metric.max ?? '+∞'}${metric.unit ? ` ${metric.unit}` : ''}）`]
  })
}
