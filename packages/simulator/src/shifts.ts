import { addDays, dayOf, dayStart, weekday } from './calendar.ts'
import { story } from './city-plan.ts'
import type { City, Device, ProjectWorker } from './city-types.ts'
import { idOf, type Random, stream } from './random.ts'

/** One passage at a gate. `time` is the gate's clock in epoch milliseconds, always a whole second. */
export interface GateEvent {
  projectCode: string
  workerId: string
  name: string
  deviceSn: string
  channel: string
  /** Epoch milliseconds. */
  time: number
  /** 01 in, 02 out. */
  direction: '01' | '02'
  /** Code of dictionary attendanceType. */
  attendType: '001' | '005' | '006'
  /** Face match 0-100; null without a face. */
  score: number | null
  live: '1' | '3'
  temperature: number
  pass: '1'
  recordId: string
  /** Delay until the platform received it: 0 for a live passage, hours if the gate was offline. */
  delaySeconds: number
}

/** A gate that was offline and sent its records after reconnecting. */
export interface GateOutage {
  deviceSn: string
  from: number
  to: number
  restoredAt: number
}

const second = 1000
const hour = 3600 * second
const minute = 60 * second

/** Days on which a project was stopped by order, counted back from the city's today. */
const stopDaysAgo: Record<string, number[]> = { [story.main]: [11] }

/** The currently stopped project was stopped this many days ago. */
const stoppedSinceDaysAgo = 18

export function isStopDay(city: City, projectCode: string, day: string): boolean {
  const project = city.projects.find((one) => one.projectCode === projectCode)
  if (!project) return false
  if (project.prjStatus === '005' && day >= addDays(city.today, -stoppedSinceDaysAgo)) return true
  return (stopDaysAgo[project.shortName] ?? []).some((ago) => addDays(city.today, -ago) === day)
}

/** Gates of a project that were offline on a day, and when they reconnected: about every three weeks, and once for two nights. */
export function gateOutages(city: City, projectCode: string, day: string): GateOutage[] {
  const gates = gatesOf(city, projectCode)
  const last = gates.at(-1)
  if (!last || day >= city.today) return []
  const project = city.projects.find((one) => one.projectCode === projectCode)!
  const start = dayStart(day)
  // Story: gate 3# of the hospital was offline a fortnight ago and sent its records on the morning two days later.
  if (project.shortName === story.main && day === addDays(city.today, -14)) {
    const gate = gates[2]!
    return [
      { deviceSn: gate.deviceSn, from: start + 6 * hour, to: start + 24 * hour, restoredAt: start + 57 * hour + 12 * minute + 20 * second },
    ]
  }
  const random = stream(city.seed, 'outage', projectCode, day)
  if (!random.chance(0.05)) return []
  const from = start + random.int(6 * 60, 16 * 60) * minute
  const to = from + random.int(25, 95) * minute
  return [{ deviceSn: last.deviceSn, from, to, restoredAt: to + random.int(1, 6) * minute }]
}

const gatesOf = (city: City, projectCode: string) =>
  city.devices.filter((device) => device.projectCode === projectCode && device.family === 'faceGate')

interface Habits {
  /** The gate this person nearly always uses. */
  gate: Device
  /** Usual deviation from the working hours in minutes. */
  early: number
  goesOutForLunch: boolean
  diligence: number
  forgets: number
  byCard: boolean
  night: boolean
}

/** Night shift of a project; fixed, the same every day. */
function nightCrew(city: City, projectCode: string): Set<string> {
  const crew = new Set<string>()
  // Share of night workers by trade: concrete, piling and earthworks run at night, with their supporting trades.
  const share: Record<string, number> = { '040': 0.5, '160': 0.5, '153': 0.35, '081': 0.34, '171': 0.25 }
  for (const row of city.projectWorkers) {
    if (row.projectCode !== projectCode || row.stationed !== '1' || !row.workType) continue
    const part = share[row.workType]
    if (part && stream(city.seed, 'night', row.workerId).chance(part)) crew.add(row.workerId)
  }
  return crew
}

function habitsOf(city: City, row: ProjectWorker, gates: Device[], night: boolean): Habits {
  const random = stream(city.seed, 'habits', row.workerId)
  const manager = row.workRole === '10'
  return {
    gate: gates[random.weighted(gates.map((_, i) => [i, i === 0 ? 4 : i === 2 ? 3 : 1] as const))]!,
    early: random.normal(0, 7) + (manager ? 12 : 0),
    goesOutForLunch: random.chance(manager ? 0.25 : 0.5),
    // A few people come seldom, to be noticed by supervision.
    diligence: random.chance(0.03) ? random.float(0.35, 0.7) : random.float(0.94, 0.995),
    forgets: random.chance(0.08) ? 0.07 : 0.008,
    byCard: random.chance(0.02),
    night,
  }
}

