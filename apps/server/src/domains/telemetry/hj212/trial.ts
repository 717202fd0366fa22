import { type CrcMode, crcModeKeys, crcModes } from '@zhugong/contract/protocols/hj212'
import { frameHint } from '@zhugong/contract/telemetry/commands'
import type { Family } from '@zhugong/contract/telemetry/families'
import { verdictOf } from '../frame-verdict.ts'
import { sampleValue } from '../sample-value.ts'
import {
  answer,
  type DialectVerdict,
  type FrameTrial,
  failed,
  faultIn,
  faultWords,
  notText,
  type Pasted,
  type Reader,
  type Trial,
  verdict,
} from '../trial.ts'
import { buildFrame, Hj212Decoder, type Hj212Frame, withPlainCp } from './frame.ts'
import { decryptCp } from './sm4.ts'
import { formatDataTime, isPeriod, toPeriod, toReading } from './values.ts'

export const hj212Trial: FrameTrial = {
  protocol: 'hj212',
  isText: true,
  recognises: (text) => text.startsWith('##'),
  whenSelected: true,
  decode: trialOfHj212,
  sampleOf: (family, now) =>
    family.metrics.some((metric) => metric.hj212) ? { label: 'HJ 212 实时数据（2011）', text: stationFrame(family, now) } : undefined,
}

function trialOfHj212(content: Buffer, reader: Reader): Trial {
  const { access, now } = reader
  let bad: { kind: string; hint: string } | undefined
  const decoder = new Hj212Decoder({
    crcModeOf: () => access.crcMode ?? 'standard',
    maxLengthOf: () => access.maxLength,
    // Only the first error is shown; later ones follow from it.
    onBad: (kind, _bytes, hint) => {
      bad ??= { kind, hint }
    },
  })
  const ended = Buffer.concat([content, Buffer.from('\r\n')])
  // If the declared length exceeds the pasted bytes, the frame is treated as timed out.
  const [given] = [...decoder.push(ended, now), ...decoder.expire(now + 60_000)]
  if (!given) return failed(access.protocol, bad?.kind ?? 'timeout', {}, bad?.hint)
  const plain = given.pairs === undefined && access.key ? decryptCp(given.cp, Buffer.from(access.key, 'hex')) : undefined
  const read = plain === undefined ? given : withPlainCp(given, plain)
  const { pw: _secret, pairs, ...fields } = read
  if (!pairs) return failed(access.protocol, '数据区已加密，密钥未知或不符', fields)
  return trialOfStation(read, { ...fields, pairs: Object.fromEntries(pairs) }, reader)
}

/** A station's request with readable data: a period record, a reading, or another command. */
function trialOfStation(read: Hj212Frame, fields: Record<string, unknown>, { access, family, now }: Reader): Trial {
  const station = { units: access.units, codes: access.codes }
  if (isPeriod(read.cn)) {
    const record = toPeriod(read, station, now)
    return answer('hj212', { ok: record !== undefined, error: record ? null : '时间不正确', fields, values: record?.data ?? null })
  }
  if (read.cn !== '2011') return answer('hj212', { ok: true, fields })
  const { reading, rejected } = toReading(read, family, station, now)
  const verdict = reading ? verdictOf(family, { readings: [reading] }, rejected, false) : { result: rejected[0]?.reason ?? '' }
  return answer('hj212', {
    ok: reading !== undefined,
    error: reading ? null : (faultWords[rejected[0]?.reason ?? ''] ?? '没有可存储的数据'),
    hint: verdict.hint ?? frameHint('hj212', verdict.result) ?? null,
    fields: { ...fields, rejected },
    values: reading ? { ...reading.values, ...(reading.unknown ?? {}) } : null,
    quality: reading?.quality ?? null,
  })
}

/** HJ 212-2017: an ambient station (ST 22); flag with version bits and reply requested. */
function stationFrame(family: Family, now: number): string {
  const items = family.metrics.flatMap((metric) =>
    metric.hj212 ? [`${metric.hj212}-Rtd=${sampleValue(metric)},${metric.hj212}-Flag=N`] : [],
  )
  const frame = { qn: formatDataTime(now, true), st: '22', cn: '2011', pw: '123456', mn: '010000A8900016F000169DC0', flag: 5 }
  return buildFrame({ ...frame, cp: [`DataTime=${formatDataTime(now)}`, ...items].join(';') })
    .toString('latin1')
    .trimEnd()
}

/** HJ 212 under each checksum; a frame that fits none is explained under the standard one. */
export function stationDialects({ text, binary, now }: Pasted): DialectVerdict[] {
  const name = (mode: CrcMode) => `HJ 212 环境监测站（${crcModes[mode]}）`
  if (!text.startsWith('##')) return [verdict('hj212', name('standard'), binary ? notText : '应以 ## 开头')]
  const tried = crcModeKeys.map((mode) => ({ mode, why: faultIn(hj212Trial, Buffer.from(text), now, { crcMode: mode }) }))
  const fitting = tried.filter(({ why }) => why === null)
  return (fitting.length ? fitting : tried.slice(0, 1)).map(({ mode, why }) => verdict(`hj212.${mode}`, name(mode), why))
}
