import { type RehearseOutput, rehearseInput } from '@zhugong/contract/attendance/rehearsal'
import { rehearse } from './rehearse.ts'

/** A passage in one line: `03-02 07:00:00 in`, plus deviations from the defaults. The year is 2026 unless given. */
export type GivenEvent = string | ({ at: string; received?: string } & Record<string, unknown>)

export const full = (at: string): string => {
  const text = /^\d{4}-/.test(at) ? at : `2026-${at}`
  return text.length === 16 ? `${text}:00` : text
}

const directions: Record<string, string | null> = { in: '01', out: '02', none: null }

export function eventFrom(given: GivenEvent, index = 0): Record<string, unknown> {
  const { at, received, ...rest } = typeof given === 'string' ? { at: given, received: undefined } : given
  const [, time = '', way = 'none'] = /^(.*\d) ?(in|out|none)?$/.exec(at) ?? []
  return {
    id: `e${index + 1}`,
    time: full(time),
    receivedAt: full(received ?? time),
    direction: directions[way],
    gate: 'G1',
    type: '001',
    ...rest,
  }
}

/** A worker in place since January, project under construction, default setting; the week of Monday 2 March 2026 is in the past. */
export function site(given: {
  events?: GivenEvent[]
  setting?: Record<string, unknown>
  from?: string
  to?: string
  now?: string
  rows?: Record<string, unknown>[]
  [key: string]: unknown
}): RehearseOutput {
  const { events = [], setting = {}, from = '2026-03-02', to = from, now = '04-20 12:00:00', rows, worker, ...rest } = given
  return rehearse(
    rehearseInput.parse({
      setting,
      project: { states: [{ state: '003', from: '2025-12-01 00:00:00' }] },
      worker: {
        workerId: 'w1',
        rows: rows ?? [{ entryTime: '2026-01-05 08:00:00', formalFrom: '2026-01-05 08:00:00', corpCode: 'C1', teamSysNo: 'T1' }],
        ...(worker as object | undefined),
      },
      events: events.map(eventFrom),
      from,
      to,
      now: full(now),
      ...rest,
    }),
  )
}

/** The single day of the result. */
export function dayOf(given: Parameters<typeof site>[0]): RehearseOutput['days'][number] {
  const [day] = site(given).days
  if (!day) throw new Error('the person is not in place on this day')
  return day
}

export const correction = (id: string, kind: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  kind,
  state: '2',
  requestedBy: 'clerk',
  requestedAt: '2026-03-03 09:00:00',
  approvedBy: 'manager',
  approvedAt: '2026-03-03 10:00:00',
  ...more,
})
