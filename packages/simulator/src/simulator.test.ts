import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addDays, dayStart } from './calendar.ts'
import { buildCity } from './city.ts'
import { story } from './city-plan.ts'
import { Crane, driversOf } from './crane.ts'
import { Encounter } from './crane-moves.ts'
import { craneLimits, ratedLoadAt } from './crane-params.ts'
import { Dust } from './dust.ts'
import { alarmHistory, recordHistory, telemetryHistory } from './history.ts'
import { machineFor } from './machines.ts'
import { bankCardNumber, isCreditCode, isIdCardNumber, luhnCheck } from './numbers.ts'
import { drawFile } from './pictures.ts'
import { stream } from './random.ts'
import { attendanceRecord, dayEvents, eventsBetween, isStopDay } from './shifts.ts'
import { pilePeriodMs, pileRecordOf } from './structures.ts'

const today = '2026-11-20'
const city = buildCity({ seed: 1, today })
const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
const project = (shortName: string) => city.projects.find((one) => one.shortName === shortName)!
const presentIn = (projectCode: string) => city.projectWorkers.filter((row) => row.projectCode === projectCode && row.stationed === '1')

describe('the same seed and day', () => {
  test('whoever is named as manager, as responsible for a team and in a file has one telephone and one number', () => {
    const file = (corpCode: string, name: string) => {
      const stay = city.projectWorkers.find(
        (row) => row.corpCode === corpCode && row.post !== null && city.workers.find((w) => w.workerId === row.workerId)?.name === name,
      )
      return city.workers.find((worker) => worker.workerId === stay?.workerId)
    }
    const named = city.teams.filter((team) => file(team.corpCode, team.responsiblePersonName))
    expect(named.length).toBeGreaterThan(5)
    for (const team of named) {
      const own = file(team.corpCode, team.responsiblePersonName)
      expect([team.responsiblePersonPhone, team.responsiblePersonIdNumber]).toEqual([own?.cellPhone, own?.idCardNumber])
      const unit = city.projectCorps.find((row) => row.corpCode === team.corpCode && row.projectCode === team.projectCode)
      if (unit?.pmName === team.responsiblePersonName) expect(unit.pmPhone).toBe(own?.cellPhone)
    }
  })

  test('give the same city and the same passages, bit for bit', { timeout: 30_000 }, () => {
    const again = buildCity({ seed: 1, today })
    expect(hash(again)).toBe(hash(city))
    const { projectCode } = project(story.main)
    expect(hash(dayEvents(again, projectCode, today))).toBe(hash(dayEvents(city, projectCode, today)))
    expect(hash(buildCity({ seed: 2, today }))).not.toBe(hash(city))
  })

  test('give the same past, whichever range asks for it', () => {
    const crane = city.devices.find((device) => device.family === 'towerCrane')!
    const from = dayStart(today) + 8 * 3_600_000
    const wide = [...telemetryHistory(city, crane.deviceSn, from, from + 3_600_000, 60)]
    const narrow = [...telemetryHistory(city, crane.deviceSn, from + 1_800_000, from + 3_600_000, 60)]
    expect(narrow).toEqual(wide.filter((sample) => sample.time >= from + 1_800_000))
  })

  test('a stream is not shifted by its neighbours', () => {
    const alone = stream(1, 'device', 'A').next()
    stream(1, 'device', 'B').next()
    expect(stream(1, 'device', 'A').next()).toBe(alone)
  })
})