/** Absences of the story's people: [name, days ago from, days ago to]. */
const absences: [string, number, number][] = [
  ['胡志刚', 2, 0],
  ['邓永发', 5, 0],
  ['龚伟', 1, 0],
]

function absentByStory(city: City, name: string, day: string): boolean {
  return absences.some(([who, from, to]) => who === name && day >= addDays(city.today, -from) && day <= addDays(city.today, -to))
}

/**
 * All passages of a project's people that belong to a working day; a night shift's way home falls on the next date. Sorted by time.
 * Determined by seed and day, whoever else is on the site.
 */
export function dayEvents(city: City, projectCode: string, day: string): GateEvent[] {
  const gates = gatesOf(city, projectCode)
  const project = city.projects.find((one) => one.projectCode === projectCode)
  if (!gates.length || !project || day < project.startDate) return []
  const stopped = isStopDay(city, projectCode, day)
  const sunday = weekday(day) === 0
  const crew = nightCrew(city, projectCode)
  const outages = gateOutages(city, projectCode, day)
  const names = workerNames(city)
  const base = project.prjStatus === '005' && !stopped ? 0.88 : attendanceOf(project.shortName)
  // The whole site has better and worse days: rain, a concrete pour, market day.
  const mood = stream(city.seed, 'mood', projectCode, day).normal(0, 0.012)
  const events: GateEvent[] = []
  for (const row of city.projectWorkers) {
    if (row.projectCode !== projectCode || row.entryTime.slice(0, 10) > day) continue
    if (row.exitTime && row.exitTime.slice(0, 10) < day) continue
    const name = names.get(row.workerId) ?? ''
    const random = stream(city.seed, 'day', row.workerId, day)
    const habits = habitsOf(city, row, gates, crew.has(row.workerId))
    const keyPost = row.post !== null
    const wanted = stopped
      ? keyPost
        ? 0.3
        : 0.04
      : sunday
        ? keyPost
          ? 0.45
          : 0.3
        : Math.min(0.99, base + mood + (keyPost ? 0.03 : 0)) * (habits.diligence / 0.97)
    if (!random.chance(wanted) || absentByStory(city, name, day)) continue
    const passages = habits.night && !sunday ? nightPassages(random, day, habits) : dayPassages(random, day, habits, { sunday, keyPost })
    for (const [time, direction] of passages) {
      const gate = random.chance(0.88) ? habits.gate : random.pick(gates)
      const outage = outages.find((one) => one.deviceSn === gate.deviceSn && time >= one.from && time < one.to)
      events.push(passage(random, row, name, gate, time, direction, habits, outage))
    }
  }
  return events.sort((a, b) => a.time - b.time || (a.recordId < b.recordId ? -1 : 1))
}

function attendanceOf(shortName: string): number {
  const known: Record<string, number> = {
    滨江医院东院区: 0.925,
    东湾综合体: 0.915,
    江滩公寓二期: 0.88,
    云东智谷二期: 0.94,
    云东中学: 0.965,
    沿江二路管廊: 0.9,
  }
  return known[shortName] ?? 0.92
}

const nameCache = new WeakMap<City, Map<string, string>>()
function workerNames(city: City): Map<string, string> {
  const known = nameCache.get(city) ?? new Map(city.workers.map((worker) => [worker.workerId, worker.name]))
  nameCache.set(city, known)
  return known
}

type Passage = [number, '01' | '02']

/** Day shift, with the lunches, errands, late arrivals and missed punches of real lists. */
function dayPassages(random: Random, day: string, habits: Habits, { sunday, keyPost }: { sunday: boolean; keyPost: boolean }): Passage[] {
  const start = dayStart(day)
  const at = (hours: number, spreadMinutes: number) =>
    Math.round((start + hours * hour + random.normal(0, spreadMinutes) * minute) / second) * second
  const late = random.chance(0.035)
  const arrival = sunday
    ? at(7.6, 35)
    : late
      ? at(7.55, 9)
      : Math.min(at(6.78, 7) + habits.early * minute, start + 7 * hour + random.int(0, 8) * minute)
  const passages: Passage[] = [[Math.round(arrival / second) * second, '01']]
  const half = random.chance(0.012)
  if (half) {
    passages.push([at(11.7, 8), '02'])
    return passages
  }
  if (habits.goesOutForLunch && random.chance(0.85)) {
    const out = at(11.62, 6)
    passages.push([out, '02'], [out + random.int(48, 82) * minute + random.int(0, 59) * second, '01'])
  } else if (random.chance(keyPost ? 0.3 : 0.05)) {
    const out = at(random.float(8.6, 15.4), 10)
    passages.push([out, '02'], [out + random.int(12, 70) * minute + random.int(0, 59) * second, '01'])
  }
  const overtime = random.chance(0.07)
  const leaving = random.chance(0.02) ? at(16.9, 8) : overtime ? at(20.2, 30) : keyPost ? at(17.95, 14) : at(17.72, 9)
  passages.push([leaving, '02'])
  // The same face twice within seconds.
  if (random.chance(0.012)) passages.push([passages[0]![0] + random.int(3, 25) * second, '01'])
  const ordered = passages.sort((a, b) => a[0] - b[0])
  if (random.chance(habits.forgets)) ordered.pop()
  return ordered
}

