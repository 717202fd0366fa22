import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { markGiven } from '../../readings/public.ts'
import type { Location } from './bodies.ts'
import { alarmEdges, alarmNames, bitText, toReading } from './values.ts'

const family = familyOf('truckMonitor') as Family
const at = Date.parse('2026-11-21T12:00:00+08:00')
const location = (more: Partial<Location> = {}): Location => ({
  alarm: 0,
  status: 0,
  positioned: true,
  latitude: 30.5,
  longitude: 114.3,
  altitude: 23,
  speed: 42.5,
  direction: 180,
  time: at,
  items: [],
  cut: false,
  ...more,
})
const read = (more: Partial<Location> = {}, lastPoint?: { longitude: number; latitude: number }, body = Buffer.of(1), receivedAt = at) => {
  const out = toReading(family, location(more), body, receivedAt, lastPoint)
  if (typeof out === 'string') throw new Error(out)
  return out
}
const refusal = (more: Partial<Location>, receivedAt = at) => toReading(family, location(more), Buffer.alloc(0), receivedAt, undefined)

test('cover and body are read of the item that the terminal’s file names, and of no other', () => {
  const item = { id: 0xe1, value: Buffer.of(0b10) }
  const of = (params: Record<string, unknown>, value = item.value) => {
    const out = toReading(family, location({ items: [{ ...item, value }] }), Buffer.of(1), at, undefined, params)
    if (typeof out === 'string') throw new Error(out)
    return out
  }
  expect(of({ bodyItem: 'E1' }).values).toMatchObject({ cover: '0', lift: '1' })
  expect(of({ bodyItem: 'e1' }, Buffer.of(0b01)).values).toMatchObject({ cover: '1', lift: '0' })
  for (const params of [{}, { bodyItem: 'E2' }, { bodyItem: '31' }, { bodyItem: 'x' }]) {
    expect(of(params).values).not.toHaveProperty('lift')
    expect(of(params).unknown).toMatchObject({ itemE1: '02' })
  }
  // With another length it is another vendor's item.
  expect(of({ bodyItem: 'E1' }, Buffer.of(0, 2)).values).not.toHaveProperty('lift')
})

test('a position with its state', () => {
  const one = read({ status: 0x201, alarm: 0x101 })
  expect(one).toMatchObject({
    time: at,
    receivedAt: at,
    flag: 0,
    quality: null,
    values: {
      longitude: 114.3,
      latitude: 30.5,
      altitude: 23,
      speed: 42.5,
      direction: 180,
      positioned: true,
      accOn: true,
      loadState: '2',
      emergency: true,
      powerCut: true,
    },
  })
  expect({ ...one.values, ...one.unknown }).toMatchObject({ alarmBits: `${'0'.repeat(23)}100000001`, statusBits: bitText(0x201) })
  expect(one).not.toHaveProperty('standing')
  expect(read({ status: 0x300 }).values).toMatchObject({ accOn: false, loadState: '3', emergency: false, powerCut: false })
  expect(bitText(0x80000000)).toBe(`1${'0'.repeat(31)}`)
})

test('without a fix state and alarms hold, and the point stays where it was', () => {
  const lost = read({ positioned: false, latitude: 0, longitude: 999 }, { longitude: 114, latitude: 30 })
  expect(lost.values).toMatchObject({ positioned: false, speed: 42.5 })
  expect(lost.values).not.toHaveProperty('longitude')
  expect(lost.values).not.toHaveProperty('altitude')
  expect(lost).toMatchObject({ standing: { longitude: 114, latitude: 30 } })
  expect(read({ positioned: false })).not.toHaveProperty('standing')
  expect(read({}, { longitude: 114, latitude: 30 })).not.toHaveProperty('standing')
})

test('what is refused: no date, a place that is none, too old', () => {
  expect(refusal({ time: undefined })).toBe('time')
  for (const latitude of [90.1, -90.1]) expect(refusal({ latitude })).toBe('position')
  for (const longitude of [180.1, -180.1]) expect(refusal({ longitude })).toBe('position')
  expect(read({ latitude: -90, longitude: 180 }).values).toMatchObject({ latitude: -90, longitude: 180 })
  expect(refusal({}, at + 400 * 86_400_000)).toBe('tooOld')
  expect(read({}, undefined, Buffer.of(1), at - 3_600_000).flag).not.toBe(0)
})

