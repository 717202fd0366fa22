import { currentSchema } from '@zhugong/contract/telemetry/families'
import type { FleetDevice } from '../../equipment/public.ts'
import { type EventItem, flagOf, markOf, type Rejection } from '../../readings/public.ts'
import { verdictOf as verdictOfValues } from '../frame-verdict.ts'
import type { Work } from '../work.ts'
import { answerTo, type Hj212Frame, needsAnswer } from './frame.ts'
import { type Line, type LineContext, noteFrame, send, settle } from './line.ts'
import type { ReportPackets } from './packets.ts'
import type { StationRequests } from './requests.ts'
import { formatDataTime, isPeriod, parseDataTime, type StationWords, toPeriod, toReading } from './values.ts'

interface TakeContext extends LineContext {
  requests: StationRequests
  packets: ReportPackets
}

/** A frame of an authenticated station. */
export interface Heard {
  line: Line
  device: FleetDevice
  frame: Hj212Frame
  receivedAt: number
}

interface Answer {
  cn: '9013' | '9014'
  send(): void
}

type Part = Partial<Pick<Work, 'readings' | 'records' | 'events'>>
/** How a frame is processed: what is stored, the reply after the commit, and the log entry. */
interface Verdict {
  part?: Part
  answer?: Answer | undefined
  result?: string | undefined
  hint?: string | undefined
  rejected?: readonly Rejection[]
}

/** The device's own units and codes, if they are configured. */
const wordsOf = (device: FleetDevice): StationWords => device.access as StationWords

/** Stores the content of a frame and replies. `isExpected`: the frame is a step of a pending request. */
export function takeHeard(ctx: TakeContext, heard: Heard, isExpected: boolean): void {
  submit(ctx, heard, verdictOf(ctx, heard, isExpected))
}

export const isAnswerFrame = (frame: Hj212Frame): boolean => /^901[1-4]$/.test(frame.cn)

function verdictOf(ctx: TakeContext, heard: Heard, isExpected: boolean): Verdict {
  const { frame } = heard
  if (frame.cn === '2011') return realTime(ctx, heard)
  if (isPeriod(frame.cn)) return period(ctx, heard)
  if (/^30(15|19|20|22|24)$/.test(frame.cn)) return { part: { events: [happening(heard)] }, answer: answerOf(heard, '9014') }
  if (frame.cn === '9015') return { answer: answerOf(heard, '9013') }
  if (frame.cn === '1013') return { answer: timeOfDay(ctx, heard) }
  // Responses to requests get no reply; other commands are counted as refused.
  const isKnown = isAnswerFrame(frame) || isExpected
  if (!isKnown) ctx.counters.refused(`hj212-${frame.cn}`)
  return { result: isKnown ? 'accepted' : 'ignored' }
}

function answerOf({ line, device, frame }: Heard, cn: Answer['cn']): Answer | undefined {
  if (!needsAnswer(frame.flag)) return undefined
  return { cn, send: () => send(line, answerTo(frame, cn, device.access.crcMode ?? 'standard')) }
}

function realTime({ counters, packets, now }: TakeContext, heard: Heard): Verdict {
  const { device, frame, receivedAt } = heard
  const { reading, rejected } = toReading(frame, device.family, wordsOf(device), receivedAt)
  if (rejected.length) counters.rejected('hj212', rejected.length)
  // Data that can never be stored is acknowledged too, since a retransmission would fail again. It is counted as rejected.
  const answer = answerOf(heard, '9014')
  if (!reading) return { answer, result: rejected[0]?.reason, rejected }
  counters.received('hj212', 1)
  const whole = packets.merged(device.id, frame, reading, now())
  const { result, hint } = verdictOfValues(device.family, { readings: [reading] }, rejected, false)
  return { part: { readings: [whole] }, answer, result, hint, rejected }
}

function period({ counters }: TakeContext, heard: Heard): Verdict {
  const record = toPeriod(heard.frame, wordsOf(heard.device), heard.receivedAt)
  if (record) counters.received('hj212', 1)
  return { part: { records: record ? [record] : [] }, answer: answerOf(heard, '9014'), result: record ? undefined : 'time' }
}

/** The time of a frame comes from its content, so that a retransmission gets the same time. */
function momentOf({ qn, pairs }: Hj212Frame, receivedAt: number): number {
  const found = parseDataTime(pairs?.find(([name]) => name === 'DataTime')?.[1] ?? '') ?? parseDataTime(qn)
  return found === undefined || flagOf(found, receivedAt) === 'refused' ? receivedAt : found
}

function happening({ frame, receivedAt }: Heard): EventItem {
  return {
    type: `hj212-${frame.cn}`,
    state: 'start',
    value: null,
    time: momentOf(frame, receivedAt),
    receivedAt,
    point: '',
    id: `${frame.cn}:${frame.qn}:${markOf(frame.pno, frame.cp)}`,
    data: { cp: frame.cp, schema: currentSchema },
  }
}

/** A station that requests the time gets it, even if its flag requests no reply. */
function timeOfDay({ requests, now }: TakeContext, { line, device, frame }: Heard): Answer {
  return {
    cn: '9013',
    send: () => {
      send(line, answerTo(frame, '9013', device.access.crcMode ?? 'standard'))
      void requests.ask(device, { cn: '1012', cp: `SystemTime=${formatDataTime(now())}` })
    },
  }
}

function submit(ctx: TakeContext, heard: Heard, { part = {}, answer, result, hint, rejected = [] }: Verdict): void {
  const { line, device, frame, receivedAt } = heard
  const stored = part.readings?.length || part.records?.length || part.events?.length
  const [reading] = part.readings ?? []
  const values = reading ? { ...reading.values, ...reading.unknown } : part.records?.[0]?.data
  ctx.pipeline.submit({
    device,
    receivedAt,
    readings: [],
    records: [],
    events: [],
    ...part,
    done: (error, { duplicated }) => {
      if (!error) {
        answer?.send()
        noteFrame(ctx, line, frame, device, {
          result: stored && duplicated ? 'duplicate' : (result ?? (stored ? 'stored' : 'accepted')),
          hint: duplicated ? undefined : hint,
          answer: answer?.cn,
          receivedAt,
          decoded: rejected.length ? { ...values, rejected } : values,
        })
      }
      settle(line)
    },
  })
}