describe('the city', () => {
  test('has valid numbers everywhere, and each only once', () => {
    for (const worker of city.workers) {
      expect(isIdCardNumber(worker.idCardNumber), worker.name).toBe(true)
      expect(Number(worker.idCardNumber[16]) % 2).toBe(worker.gender === '1' ? 1 : 0)
      expect(`${worker.birthday.replaceAll('-', '')}`).toBe(worker.idCardNumber.slice(6, 14))
      expect(worker.cellPhone).toMatch(/^1[3-9]\d{9}$/)
    }
    expect(new Set(city.workers.map((worker) => worker.idCardNumber)).size).toBe(city.workers.length)
    for (const corp of city.corporations) expect(isCreditCode(corp.corpCode), corp.corpName).toBe(true)
    for (const row of city.projectWorkers) {
      const card = row.payRollBankCardNumber
      if (card) expect(luhnCheck(card.slice(0, -1))).toBe(card.at(-1))
    }
    expect(bankCardNumber(stream(1), '621700')).toHaveLength(19)
    expect(new Set(city.devices.map((device) => device.deviceSn)).size).toBe(city.devices.length)
    // Valid and invalid examples from the specification.
    expect(['11010519491231002X', '42020219900101001X', '420202198506150021'].every(isIdCardNumber)).toBe(true)
    expect(['420202199001010010', '420202199002300019'].some(isIdCardNumber)).toBe(false)
    expect(['91420200MA4TERT13Y', '91420200000000019X', '11420200012345671Y'].every(isCreditCode)).toBe(true)
  })

  test('has the projects of the story', () => {
    expect(presentIn(project(story.main).projectCode)).toHaveLength(386)
    for (const one of city.projects) {
      const people = presentIn(one.projectCode).length
      expect(people).toBeGreaterThanOrEqual(60)
      expect(people).toBeLessThanOrEqual(390)
      expect(one.projectCode).toHaveLength(18)
      const roles = city.projectCorps.filter((corp) => corp.projectCode === one.projectCode).map((corp) => corp.corpType)
      expect(roles.filter((role) => role === '008')).toHaveLength(1)
      expect(roles.filter((role) => role === '009')).toHaveLength(1)
      expect(roles).toContain('007')
    }
    expect(new Set(city.projects.map((one) => one.areaCode)).size).toBe(2)
    expect(city.projects.filter((one) => one.prjStatus === '005')).toHaveLength(1)
    const corpsOf = (shortName: string) =>
      new Set(city.projectCorps.filter((corp) => corp.projectCode === project(shortName).projectCode).map((corp) => corp.corpCode))
    expect([...corpsOf(story.main)].filter((code) => corpsOf(story.dusty).has(code))).toEqual([])
    const cranes = city.devices.filter((device) => device.family === 'towerCrane' && device.projectCode === project(story.main).projectCode)
    expect(cranes.map((crane) => crane.behaviour)).toEqual(['normal', 'normal', 'normal', 'offline', 'maintenance', 'notActivated'])
    expect(city.workers.filter((worker) => worker.name.includes('·')).length).toBeGreaterThan(0)
  })

  test('refers only to what exists', () => {
    const corps = new Set(city.corporations.map((corp) => corp.corpCode))
    const teams = new Set(city.teams.map((team) => team.teamSysNo))
    const workers = new Set(city.workers.map((worker) => worker.workerId))
    const gateways = new Set(city.gateways.map((gateway) => gateway.code))
    for (const row of city.projectWorkers) {
      expect(corps.has(row.corpCode) && workers.has(row.workerId) && teams.has(row.teamSysNo!)).toBe(true)
      expect(row.exitTime === null || row.exitTime > row.entryTime).toBe(true)
      expect(row.entryTime.slice(0, 10) < today).toBe(true)
    }
    for (const team of city.teams) expect(workers.has(team.teamLeaderId!)).toBe(true)
    for (const corp of city.projectCorps)
      expect(corps.has(corp.corpCode) && (corp.parentCorpCode === null || corps.has(corp.parentCorpCode))).toBe(true)
    for (const device of city.devices) {
      if (device.access.protocol === 'mqtt') expect(gateways.has(device.access.gatewayCode)).toBe(true)
      for (const operator of device.operators) expect(workers.has(operator)).toBe(true)
    }
  })

  test('keeps the green project green', () => {
    const { projectCode } = project(story.green)
    const rows = presentIn(projectCode)
    expect(rows.every((row) => row.hasContract && row.formalStatus === '1')).toBe(true)
    const ids = new Set(rows.map((row) => row.workerId))
    for (const cert of city.workerCerts) if (ids.has(cert.workerId) && cert.validEnd) expect(cert.validEnd > addDays(today, 90)).toBe(true)
  })
})

