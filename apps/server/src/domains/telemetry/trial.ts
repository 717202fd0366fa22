import type { ProtocolKey } from '@zhugong/contract/protocols/catalogue'
import type { CrcMode } from '@zhugong/contract/protocols/hj212'
import { frameHint } from '@zhugong/contract/telemetry/commands'
import { type Family, familyOf } from '@zhugong/contract/telemetry/families'

/** Settings of the device whose frame is decoded. */
export interface TrialAccess {
  protocol: string
  family?: string | undefined
  units?: Record<string, string> | undefined
  codes?: Record<string, { metric: string; factor: number }> | undefined
  crcMode?: CrcMode | undefined
  maxLength?: number | undefined
  /** SM4 key, 32 hexadecimal digits. */
  key?: string | undefined
}
export interface Trial {
  ok: boolean
  protocol: string
  /** Why the frame could not be decoded. */
  error: string | null
  /** What was expected, what was received, what to change. */
  hint: string | null
  /** Decoded fields by name. */
  fields: Record<string, unknown>
  /** Values that would be stored; null if none. */
  values: Record<string, unknown> | null
  quality: Record<string, string> | null
}

/** What the faults of frames are called. */
export const faultWords: Readonly<Record<string, string>> = {
  length: '长度不符',
  crc: 'CRC 校验错误',
  tail: '帧尾不正确',
  structure: '结构不正确',
  timeout: '报文不完整',
  escape: '转义不正确',
  check: '校验码错误',
  time: '时间不正确',
  position: '坐标超出范围',
  tooOld: '时间早于 30 天',
}

/** Settings used to decode the frame. */
export interface Reader {
  access: TrialAccess
  family: Family
  now: number
}

/** How a protocol decodes a pasted frame and what a sample of it looks like. */
export interface FrameTrial {
  readonly protocol: ProtocolKey
  /** Frames are text, not hexadecimal. */
  readonly isText?: boolean
  /** A text that is a frame of this protocol, whatever protocol is selected. */
  recognises?(text: string): boolean
  /** Family used if none is given; by default `environment`. */
  readonly usualFamily?: string
  /** Undefined: the content is decoded only if it is recognised. */
  readonly whenSelected?: boolean
  decode(content: Buffer, reader: Reader): Trial
  /** A sample message of a family with typical values; undefined if devices of the family do not use the protocol. */
  sampleOf?(family: Family, now: number): { label: string; text: string } | undefined
}

export const answer = (protocol: string, more: Partial<Trial>): Trial => ({
  ok: false,
  protocol,
  error: null,
  hint: null,
  fields: {},
  values: null,
  quality: null,
  ...more,
})

export const failed = (protocol: string, error: string, fields: Record<string, unknown> = {}, hint?: string): Trial =>
  answer(protocol, { error: faultWords[error] ?? error, fields, hint: hint ?? frameHint(protocol, error) ?? null })

/** A pasted frame: as text, and decoded if it is hexadecimal. */
export interface Pasted {
  text: string
  binary: Buffer | undefined
  now: number
}

/** Whether a pasted frame has a format that the platform reads. */
export interface DialectVerdict {
  key: string
  name: string
  fits: boolean
  /** Why it does not fit, in words for an integrator; null if it fits. */
  why: string | null
}

export const notHexadecimal = '这是文本，不是十六进制报文'
export const notText = '这是十六进制报文，不是文本'
export const verdict = (key: string, name: string, why: string | null): DialectVerdict => ({ key, name, fits: why === null, why })

/** Why a protocol cannot decode a frame; null if it can. */
export function faultIn(trial: FrameTrial, content: Buffer, now: number, access: Partial<TrialAccess> = {}): string | null {
  const family = familyOf(trial.usualFamily ?? 'environment')
  if (!family) return '设备类别不存在'
  const read = trial.decode(content, { access: { protocol: trial.protocol, ...access }, family, now })
  return read.ok ? null : [read.error, read.hint].filter(Boolean).join('：') || '无法解析'
}
