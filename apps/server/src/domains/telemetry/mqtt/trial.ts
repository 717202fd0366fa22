import type { Family, Metric } from '@zhugong/contract/telemetry/families'
import { readTelemetry } from '../../readings/public.ts'
import { sampleValue } from '../sample-value.ts'
import {
  answer,
  type DialectVerdict,
  type FrameTrial,
  failed,
  faultIn,
  notText,
  type Pasted,
  type Reader,
  type Trial,
  verdict,
} from '../trial.ts'

/** Most metrics shown in a sample. */
const mostShown = 8

/** Messages of gateways: JSON, which applications send as well. */
export const mqttTrial: FrameTrial = {
  protocol: 'mqtt',
  isText: true,
  recognises: (text) => text.startsWith('{'),
  decode: (content, reader) => trialOfJson(content.toString(), reader),
  sampleOf: (family, now) => ({ label: 'MQTT telemetry 消息', text: JSON.stringify({ time: now, seq: 1, data: dataOf(family) }) }),
}

const dataOf = (family: Family): Record<string, unknown> =>
  Object.fromEntries(family.metrics.slice(0, mostShown).map((metric: Metric) => [metric.key, sampleValue(metric)]))

function trialOfJson(content: string, { access, family, now }: Reader): Trial {
  let body: unknown
  try {
    body = JSON.parse(content)
  } catch {
    return failed(access.protocol, '不是有效的 JSON')
  }
  const { items, ...rest } = body as { items?: unknown[] }
  const item = Array.isArray(items) ? items[0] : body
  const { accepted, rejected } = readTelemetry(family, item, 0, now)
  return answer('mqtt', {
    ok: accepted !== undefined,
    error: accepted ? null : '没有可存储的数据',
    fields: { ...rest, rejected },
    values: accepted ? { ...accepted.values, ...(accepted.unknown ?? {}) } : null,
    quality: accepted?.quality ?? null,
  })
}

export function platformDialects({ text, binary, now }: Pasted): DialectVerdict[] {
  const why = text.startsWith('{') ? faultIn(mqttTrial, Buffer.from(text), now) : binary ? notText : '应为 JSON'
  return [verdict('mqtt', '本平台的 MQTT / HTTP 上报（JSON）', why)]
}