describe('a day at the gates', () => {
  const { projectCode } = project(story.main)
  const events = dayEvents(city, projectCode, today)

  test('is ordered, by people in place, at about the hours of a site', () => {
    const people = new Map(city.projectWorkers.map((row) => [row.workerId, row]))
    let previous = 0
    for (const event of events) {
      expect(event.time).toBeGreaterThanOrEqual(previous)
      previous = event.time
      expect(event.time % 1000).toBe(0)
      expect(people.get(event.workerId)!.entryTime.slice(0, 10) <= today).toBe(true)
    }
    const came = new Set(events.map((event) => event.workerId)).size
    expect(came / 386).toBeGreaterThan(0.85)
    expect(came / 386).toBeLessThan(0.96)
    const morning = events.filter((event) => event.direction === '01' && event.time < dayStart(today) + 7.25 * 3_600_000)
    expect(morning.length).toBeGreaterThan(250)
  })

  test('has late arrivals, forgotten outs, a night shift, a late upload and a stop day', () => {
    const late = events.filter(
      (event) =>
        event.direction === '01' && event.time > dayStart(today) + 7.25 * 3_600_000 && event.time < dayStart(today) + 9 * 3_600_000,
    )
    expect(late.length).toBeGreaterThan(3)
    const last = new Map(events.map((event) => [event.workerId, event.direction]))
    expect([...last.values()].filter((direction) => direction === '01').length).toBeGreaterThan(0)
    expect(events.some((event) => event.time >= dayStart(addDays(today, 1)))).toBe(true)
    expect(dayEvents(city, projectCode, addDays(today, -14)).some((event) => event.delaySeconds > 48 * 3600)).toBe(true)
    expect(isStopDay(city, projectCode, addDays(today, -11))).toBe(true)
    expect(dayEvents(city, projectCode, addDays(today, -11)).length).toBeLessThan(events.length / 4)
    expect(dayEvents(city, projectCode, '2026-11-15').length).toBeLessThan(events.length / 2)
  })

  test('a calendar range holds the night shift of the day before, and the record speaks the gate family', () => {
    const early = eventsBetween(city, projectCode, dayStart(today), dayStart(today) + 6 * 3_600_000)
    expect(early.some((event) => event.direction === '02')).toBe(true)
    const record = attendanceRecord(events[0]!)
    expect(record).toMatchObject({ workerId: events[0]!.workerId, direction: '0', mode: '1', pass: '1', personType: '1' })
  })
})

