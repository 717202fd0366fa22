import { expect, test } from 'vitest'
import { deviceFaults, faultOf } from './device-faults.ts'
import { familyOf } from './families.ts'

test('every fault is told by a metric of its family, and a coded one by a value of it', () => {
  for (const { family, metric, is } of deviceFaults) {
    const known = familyOf(family)?.metric(metric)
    expect(known, `${family} ${metric}`).toBeDefined()
    if (is !== undefined) expect(Object.keys(known?.values ?? {})).toContain(is)
  }
})

test.each([
  ['sprayController', { waterPressure: 0.02, running: '0' }, '无水'],
  ['sprayController', { waterPressure: 0.05 }, undefined],
  ['sprayController', {}, undefined],
  ['towerCrane', { sensorStatus: '3' }, '传感器故障'],
  ['towerCrane', { sensorStatus: 3 }, '传感器故障'],
  ['towerCrane', { waterPressure: 0 }, undefined],
])('%s %j: %s', (family, values, text) => expect(faultOf(family, values)).toBe(text))
