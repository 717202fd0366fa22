import { gateDialects as formats } from '@zhugong/contract/telemetry/gate-dialects'
import { type DialectVerdict, notText, type Pasted, verdict } from '../trial.ts'
import { readPush } from './adapters.ts'
import type { GateRequest } from './passage.ts'

export function gateDialects({ text, binary }: Pasted): DialectVerdict[] {
  const request = requestOf(text)
  return formats.map(({ key, name, needs }) => {
    const judged = (why: string | null) => verdict(`gate.${key}`, `人脸闸机 ${name}`, why)
    if (binary) return judged(notText)
    const pushed = readPush(key, request)
    // A single record of the platform's own form needs a time, otherwise every JSON would fit.
    if (!pushed || (key === 'generic' && pushed.passages.length === 0)) return judged(needs)
    return judged(pushed.timeless ? `通行时间无法识别：${JSON.stringify(pushed.timeless[0])}` : null)
  })
}

/** A pasted push lacks its headers: its form tells them. */
function requestOf(text: string): GateRequest {
  const isForm = /^[\w.]+=[^\n]*&/.test(text)
  const isLines = text.includes('\t')
  return {
    method: 'POST',
    rest: isLines ? 'iclock/cdata' : '',
    query: new URLSearchParams(isLines ? { table: 'ATTLOG' } : {}),
    contentType: text.startsWith('<') ? 'application/xml' : isForm ? 'application/x-www-form-urlencoded' : 'application/json',
    body: Buffer.from(text),
  }
}