describe('machines', () => {
  test('a crane obeys inertia and its load chart; the overload comes and goes within minutes', { timeout: 30_000 }, () => {
    const device = city.devices.find((one) => one.family === 'towerCrane')!
    const start = dayStart(today) + 9 * 3_600_000
    const crane = new Crane(city, device, { purpose: 'test', overloadsAt: [start], driver: driversOf(city, device) })
    const dt = 0.25
    let opened = 0
    let cleared = 0
    let [angle, slew, trolley, hook] = [crane.slew.position, 0, 0, 0]
    for (let i = 0; i < 3 * 3600 * 4; i++) {
      const now = start + i * dt * 1000
      crane.step(dt, now)
      expect(Math.abs(crane.slew.position - angle)).toBeLessThanOrEqual(craneLimits.slewSpeed * dt + 1e-6)
      expect(Math.abs(crane.slew.velocity - slew)).toBeLessThanOrEqual(craneLimits.slewAcceleration * dt + 1e-6)
      expect(Math.abs(crane.trolley.velocity - trolley)).toBeLessThanOrEqual(craneLimits.trolleyAcceleration * dt + 1e-6)
      expect(Math.abs(crane.hook.velocity - hook)).toBeLessThanOrEqual(craneLimits.hoistAcceleration * dt + 1e-6)
      expect(crane.hook.position).toBeLessThanOrEqual(crane.params.maxHeight + 0.3)
      expect(crane.trolley.position).toBeLessThanOrEqual(crane.params.maxRadius + 0.3)
      ;[angle, slew, trolley, hook] = [crane.slew.position, crane.slew.velocity, crane.trolley.velocity, crane.hook.velocity]
      if (crane.momentPercent > 100 && !opened) opened = i * dt
      if (opened && !cleared && crane.momentPercent < 95) cleared = i * dt
    }
    expect(opened).toBeGreaterThan(0)
    expect(opened).toBeLessThan(180)
    expect(cleared - opened).toBeGreaterThan(3)
    expect(cleared - opened).toBeLessThan(120)
    const records = crane.takeRecords()
    expect(records.some((record) => record.record === 'driverRecognition')).toBe(true)
    expect(records.filter((record) => record.record === 'workingCycle').length).toBeGreaterThan(5)
    expect(ratedLoadAt({ maxLoad: 10, ratedMoment: 160, fall: 2 }, 38.2)).toBeCloseTo(4.19, 2)
  })

  test('3# never swings through its forbidden sector, and meets 2# without contact', () => {
    const two = city.devices.find((one) => one.name === '2# 塔机')!
    const three = city.devices.find((one) => one.name === '3# 塔机')!
    const start = dayStart(today) + 14 * 3_600_000
    const encounter = new Encounter()
    const a = new Crane(city, two, { purpose: 'test', always: true, encountersAt: [start], encounter })
    const b = new Crane(city, three, { purpose: 'test', always: true, encountersAt: [start], encounter })
    let current = false
    for (let s = 0; s < 3600; s++) {
      const now = start + s * 1000
      a.step(1, now)
      b.step(1, now)
      const at = ((b.slew.position % 360) + 360) % 360
      expect(at > 85 && at < 167).toBe(false)
      current ||= encounter.two === 'holding' && encounter.three === 'ready'
    }
    expect(current).toBe(true)
    expect(encounter.two).toBe('left')
  })

  test('dust has spells over the limit, and stays within what is believable', () => {
    const from = dayStart(addDays(today, -7))
    const station = city.devices.find((one) => one.family === 'environment' && one.params.stage === 'earthwork')!
    const samples = [...telemetryHistory(city, station.deviceSn, from, from + 7 * 86_400_000, 300)]
    expect(samples.length).toBeGreaterThan(1800)
    const pm10 = samples.map((sample) => Number(sample.data.pm10))
    expect(Math.max(...pm10)).toBeGreaterThan(120)
    expect(Math.max(...pm10)).toBeLessThan(400)
    expect(
      alarmHistory(city, station.deviceSn, from, from + 7 * 86_400_000, 60).some(
        (alarm) => alarm.alarmKey === 'pm10Warning' && alarm.clearTime,
      ),
    ).toBe(true)
    const now = dayStart(today) + 10 * 3_600_000
    const quiet = new Dust(city, station)
    const spell = new Dust(city, station, { extra: [{ from: now - 600_000, to: now + 600_000, pm10: 90 }] })
    expect(Number(spell.telemetry(now).pm10)).toBeGreaterThan(Number(quiet.telemetry(now).pm10) + 40)
  })

  test('counters never run back, records carry the fields of their family', () => {
    const meter = city.devices.find((one) => one.family === 'electricMeter')!
    let previous = 0
    for (const sample of telemetryHistory(city, meter.deviceSn, dayStart(addDays(today, -2)), dayStart(today), 900)) {
      expect(Number(sample.data.totalEnergy)).toBeGreaterThanOrEqual(previous)
      previous = Number(sample.data.totalEnergy)
    }
    const bridge = city.devices.find((one) => one.family === 'weighbridge')!
    const tickets = [...recordHistory(city, bridge.deviceSn, dayStart(addDays(today, -3)), dayStart(today))]
    expect(tickets.length).toBeGreaterThan(10)
    for (const { data } of tickets)
      expect(Number(data.grossWeight) - Number(data.tareWeight) - Number(data.deduction)).toBeCloseTo(Number(data.netWeight), 2)
    const lifter = city.devices.find((one) => one.family === 'lifter')!
    const runs = [...recordHistory(city, lifter.deviceSn, dayStart(addDays(today, -1)), dayStart(today))]
    expect(runs.some((run) => run.record === 'driverRecognition')).toBe(true)
    expect(runs.filter((run) => run.record === 'workingCycle').length).toBeGreaterThan(100)
  })

  test('every family has a machine whose values are finite', () => {
    const now = dayStart(today) + 10 * 3_600_000
    for (const device of city.devices) {
      const machine = machineFor(city, device, { purpose: 'test' })
      machine.step(1, now)
      for (const [key, value] of Object.entries(machine.telemetry(now) ?? {})) {
        if (typeof value === 'number') expect(Number.isFinite(value), `${device.family} ${key}`).toBe(true)
      }
      expect(machine.intervalMs(now)).toBeGreaterThanOrEqual(1000)
    }
  })
})

