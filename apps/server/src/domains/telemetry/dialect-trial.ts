import { crcModeKeys, crcModes } from '@zhugong/contract/protocols/hj212'
import { familyOf } from '@zhugong/contract/telemetry/families'
import { gateDialects } from '@zhugong/contract/telemetry/gate-dialects'
import { bytesOf } from './decode-trial.ts'
import { readPush } from './gates/adapters.ts'
import type { GateRequest } from './gates/passage.ts'
import { hj212Trial } from './hj212/trial.ts'
import { jt808Trial } from './jt808/trial.ts'
import { meterFormats, trialOfMeter } from './meters/trial.ts'
import { mqttTrial } from './mqtt/trial.ts'
import type { FrameTrial, Trial } from './trial.ts'

export interface DialectVerdict {
  key: string
  name: string
  fits: boolean
  /** Why it does not fit, in words for an integrator; null if it fits. */
  why: string | null
}

const notHexadecimal = '这是文本，不是十六进制报文'
const notText = '这是十六进制报文，不是文本'

/** Tries a pasted frame as every format that the platform reads. Stores nothing. The fitting formats come first. */
export function dialectsOf(frame: string, now: number): DialectVerdict[] {
  const text = frame.trim()
  const binary = bytesOf(text, false)
  const all = [
    ...stationVerdicts(text, binary, now),
    ...binaryVerdicts(binary, now),
    platformVerdict(text, binary, now),
    ...gateVerdicts(text, binary),
  ]
  return all.toSorted((a, b) => Number(b.fits) - Number(a.fits))
}

const verdict = (key: string, name: string, why: string | null): DialectVerdict => ({ key, name, fits: why === null, why })
const faultOf = (trial: Trial): string | null => (trial.ok ? null : [trial.error, trial.hint].filter(Boolean).join('：') || '无法解析')

function tryAs(trial: FrameTrial, content: Buffer, now: number, crcMode?: (typeof crcModeKeys)[number]): string | null {
  const family = familyOf(trial.usualFamily ?? 'environment')
  return family ? faultOf(trial.decode(content, { access: { protocol: trial.protocol, crcMode }, family, now })) : '设备类别不存在'
}

/** HJ 212 under each checksum; a frame that fits none is explained under the standard one. */
function stationVerdicts(text: string, binary: Buffer | undefined, now: number): DialectVerdict[] {
  const name = (mode: (typeof crcModeKeys)[number]) => `HJ 212 环境监测站（${crcModes[mode]}）`
  if (!text.startsWith('##')) return [verdict('hj212', name('standard'), binary ? notText : '应以 ## 开头')]
  const tried = crcModeKeys.map((mode) => ({ mode, why: tryAs(hj212Trial, Buffer.from(text), now, mode) }))
  const fitting = tried.filter(({ why }) => why === null)
  return (fitting.length ? fitting : tried.slice(0, 1)).map(({ mode, why }) => verdict(`hj212.${mode}`, name(mode), why))
}

function binaryVerdicts(binary: Buffer | undefined, now: number): DialectVerdict[] {
  const terminal = (why: string | null) => verdict('jt808', 'JT/T 808 车载终端', why)
  const meters = Object.entries(meterFormats)
  if (!binary) return [terminal(notHexadecimal), ...meters.map(([key, name]) => verdict(key, name, notHexadecimal))]
  const read = trialOfMeter(binary, 'poll')
  return [
    terminal(tryAs(jt808Trial, binary, now)),
    ...meters.map(([key, name]) => verdict(key, name, read.ok && read.protocol === key ? null : '起始符、长度、地址或校验不符')),
  ]
}

function platformVerdict(text: string, binary: Buffer | undefined, now: number): DialectVerdict {
  const name = '本平台的 MQTT / HTTP 上报（JSON）'
  if (!text.startsWith('{')) return verdict('mqtt', name, binary ? notText : '应为 JSON')
  return verdict('mqtt', name, tryAs(mqttTrial, Buffer.from(text), now))
}

function gateVerdicts(text: string, binary: Buffer | undefined): DialectVerdict[] {
  const request = gateRequestOf(text)
  return gateDialects.map(({ key, name, needs }) => {
    if (binary) return verdict(`gate.${key}`, `人脸闸机 ${name}`, notText)
    const pushed = readPush(key, request)
    // A single record of the platform's own form needs a time, otherwise every JSON would fit.
    const isRead = pushed !== undefined && (key !== 'generic' || pushed.passages.length > 0)
    const why = !isRead ? needs : pushed.timeless ? `通行时间无法识别：${JSON.stringify(pushed.timeless[0])}` : null
    return verdict(`gate.${key}`, `人脸闸机 ${name}`, why)
  })
}

/** A pasted push lacks its headers: its form tells them. */
function gateRequestOf(text: string): GateRequest {
  const isForm = /^[\w.]+=[^\n]*&/.test(text)
  const contentType = text.startsWith('<') ? 'application/xml' : isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  const isLines = text.includes('\t')
  return {
    method: 'POST',
    rest: isLines ? 'iclock/cdata' : '',
    query: new URLSearchParams(isLines ? { table: 'ATTLOG' } : {}),
    contentType,
    body: Buffer.from(text),
  }
}