test('items with a meaning, once and of their own length; the others as they came', () => {
  const item = (id: number, hex: string) => ({ id, value: Buffer.from(hex, 'hex') })
  const { values, unknown } = read({
    items: [
      item(1, '000007d0'),
      item(2, '00c8'),
      item(3, '001e'),
      item(4, '0005'),
      item(0x25, '00000003'),
      item(0x30, '19'),
      item(0x31, '09'),
      item(0x30, '1a'),
      item(0x30, '1b'),
      item(0xe1, 'ff'),
      item(0x0b, '01'),
    ],
  })
  expect({ ...values, ...unknown }).toMatchObject({
    mileage: 200,
    fuel: 20,
    recorderSpeed: 3,
    alarmEventId: 5,
    vehicleSignals: 3,
    signal: 25,
    satellites: 9,
    item30: '1a,1b',
    itemE1: 'ff',
    item0B: '01',
  })
  const odd = read({ items: [item(1, '0007d0'), item(1, '000007d1')] })
  expect(odd.unknown).toMatchObject({ item01: '0007d0,000007d1' })
  expect(odd.values).not.toHaveProperty('mileage')
  const long = read({ items: [item(0xe2, 'aa'.repeat(600)), item(0xe2, 'bb'.repeat(600)), item(0xe2, 'cc')] })
  expect(long.unknown?.itemE2).toHaveLength(1024)
  expect(read({ items: [item(0xe2, 'aa'.repeat(600))] }).unknown?.itemE2).toBe('aa'.repeat(256))
})

test('beyond what the metric can be: kept, and marked', () => {
  const { max = 0 } = family.metric('speed') ?? {}
  expect(read({ speed: max }).quality).toBeNull()
  expect(read({ speed: max + 1 }).quality).toEqual({ speed: 'outOfRange' })
  expect(read({ speed: max + 1, direction: 9999 }).quality).toEqual({ speed: 'outOfRange', direction: 'outOfRange' })
  expect(read({ speed: 0 }).quality).toBeNull()
  expect(read({ speed: -1 }).quality).toEqual({ speed: 'outOfRange' })
})

test('the same position sent again is the same, another of that second is not', () => {
  const seq = (text: string) => read({}, undefined, Buffer.from(text)).mark
  expect(seq('a')).toBe(seq('a'))
  expect(seq('a')).not.toBe(seq('b'))
})

test('alarm bits are levels: an event begins when a bit comes and ends when it goes', () => {
  const heard = { time: at, receivedAt: at + 5, mark: markGiven(7) }
  const edges = (before: number, after: number) => alarmEdges(before, after, heard).map((e) => `${e.type} ${e.state}`)
  expect(edges(0, 0)).toEqual([])
  expect(edges(5, 5)).toEqual([])
  expect(edges(0, 3)).toEqual(['emergency start', 'overspeed start'])
  expect(edges(3, 2)).toEqual(['emergency end'])
  expect(edges(0x20000000, 0x40000000)).toEqual(['collision end', 'rollover start'])
  // Bits without a name raise no alarm.
  expect(edges(0, 1 << 9)).toEqual([])
  expect(alarmEdges(0, 2, heard)).toEqual([
    {
      type: 'overspeed',
      state: 'start',
      value: null,
      time: at,
      receivedAt: at + 5,
      point: '',
      id: 'overspeed:start:7',
      data: { source: 'jt808', bit: 1 },
    },
  ])
  expect(Object.entries(alarmNames).map(([n, name]) => `${n} ${name}`)).toEqual([
    '0 emergency',
    '1 overspeed',
    '2 fatigue',
    '3 dangerWarning',
    '4 receiverFault',
    '5 antennaOpen',
    '6 antennaShort',
    '7 lowVoltage',
    '8 powerCut',
    '18 drivingTimeOfDay',
    '19 parkedTooLong',
    '20 areaInOut',
    '21 routeInOut',
    '23 routeDeviation',
    '27 illegalIgnition',
    '29 collision',
    '30 rollover',
  ])
})

test('a fix at 0, 0 is no place', () => {
  const { values } = read({ latitude: 0, longitude: 0 })
  expect(values.positioned).toBe(false)
  expect(values).not.toHaveProperty('longitude', 0)
})