test('pictures are small PNG files, the same each time', () => {
  const { headImage } = city.workers[0]!
  const picture = drawFile(headImage)
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect(picture.length).toBeLessThan(50_000)
  expect(drawFile(headImage).equals(picture)).toBe(true)
  expect(drawFile(city.workerCerts[0]!.files[0]!).equals(picture)).toBe(false)
})

test('a spray does what it is told, and tells of it as a run by hand', () => {
  const city = buildCity({ seed: 1, today: '2026-03-10' })
  const device = city.devices.find((one) => one.family === 'sprayController' && one.name !== '西线')
  if (!device) throw new Error('no spray in the city')
  const spray = machineFor(city, device, { purpose: 'live' })
  const night = Date.parse('2026-03-10T23:00:00+08:00')
  spray.step(1, night)
  expect(spray.telemetry(night)).toMatchObject({ running: '0' })
  expect(spray.obey?.('spray.start', { durationSeconds: 120 }, night)).toBe(true)
  for (let second = 1; second <= 121; second++) spray.step(1, night + second * 1000)
  expect(spray.telemetry(night + 60_000)).toMatchObject({ running: '0' })
  const [run] = spray.takeRecords?.() ?? []
  expect(run).toMatchObject({ record: 'sprayRecord', data: { trigger: 'manual', durationSeconds: 119 } })
  spray.obey?.('spray.start', { durationSeconds: 120 }, night + 300_000)
  spray.step(1, night + 301_000)
  expect(spray.telemetry(night + 301_000)).toMatchObject({ running: '1', mode: 'manual' })
  spray.obey?.('spray.stop', {}, night + 310_000)
  spray.step(1, night + 311_000)
  expect(spray.telemetry(night + 311_000)).toMatchObject({ running: '0' })
  expect(spray.obey?.('device.reboot', {}, night)).toBe(false)
})

test('rigs that mix and press tell what their piles are judged by, and record the same', () => {
  const rigOf = (making: string) => {
    const device = city.devices.find((one) => one.family === 'pileFoundation' && one.params.pileType === making)
    if (!device) throw new Error(`no rig that is ${making}`)
    return { device, machine: machineFor(city, device, { purpose: 'live' }), periodMs: pilePeriodMs(device) }
  }
  const mixing = rigOf('mixing')
  // A pile with a weak metre, and the grout of each metre.
  const index = 4 * Math.floor(Date.parse('2026-03-10T00:00:00Z') / mixing.periodMs / 4) + 2
  const at = (depth: number) => index * mixing.periodMs + (depth / 14) * 0.75 * mixing.periodMs
  const into = Array.from({ length: 14 }, (_, metre) => {
    const volume = (depth: number) => Number(mixing.machine.telemetry(Math.ceil(at(depth)))?.groutVolume)
    return volume(metre + 1) - volume(metre)
  })
  expect(into.map((litres, metre) => (litres < 60 * 0.9 ? metre : undefined)).filter((one) => one !== undefined)).toEqual([11])
  const pressed = rigOf('static')
  const turn = Math.floor(Date.parse('2026-03-10T00:00:00Z') / pressed.periodMs)
  const current = pressed.machine.telemetry((turn + 0.7) * pressed.periodMs)
  const { data } = pileRecordOf(city, pressed.device, turn)
  expect(current?.depth).toBe(18)
  expect(Math.abs(Number(current?.pressure) - Number(data.finalPressure))).toBeLessThan(20)
  expect(pressed.machine.telemetry((turn + 0.95) * pressed.periodMs)?.pressure).toBe(0)
})
