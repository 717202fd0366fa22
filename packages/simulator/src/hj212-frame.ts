import { compactTime } from './calendar.ts'

/** CRC of HJ 212: unlike in Modbus, the register is shifted right by a byte before the data byte is XORed in. */
export function hj212Crc(segment: Uint8Array): number {
  let register = 0xffff
  for (const byte of segment) {
    register = (register >> 8) ^ byte
    for (let bit = 0; bit < 8; bit++) {
      const low = register & 1
      register >>= 1
      if (low) register ^= 0xa001
    }
  }
  return register
}

/** `##`, four digits of length, segment, four characters of CRC, CR LF. */
export function hj212Frame(segment: string): Buffer {
  const data = Buffer.from(segment, 'utf8')
  const check = hj212Crc(data).toString(16).toUpperCase().padStart(4, '0')
  return Buffer.concat([Buffer.from(`##${String(data.length).padStart(4, '0')}`), data, Buffer.from(`${check}\r\n`)])
}

/** Metric codes of the standard. */
export const hj212Codes = {
  tsp: 'a34001',
  pm10: 'a34002',
  pm25: 'a34004',
  noise: 'LA',
  leq: 'Leq',
  temperature: 'a01001',
  humidity: 'a01002',
  pressure: 'a01006',
  windSpeed: 'a01007',
  windDirection: 'a01008',
} as const
export type Hj212Metric = keyof typeof hj212Codes

export interface StationIdentity {
  mn: string
  password: string
}

/** N normal, D fault, C calibration, M maintenance, B no link, T over range. */
export type DataFlag = 'N' | 'D' | 'C' | 'M' | 'B' | 'T'

function segment(station: StationIdentity, qn: string, cn: string, cp: string): string {
  // Flag 5: version 2017, answer required.
  return `QN=${qn};ST=39;CN=${cn};PW=${station.password};MN=${station.mn};Flag=5;CP=&&${cp}&&`
}

/** 2011: current values. `qn` identifies the exchange and stays the same when the frame is repeated. */
export function realtimeFrame(
  station: StationIdentity,
  qn: string,
  sampledAt: number,
  values: Partial<Record<Hj212Metric, number>>,
  flags: Partial<Record<Hj212Metric, DataFlag>> = {},
): Buffer {
  const items = Object.entries(values).map(
    ([metric, value]) =>
      `${hj212Codes[metric as Hj212Metric]}-Rtd=${value},${hj212Codes[metric as Hj212Metric]}-Flag=${flags[metric as Hj212Metric] ?? 'N'}`,
  )
  return hj212Frame(segment(station, qn, '2011', [`DataTime=${compactTime(sampledAt)}`, ...items].join(';')))
}

export interface PeriodValue {
  min: number
  avg: number
  max: number
}

/** 2051 minute and 2061 hour data; `periodStart` is the beginning of the period. */
export function periodFrame(
  station: StationIdentity,
  qn: string,
  cn: '2051' | '2061',
  periodStart: number,
  values: Partial<Record<Hj212Metric, PeriodValue>>,
): Buffer {
  const items = Object.entries(values).map(([metric, value]) => {
    const code = hj212Codes[metric as Hj212Metric]
    return `${code}-Min=${value.min},${code}-Avg=${value.avg},${code}-Max=${value.max},${code}-Flag=N`
  })
  return hj212Frame(segment(station, qn, cn, [`DataTime=${compactTime(periodStart)}`, ...items].join(';')))
}

/** Answer to a command of the platform: 9011 accepted, 9012 done. */
export function answerFrame(station: StationIdentity, qn: string, cn: '9011' | '9012', result: number): Buffer {
  const name = cn === '9011' ? 'QnRtn' : 'ExeRtn'
  return hj212Frame(`QN=${qn};ST=91;CN=${cn};PW=${station.password};MN=${station.mn};Flag=4;CP=&&${name}=${result}&&`)
}

export interface Hj212Message {
  qn: string
  cn: string
  flag: number
  cp: string
}

/** Splits a byte stream into frames; after an invalid frame the search goes on behind its `##`. */
export class Hj212Reader {
  private buffer = Buffer.alloc(0)

  push(chunk: Buffer): Hj212Message[] {
    this.buffer = Buffer.concat([this.buffer, chunk])
    const found: Hj212Message[] = []
    for (;;) {
      const start = this.buffer.indexOf('##')
      if (start < 0) {
        this.buffer = this.buffer.subarray(Math.max(0, this.buffer.length - 1))
        return found
      }
      this.buffer = this.buffer.subarray(start)
      if (this.buffer.length < 6) return found
      const lengthText = this.buffer.toString('latin1', 2, 6)
      const length = /^\d{4}$/.test(lengthText) ? Number(lengthText) : -1
      if (length < 0) {
        this.buffer = this.buffer.subarray(2)
        continue
      }
      if (this.buffer.length < 6 + length + 4) return found
      const data = this.buffer.subarray(6, 6 + length)
      const check = this.buffer.toString('latin1', 6 + length, 10 + length).toUpperCase()
      if (hj212Crc(data).toString(16).toUpperCase().padStart(4, '0') !== check) {
        this.buffer = this.buffer.subarray(2)
        continue
      }
      this.buffer = this.buffer.subarray(10 + length)
      const text = data.toString('utf8')
      const field = (name: string) => new RegExp(`(?:^|;)${name}=([^;]*)`).exec(text)?.[1] ?? ''
      found.push({ qn: field('QN'), cn: field('CN'), flag: Number(field('Flag') || 0), cp: /CP=&&(.*?)&&/.exec(text)?.[1] ?? '' })
    }
  }
}
