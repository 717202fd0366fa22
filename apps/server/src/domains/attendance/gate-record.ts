import { hasControlCharacters } from '@zhugong/contract/kit/checks'
import { dedupKey, isRefused } from './engine/identity.ts'
import { attendTypeOf, directionOf, lateness, quarantineReason } from './engine/intake.ts'
import { ledgerScore } from './engine/ledger.ts'

/** A passage as received by a listener: the device, and its message in `data` (family faceGate, record attendance). */
export interface GateRecord {
  deviceId: string
  projectCode: string
  deviceName: string
  params: Readonly<Record<string, unknown>>
  /** Time by the device's clock, epoch ms. */
  time: number
  receivedAt: number
  seq: number
  id: string
  data: Readonly<Record<string, unknown>>
}

/** A received passage with its fields decoded. */
export interface Arrival {
  dedupKey: string
  projectCode: string
  deviceId: string | null
  gate: string
  channel: string | null
  workerId: string | null
  personHint: string | null
  time: number
  receivedAt: number
  direction: '01' | '02' | null
  attendType: string
  score: number | null
  live: '1' | '2' | '3' | null
  pass: '0' | '1' | null
  picture: string | null
  pictureHash: string | null
  temperature: number | null
  source: string
  recordId: string | null
  clockOffsetMs: number | null
  quarantine: string | null
  late: boolean
  refused: boolean
  /** Position of a phone (WGS-84); undefined for gates. */
  place?: { lng: number; lat: number; outsideFence: boolean }
}

/** A text from a device. Characters that the database or canonical JSON cannot store are removed instead of refusing the record. */
function textOf(raw: unknown, max: number): string | null {
  if (typeof raw !== 'string' && typeof raw !== 'number') return null
  const text = String(raw).toWellFormed().replaceAll('\0', '').trim().slice(0, max).toWellFormed()
  return text === '' ? null : text
}

const oneOf = <const T extends string>(raw: unknown, allowed: readonly T[]): T | null => {
  const text = textOf(raw, 20)
  return allowed.find((v) => v === text) ?? null
}

function numberOf(raw: unknown, min: number, max: number): number | null {
  const n = typeof raw === 'string' && raw.trim() !== '' ? Number(raw) : raw
  return typeof n === 'number' && n >= min && n <= max ? n : null
}

/** Whether a text can be a person id. Other texts are stored only as a hint. */
const isPersonId = (text: string) => /^[\w:.@-]{1,64}$/.test(text) && !hasControlCharacters(text)

function clockOf(raw: unknown): number | null {
  if (typeof raw === 'number' && Number.isSafeInteger(raw) && raw > 1e12) return raw
  if (typeof raw !== 'string') return null
  const zoned = /(Z|[+-]\d{2}:?\d{2})$/.test(raw) ? raw : `${raw.replace(' ', 'T')}+08:00`
  const at = Date.parse(zoned)
  return Number.isNaN(at) ? null : at
}

/** Source 1: received as it happened; 2: sent later (A9). */
export const sources = { live: '1', late: '2' } as const

export function arrivalOf(record: GateRecord, gate: { sn: string; name: string }): Arrival {
  const { data, params } = record
  const given = textOf(data.workerId, 64)
  const isStranger = String(data.personType ?? '') === '3'
  const workerId = given !== null && !isStranger && isPersonId(given) ? given : null
  const stated = clockOf(data.deviceClock ?? data.clock)
  const clockOffsetMs = numberOf(data.clockOffsetMs, -1e12, 1e12) ?? (stated === null ? null : stated - record.receivedAt)
  const score = ledgerScore(numberOf(data.score, 0, 100))
  const hash = textOf(data.pictureHash, 64)?.toLowerCase() ?? ''
  const time = Math.trunc(record.time)
  const receivedAt = Math.trunc(record.receivedAt)
  const facts = {
    gate: gate.sn,
    workerId,
    pictureHash: /^[0-9a-f]{64}$/.test(hash) ? hash : null,
    recordId: textOf(data.recordId, 64) ?? textOf(record.id, 64),
    direction: directionOf(data.direction as string | number | undefined),
    time,
    pass: oneOf(data.pass, ['0', '1']),
    live: oneOf(data.live, ['1', '2', '3']),
  }
  return {
    ...facts,
    dedupKey: dedupKey(facts),
    projectCode: record.projectCode,
    deviceId: record.deviceId,
    channel: textOf(params.channelName, 50) ?? textOf(gate.name, 50),
    personHint: workerId === null ? (textOf(data.name, 50) ?? given) : null,
    ...receipt({ time, clockOffsetMs: clockOffsetMs === null ? null : Math.trunc(clockOffsetMs) }, receivedAt),
    attendType: attendTypeOf((data.mode ?? data.attendType) as string | number | undefined),
    score: score === null ? null : score / 100,
    picture: textOf(data.photoUrl, 512),
    temperature: numberOf(data.temperature, 30, 45),
    refused: isRefused(facts),
  }
}

/** The fields that depend on the time of receipt. */
function receipt(e: { time: number; clockOffsetMs: number | null }, receivedAt: number) {
  const { late } = lateness({ time: e.time, receivedAt })
  return {
    receivedAt,
    clockOffsetMs: e.clockOffsetMs,
    quarantine: quarantineReason({ ...e, receivedAt, outsideFence: false }) ?? null,
    late,
    source: late ? sources.late : sources.live,
  }
}

/** A69: receipt times never decrease within a chain; an earlier one (lagging clock) is replaced by that of the previous entry. */
export const receivedNotBefore = (a: Arrival, at: number): Arrival => (a.receivedAt >= at ? a : { ...a, ...receipt(a, at) })
