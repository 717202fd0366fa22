import { families, familyOf } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { decodeTrial } from './decode-trial.ts'
import { toFamilyView } from './family-view.ts'
import { bitText, toReading } from './jt808/values.ts'

const now = Date.parse('2026-11-22T12:00:00+08:00')
const hasChinese = /[\u4e00-\u9fff]|ACC/

test('every field of every record, metric and parameter has words of the catalogue', () => {
  for (const family of families) {
    for (const record of family.records) {
      expect(record.fields.length + (record.key === 'realtime' ? family.metrics.length : 0), `${family.key}/${record.key}`).toBeGreaterThan(
        0,
      )
      for (const field of record.fields) {
        expect(field.label, `${family.key}/${record.key}.${field.key}`).toMatch(/[\u4e00-\u9fff]/)
        expect(family.field(field.key, record.key)?.label).toBe(field.label)
      }
    }
    for (const field of [...family.metrics, ...family.params]) expect(field.label, `${family.key}.${field.key}`).not.toBe(field.key)
  }
  expect(familyOf('pileFoundation')?.field('finalDepth', 'pileRecord')).toMatchObject({ label: expect.stringContaining('深'), unit: 'm' })
})

test('whatever the decoder of positions writes has a name: bits, state, additional items, unnamed ones', () => {
  const truck = familyOf('truckMonitor')
  const helmet = familyOf('smartHelmet')
  if (!truck || !helmet) throw new Error('no family')
  const items = [1, 2, 3, 4, 37, 48, 49, 0xe1].map((id) => ({
    id,
    value: Buffer.alloc(id === 48 || id === 49 ? 1 : id === 1 || id === 37 ? 4 : 2),
  }))
  const location = {
    alarm: 1,
    status: 3,
    positioned: true,
    latitude: 30,
    longitude: 114,
    altitude: 1,
    speed: 1,
    direction: 1,
    time: now,
    items,
    cut: false,
  }
  for (const family of [truck, helmet]) {
    const reading = toReading(family, location, Buffer.of(1), now, undefined)
    if (typeof reading === 'string') throw new Error(reading)
    const keys = [...Object.keys(reading.values), ...Object.keys(reading.unknown ?? {})]
    expect(keys).toContain('alarmBits')
    for (const key of keys) expect(family.field(key)?.label, `${family.key}.${key}`).toMatch(hasChinese)
  }
  expect(bitText(1)).toHaveLength(32)
})

test.each(families.map((family) => family.key))(
  'the samples of %s are what the product takes, in range and without unknown keys',
  (key) => {
    const family = familyOf(key)
    if (!family) throw new Error(key)
    const { samples } = toFamilyView(family, now)
    expect(samples.length).toBeGreaterThan(0)
    for (const { protocol, text } of samples) {
      const trial = decodeTrial(text, { protocol, family: key, units: { tsp: 'ug', pm10: 'ug', pm25: 'ug' } }, now)
      expect(trial, text).toMatchObject({ ok: true, protocol, quality: null })
      const values = Object.keys(trial.values ?? {})
      expect(values.length).toBeGreaterThan(0)
      for (const name of values) expect(family.field(name), `${key}.${name}`).toBeDefined()
    }
  },
)
