import { expect, test } from 'vitest'
import { dustOf, judgeInterlocks, type SiteReading } from './interlocks.ts'
import { chosen, type SiteDevice } from './targets.ts'

const device = (id: string, family: string, more: Partial<SiteDevice> = {}): SiteDevice => ({
  id,
  projectCode: 'P',
  name: id,
  family,
  params: {},
  installPlace: null,
  lng: null,
  lat: null,
  online: true,
  ...more,
})
const pick = (
  kind: 'sameArea' | 'bound',
  command: 'spray.start' | 'camera.snapshot',
  source: SiteDevice | undefined,
  ...of: SiteDevice[]
) => chosen({ command, selector: { kind } }, source, of).map((d) => d.id)

test('the same area is one by its name, or by being near', () => {
  const station = device('s', 'environment', { params: { areaName: '东侧' }, lng: 114.3, lat: 30.5 })
  const east = device('east', 'sprayController', { params: { areaName: '东侧' } })
  const byPlace = device('place', 'sprayController', { installPlace: '东侧' })
  const near = device('near', 'sprayController', { params: { areaName: '北侧' }, lng: 114.3009, lat: 30.5 })
  const far = device('far', 'sprayController', { params: { areaName: '北侧' }, lng: 114.302, lat: 30.5 })
  const nowhere = device('nowhere', 'sprayController')
  expect(pick('sameArea', 'spray.start', station, east, byPlace, near, far, nowhere)).toEqual(['east', 'place', 'near'])
  expect(pick('sameArea', 'spray.start', device('s', 'environment'), nowhere, far)).toEqual([])
  expect(pick('sameArea', 'spray.start', undefined, east)).toEqual([])
})

test('bound devices name each other in their parameters; a device is bound to itself', () => {
  const crane = device('c', 'towerCrane', { params: { cameras: ['k2'] } })
  const hook = device('k1', 'videoAi', { params: { craneId: 'c' } })
  const cab = device('k2', 'videoAi')
  const other = device('k3', 'videoAi', { params: { craneId: 'd' } })
  expect(pick('bound', 'camera.snapshot', crane, hook, cab, other)).toEqual(['k1', 'k2'])
  expect(
    chosen({ command: 'crane.warn', selector: { kind: 'bound' } }, crane, [crane, device('d', 'towerCrane')]).map((d) => d.id),
  ).toEqual(['c'])
})

test('without a camera of its own the nearest one takes the picture, one that is on before one that is not', () => {
  const helmet = device('h', 'smartHelmet', { lng: 114.3, lat: 30.5 })
  const near = device('near', 'videoAi', { lng: 114.3005, lat: 30.5, online: false })
  const far = device('far', 'videoAi', { lng: 114.31, lat: 30.5 })
  expect(pick('bound', 'camera.snapshot', helmet, near, far)).toEqual(['far'])
  expect(pick('bound', 'camera.snapshot', helmet, { ...near, online: true }, far)).toEqual(['near'])
  expect(pick('bound', 'camera.snapshot', device('h', 'smartHelmet'), near, far)).toEqual([])
})

test('a list is what it says, within the families that take the command', () => {
  const [a, b] = [device('a', 'sprayController'), device('b', 'sprayController')]
  const list = { command: 'spray.start' as const, selector: { kind: 'list' as const, deviceIds: ['b', 'gone'] } }
  expect(chosen(list, undefined, [a, b]).map((d) => d.id)).toEqual(['b'])
})

const now = 1_800_000_000_000
const reading = (deviceId: string, family: string, values: Record<string, unknown>, more: Partial<SiteReading> = {}): SiteReading => ({
  deviceId,
  family,
  lng: null,
  lat: null,
  at: new Date(now - 1_000),
  values,
  quality: null,
  ...more,
})

test('limits of interlocks: below two degrees, any rain, twelve metres a second, water', () => {
  const holds = (key: 'frost' | 'rain' | 'wind' | 'lowWater', value: number) => {
    const metric = { frost: 'temperature', rain: 'rainfall', wind: 'windSpeed', lowWater: 'waterPressure' }[key]
    const family = key === 'lowWater' ? 'sprayController' : 'environment'
    return judgeInterlocks([key], [reading('x', family, { [metric]: value })], 'x', now)[0]?.holds
  }
  expect([holds('frost', 1.9), holds('frost', 2), holds('frost', -3)]).toEqual([true, false, true])
  expect([holds('rain', 0), holds('rain', 0.1)]).toEqual([false, true])
  expect([holds('wind', 11.9), holds('wind', 12)]).toEqual([false, true])
  expect([holds('lowWater', 0.04), holds('lowWater', 0.05)]).toEqual([true, false])
})

test('the station that speaks for caution is believed; bad and old values are not', () => {
  const warm = reading('a', 'environment', { temperature: 8 })
  const cold = reading('b', 'environment', { temperature: 1 })
  const frost = (...site: SiteReading[]) => judgeInterlocks(['frost'], site, 't', now)[0]?.holds
  expect(frost(warm, cold)).toBe(true)
  expect(frost(warm, { ...cold, quality: { temperature: 'fault' } })).toBe(false)
  expect(frost(warm, { ...cold, at: new Date(now - 16 * 60_000) })).toBe(false)
  expect(frost({ ...cold, at: new Date(now - 16 * 60_000) })).toBeNull()
  expect(frost()).toBeNull()
})

test('dust before and after comes from the alarm’s own station, else from the nearest', () => {
  const line = reading('t', 'sprayController', {}, { lng: 114.3, lat: 30.5 })
  const near = reading('near', 'environment', { pm10: 90 }, { lng: 114.301, lat: 30.5 })
  const own = reading('own', 'environment', { pm10: 180 }, { lng: 114.4, lat: 30.5 })
  expect(dustOf([line, near, own], ['own'], 't', now)).toBe(180)
  expect(dustOf([line, own, near], ['helmet'], 't', now)).toBe(90)
  expect(dustOf([line], ['own'], 't', now)).toBeNull()
})
