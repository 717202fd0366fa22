import type { FleetDevice } from '../../equipment/public.ts'
import { type RecordItem, type Rejection, readRecord, readTime } from '../../readings/public.ts'
import type { Counters } from '../counters.ts'
import type { Pipeline } from '../pipeline.ts'
import type { StoredFiles } from '../stored-files.ts'
import type { Pushed } from './passage.ts'

export interface TakeDependencies {
  pipeline: Pick<Pipeline, 'submit'>
  counters: Counters
  files: StoredFiles
}

/** Result of a push, for the gateway log. */
export interface Taken {
  accepted: number
  result: string
  hint: string | undefined
  decoded: Record<string, unknown>
}

/** Passages whose time cannot be parsed can never be stored; they are returned in `timeless`. */
export function withTimes(pushed: Pushed): Pushed {
  const passages = pushed.passages.filter((p) => readTime(p.time) !== undefined)
  const timeless = pushed.passages.filter((p) => readTime(p.time) === undefined).map((p) => p.time)
  return { ...pushed, passages, ignored: pushed.ignored + timeless.length, timeless: timeless.length ? timeless : undefined }
}

/**
 * Stores the passages of a gate through the same pipeline as all records; resolves after the commit.
 * @throws Error if the database is unavailable; the gate sends the push again.
 */
export async function takePassages(deps: TakeDependencies, device: FleetDevice, pushed: Pushed, receivedAt: number): Promise<Taken> {
  const { counters, files } = deps
  const records: RecordItem[] = []
  const refusals: Rejection[] = []
  for (const [index, passage] of pushed.passages.entries()) {
    const data: Record<string, unknown> = { ...passage.data }
    // The direction configured for the gate; a direction sent by the gate takes precedence.
    data.direction ??= device.params.direction
    if (passage.picture) {
      const file = await files.store(device.projectCode, `抓拍-${device.sn}`, passage.picture, device.name, 'attendance')
      data.pictureHash = file.sha256
      if (file.id) data.photoUrl ??= file.id
    }
    const read = readRecord(device.family, { time: passage.time, data, record: 'attendance' }, index, receivedAt)
    if (read.accepted) records.push(read.accepted)
    else refusals.push(...read.rejected)
  }
  if (pushed.timeless) refusals.push({ index: 0, key: 'time', reason: 'time' })
  if (refusals.length) counters.rejected('gate', refusals.length)
  if (records.length) counters.received('gate', records.length)
  await new Promise<void>((resolve, reject) => {
    deps.pipeline.submit({ device, receivedAt, readings: [], records, events: [], done: (error) => (error ? reject(error) : resolve()) })
  })
  return {
    accepted: records.length,
    result: resultOf(pushed, records, refusals),
    hint: hintOf(pushed),
    decoded: { ...records[0]?.data, rejected: refusals.length ? refusals : undefined },
  }
}

function resultOf(pushed: Pushed, records: readonly RecordItem[], refusals: readonly Rejection[]): string {
  if (pushed.timeless) return 'time'
  if (pushed.passedOver) return 'ignored'
  if (refusals.length) return refusals[0]?.reason ?? 'oneRejected'
  return records.length ? 'stored' : 'accepted'
}

/** Such a push is answered with success, because sending it again would not help. The log is the only place that shows the reason. */
function hintOf({ timeless, passedOver }: Pushed): string | undefined {
  if (timeless) return `通行时间无法识别，没有记录考勤：收到 ${JSON.stringify(timeless[0]) ?? '空'}，请核对闸机的时间格式`
  return passedOver ? `不是通行事件，没有记录考勤：类型 ${passedOver}` : undefined
}
