import type { Family } from '@zhugong/contract/telemetry/families'
import type { EventItem, Reading, RecordItem } from '../../readings/public.ts'
import { readLocation, type readMedia, type readMediaEvent, type readVideoList } from './bodies.ts'
import type { TerminalState } from './terminal-state.ts'
import { alarmEdges, toReading } from './values.ts'

/** Converts the messages of a terminal to readings, records and events. */

type Read<F extends (...args: never[]) => unknown> = NonNullable<ReturnType<F>>

/**
 * Decodes locations in time order, with events for alarm bits that were set or cleared. Updates `state` to the newest location.
 * `refused` is the reason why at least one location was rejected.
 */
export function positionsIn(
  { family, params }: { family: Family; params: Readonly<Record<string, unknown>> },
  bodies: readonly Buffer[],
  receivedAt: number,
  state: TerminalState,
) {
  const readings: Reading[] = []
  const events: EventItem[] = []
  let refused: string | undefined
  const read = bodies.flatMap((body) => {
    const location = readLocation(body)
    if (!location) refused = 'format'
    return location ? [{ location, body }] : []
  })
  read.sort((a, b) => (a.location.time ?? 0) - (b.location.time ?? 0))
  for (const { location, body } of read) {
    const reading = toReading(family, location, body, receivedAt, state.point, params)
    if (typeof reading === 'string') {
      refused = reading
      continue
    }
    readings.push(reading)
    // Late, repeated or future locations do not change the current alarm state.
    if (reading.time < state.alarmTime || reading.flag === 2) continue
    events.push(...alarmEdges(state.alarm, location.alarm, reading))
    state.alarm = location.alarm
    state.alarmTime = reading.time
    if (reading.values.positioned === true) state.point = { longitude: location.longitude, latitude: location.latitude }
  }
  return { readings, events, refused }
}

/** Event for a picture or recording that the terminal announces. */
export const announcedBy = (event: Read<typeof readMediaEvent>, receivedAt: number): EventItem => ({
  type: 'mediaEvent',
  state: 'start',
  value: null,
  time: receivedAt,
  receivedAt,
  point: '',
  id: `media:${event.mediaId}`,
  data: { ...event },
})

export const clipsIn = ({ entries }: Read<typeof readVideoList>, receivedAt: number): RecordItem[] =>
  entries.map((entry) => ({
    record: 'videoClip',
    time: entry.startTime,
    receivedAt,
    seq: 0,
    id: `videoClip:${entry.channel}:${entry.stream}:${entry.endTime}`,
    data: { ...entry },
  }))

/** Record of a picture or recording; the file is stored separately. */
export function mediaRecord(
  media: Read<typeof readMedia>,
  file: { sha256: string; id?: string | undefined },
  receivedAt: number,
): RecordItem {
  const { data, location, ...event } = media
  return {
    record: 'media',
    time: location?.time ?? receivedAt,
    receivedAt,
    seq: 0,
    id: `media:${event.mediaId}:${file.sha256.slice(0, 16)}`,
    data: {
      ...event,
      bytes: data.length,
      sha256: file.sha256,
      fileId: file.id || undefined,
      longitude: location?.positioned ? location.longitude : undefined,
      latitude: location?.positioned ? location.latitude : undefined,
    },
  }
}
