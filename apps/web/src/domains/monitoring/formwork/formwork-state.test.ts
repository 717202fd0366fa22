import type { PourStep } from '@zhugong/contract/monitoring/formwork/formwork'
import { expect, test } from 'vitest'
import { type BayPoint, clockWords, currentPour, verdictFor, withReading } from './formwork-state.ts'

const point: BayPoint = {
  deviceId: 'D',
  deviceName: '报告厅 GZ-01',
  pointCode: 'GZ-01',
  pointType: 'axialForce',
  x: 0,
  y: 0,
  lng: null,
  lat: null,
  supportHeight: 9,
  span: 18,
  time: 1_000,
  silentSeconds: 1,
  axialForce: 10,
  axialForcePercent: 50,
  horizontalDisplacement: 1,
  settlement: -2,
  tilt: 0.1,
  batteryPercent: 90,
  designForce: 20,
  displacementLimit: 30,
  share: 50,
  worstMetric: 'axialForce',
  state: 'fine',
}
const reading = (axialForce: number, at: number) => ({ deviceId: 'D', at, receivedAt: at, values: { axialForce, settlement: -2 } })

test('a newer reading judges the point anew, an older one changes nothing', () => {
  expect(withReading(point, reading(17, 5_000), 6_000, false)).toMatchObject({ share: 85, state: 'warning', silentSeconds: 1 })
  expect(withReading(point, reading(17, 500), 6_000, false)).toBe(point)
  expect(withReading(point, reading(21, 5_000), 6_000, false).state).toBe('alarm')
  expect(withReading(point, reading(5, 5_000), 200_000, false).state).toBe('silent')
  expect(withReading(point, undefined, 6_000, true).state).toBe('silent')
})

test('the verdict stops for force and for silence, and says whose', () => {
  const of = (more: Partial<BayPoint>, pouring = true) => verdictFor([{ ...point, ...more }], pouring)
  expect(of({})).toMatchObject({ verdict: 'go' })
  expect(of({ state: 'warning', share: 84 })).toEqual({ verdict: 'watch', text: '注意：GZ-01 轴力 84 %' })
  expect(of({ state: 'silent' }).text).toBe('停止浇筑：GZ-01 失联')
  expect(of({ state: 'silent' }, false).verdict).toBe('idle')
  expect(of({ state: 'alarm', share: 101 }, false).verdict).toBe('stop')
})

test('the pour that is on begins with its last start', () => {
  const step = (kind: PourStep['kind'], at: number): PourStep => ({
    id: `${at}`,
    projectCode: 'P',
    bayName: 'B',
    at,
    kind,
    volume: null,
    note: null,
    byName: '甲',
  })
  const steps = [step('layer', 9), step('start', 8), step('end', 5), step('start', 1)]
  expect(currentPour(steps).map((one) => one.at)).toEqual([8, 9])
  expect(currentPour([])).toEqual([])
  expect(clockWords(8_070_000)).toBe('02:14:30')
})