/** Night shift: in before 21:00, some out and in around midnight, home at 05:30. */
function nightPassages(random: Random, day: string, habits: Habits): Passage[] {
  const start = dayStart(day)
  const at = (hours: number, spreadMinutes: number) =>
    Math.round((start + hours * hour + random.normal(0, spreadMinutes) * minute) / second) * second
  const passages: Passage[] = [[at(18.7, 9), '01']]
  if (random.chance(0.7)) {
    const out = at(random.pick([22.6, 23.5, 24.2]), 25)
    passages.push([out, '02'], [out + random.int(25, 55) * minute + random.int(0, 59) * second, '01'])
  }
  if (random.chance(0.45)) {
    const out = at(random.pick([25.6, 26.8, 27.4]), 20)
    passages.push([out, '02'], [out + random.int(10, 30) * minute + random.int(0, 59) * second, '01'])
  }
  passages.push([at(29.6, 10), '02'])
  if (random.chance(habits.forgets)) passages.pop()
  return passages
}

function passage(
  random: Random,
  row: ProjectWorker,
  name: string,
  gate: Device,
  time: number,
  direction: '01' | '02',
  habits: Habits,
  outage: GateOutage | undefined,
): GateEvent {
  const byCard = habits.byCard || random.chance(0.015)
  const doubtful = random.chance(0.004)
  return {
    projectCode: row.projectCode,
    workerId: row.workerId,
    name,
    deviceSn: gate.deviceSn,
    channel: gate.name,
    time,
    direction,
    attendType: byCard ? '006' : '001',
    score: byCard ? null : Math.round((doubtful ? random.float(70, 79.9) : Math.min(99.4, random.normal(95.2, 1.6))) * 10) / 10,
    live: byCard ? '3' : '1',
    temperature: Math.round((random.chance(0.0006) ? random.float(37.4, 38.2) : random.normal(36.4, 0.2)) * 10) / 10,
    pass: '1',
    recordId: idOf(gate.deviceSn, row.workerId, direction, time).slice(0, 20),
    delaySeconds: outage ? Math.round((outage.restoredAt - time) / second) + random.int(0, 240) : 0,
  }
}

/** A refused passage of an unknown person, so without a worker. */
export interface StrangerEvent {
  projectCode: string
  deviceSn: string
  channel: string
  time: number
  direction: '01' | '02'
  score: number
  pass: '0'
  recordId: string
}

export function strangerEvents(city: City, projectCode: string, day: string): StrangerEvent[] {
  const gates = gatesOf(city, projectCode)
  if (!gates.length) return []
  const random = stream(city.seed, 'strangers', projectCode, day)
  return Array.from({ length: random.int(0, 3) }, (_, i) => {
    const gate = random.pick(gates)
    const time = dayStart(day) + random.int(7 * 3600, 18 * 3600) * second
    return {
      projectCode,
      deviceSn: gate.deviceSn,
      channel: gate.name,
      time,
      direction: '01' as const,
      score: random.int(20, 55),
      pass: '0' as const,
      recordId: idOf(gate.deviceSn, 'stranger', day, i).slice(0, 20),
    }
  }).sort((a, b) => a.time - b.time)
}

/** Passages in [from, to), including night shifts of the day before. */
export function eventsBetween(city: City, projectCode: string, from: number, to: number): GateEvent[] {
  const events: GateEvent[] = []
  for (let day = addDays(dayOf(from), -1); day <= dayOf(to - 1); day = addDays(day, 1)) {
    for (const event of dayEvents(city, projectCode, day)) if (event.time >= from && event.time < to) events.push(event)
  }
  return events.sort((a, b) => a.time - b.time || (a.recordId < b.recordId ? -1 : 1))
}

const modeOf = { '001': '1', '006': '2', '005': '4' } as const

/** A passage as a record of the gate family: direction 0 in, 1 out; mode 1 face, 2 card, 4 ID card. */
export function attendanceRecord(event: GateEvent | StrangerEvent): Record<string, string | number> {
  const record: Record<string, string | number> = {
    recordId: event.recordId,
    time: new Date(event.time).toISOString(),
    direction: event.direction === '01' ? '0' : '1',
    pass: event.pass,
    personType: event.pass === '1' ? '1' : '3',
    mode: 'attendType' in event ? modeOf[event.attendType] : '1',
  }
  if (event.score !== null) record.score = event.score
  if ('workerId' in event) {
    record.workerId = event.workerId
    record.name = event.name
    record.live = event.live
    record.temperature = event.temperature
  }
  return record
}
