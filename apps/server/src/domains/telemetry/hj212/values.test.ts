import { type Family, familyOf } from '@zhugong/contract/telemetry/families'
import { expect, test } from 'vitest'
import { seqOf } from '../../readings/public.ts'
import type { Hj212Frame } from './frame.ts'
import { formatDataTime, isPeriod, looksLikeEnvironment, parseDataTime, type StationWords, toPeriod, toReading } from './values.ts'

const family = familyOf('environment') as Family
const at = Date.parse('2026-11-21T12:00:00+08:00')
const micrograms = { tsp: 'ug', pm10: 'ug', pm25: 'ug' }
const day = 86_400_000

function frame(pairs: Hj212Frame['pairs'], more: Partial<Hj212Frame> = {}): Hj212Frame {
  const plain = { qn: '', st: '39', cn: '2011', pw: '1', mn: 'MN00000001', flag: 4, pno: 1, pnum: 1, cp: '' }
  return { ...plain, pairs: pairs && [['DataTime', '20261121120000'], ...pairs], ...more }
}
const read = (pairs: Hj212Frame['pairs'], station: StationWords = { units: micrograms }, more: Partial<Hj212Frame> = {}, receivedAt = at) =>
  toReading(frame(pairs, more), family, station, receivedAt)
const values = (pairs: Hj212Frame['pairs'], station?: StationWords) => read(pairs, station).reading?.values

test.each([
  ['20261121120000', at],
  ['20261121120000123', at + 123],
  ['20261231235959', Date.parse('2026-12-31T23:59:59+08:00')],
  ['20270101000000', Date.parse('2027-01-01T00:00:00+08:00')],
  ['20280229000000', Date.parse('2028-02-29T00:00:00+08:00')],
  ['2026112112000', undefined],
  ['202611211200001', undefined],
  ['120261121120000', undefined],
  ['20261321120000', undefined],
  ['20261121250000', undefined],
  ['2026x121120000', undefined],
  ['', undefined],
])('DataTime %s', (text, expected) => {
  expect(parseDataTime(text)).toBe(expected)
})

test('a moment is printed as the standard does, with milliseconds when asked', () => {
  expect(formatDataTime(at + 45)).toBe('20261121120000')
  expect(formatDataTime(at + 45, true)).toBe('20261121120000045')
  expect(formatDataTime(Date.parse('2026-12-31T16:00:00Z'))).toBe('20270101000000')
})

test.each([
  ['a34001', 'tsp'],
  ['a34002', 'pm10'],
  ['a34004', 'pm25'],
  ['LA', 'noise'],
  ['Leq', 'leq'],
  ['LEQ', 'leq'],
  ['A01001', 'temperature'],
  ['a01002', 'humidity'],
  ['a01007', 'windSpeed'],
  ['a01008', 'windDirection'],
  ['PM25', 'pm25'],
  ['pm10', 'pm10'],
  ['TSP', 'tsp'],
  ['B03', 'noise'],
  ['NOISE', 'noise'],
  ['TEMP', 'temperature'],
  ['T', 'temperature'],
  ['HUM', 'humidity'],
  ['HUMI', 'humidity'],
  ['RH', 'humidity'],
  ['WS', 'windSpeed'],
  ['WD', 'windDirection'],
])('%s is %s', (code, metric) => {
  expect(read([[`${code}-Rtd`, '20.5']]).reading).toMatchObject({ values: { [metric]: 20.5 }, unknown: null, quality: null })
})
test.each(['a01006', 'MPA', 'ATM'])('%s is pressure', (code) => {
  const { min = 0 } = family.metric('pressure') ?? {}
  expect(values([[`${code}-Rtd`, String(min)]])).toEqual({ pressure: min })
})

test('the present value, else the plain one, else the mean; a name without an attribute is the value itself', () => {
  expect(
    values([
      ['a34002-Avg', '3'],
      ['a34002-Data', '2'],
      ['a34002-Rtd', '1'],
    ]),
  ).toEqual({ pm10: 1 })
  expect(
    values([
      ['a34002-Avg', '3'],
      ['a34002-Data', '2'],
    ]),
  ).toEqual({ pm10: 2 })
  expect(values([['a34002-Avg', '3']])).toEqual({ pm10: 3 })
  expect(values([['a34002', '4']])).toEqual({ pm10: 4 })
  // Extremes without a current value are kept as unknown fields.
  expect(read([['a34002-Max', '9']])).toMatchObject({ reading: { values: {}, unknown: { 'a34002-Max': '9' } }, rejected: [] })
  expect(values([['-Rtd', '4']])).toEqual({})
})

test.each([
  ['+12', 12],
  ['-3.25', -3.25],
  ['0', 0],
  ['007', 7],
  ['12.', undefined],
  ['.5', undefined],
  ['1e3', undefined],
  ['1,5', undefined],
  ['', undefined],
  ['12 ', undefined],
  ['x12', undefined],
  ['--', undefined],
])('a temperature of "%s"', (text, expected) => {
  const out = read([['T-Rtd', text]])
  expect(out.reading?.values).toEqual(expected === undefined ? undefined : { temperature: expected })
  expect(out.rejected).toEqual(
    expected === undefined
      ? [
          { index: 0, key: 'T', reason: 'type' },
          { index: 0, reason: 'empty' },
        ]
      : [],
  )
})

test('unit change of a device: the unit is set for the device and never guessed from the size of the number', () => {
  const pairs = [
    ['a34002-Rtd', '0.0871'],
    ['a34004-Rtd', '0.0355'],
    ['a34001-Rtd', '0.2'],
    ['T-Rtd', '0.5'],
  ] as const
  const milligrams = { tsp: 'mg', pm10: 'mg', pm25: 'mg', temperature: 'mg' }
  expect(values(pairs, { units: milligrams })).toEqual({ pm10: 87.1, pm25: 35.5, tsp: 200, temperature: 0.5 })
  expect(values(pairs, { units: { ...micrograms, pm10: 'mg' } })).toEqual({ pm10: 87.1, pm25: 0.0355, tsp: 0.2, temperature: 0.5 })
})

test('a unit that nobody has confirmed: stored, and nothing is concluded from it', () => {
  const pairs = [
    ['a34002-Rtd', '87'],
    ['a34004-Rtd', '35'],
    ['a34001-Rtd', '120'],
    ['LA-Rtd', '60'],
  ] as const
  const all = { pm10: 'unitUnconfirmed', pm25: 'unitUnconfirmed', tsp: 'unitUnconfirmed' }
  expect(read(pairs, {}).reading).toMatchObject({ values: { pm10: 87, pm25: 35, tsp: 120, noise: 60 }, quality: all })
  expect(read(pairs, { units: { pm10: 'ug' } }).reading?.quality).toEqual({ pm25: 'unitUnconfirmed', tsp: 'unitUnconfirmed' })
  // The station's own flag takes precedence.
  expect(
    read(
      [
        ['a34002-Rtd', '87'],
        ['a34002-Flag', 'D'],
      ],
      {},
    ).reading?.quality,
  ).toEqual({ pm10: 'fault' })
})

test.each([
  ['N', undefined],
  ['n', undefined],
  ['F', 'stopped'],
  ['M', 'maintenance'],
  ['S', 'manual'],
  ['D', 'fault'],
  ['d', 'fault'],
  ['C', 'calibration'],
  ['T', 'outOfRange'],
  ['B', 'linkLost'],
])('quality flags: %s', (flag, quality) => {
  const out = read([
    ['a34002-Rtd', '80'],
    ['a34002-Flag', flag],
  ])
  expect(out.reading?.values).toEqual({ pm10: 80 })
  expect(out.reading?.quality).toEqual(quality ? { pm10: quality } : null)
})

test('beyond what the metric can be: kept, and marked', () => {
  const { min = 0, max = 0 } = family.metric('pm10') ?? {}
  const of = (value: number) => read([['a34002-Rtd', String(value)]]).reading?.quality
  expect([of(min), of(max), of(max + 1), of(min - 1)]).toEqual([null, null, { pm10: 'outOfRange' }, { pm10: 'outOfRange' }])
})

test('codes that are not known are kept as they came, within bounds', () => {
  const out = read([
    ['a99999-Rtd', '1'],
    ['a99999-Flag', 'N'],
    ['x'.repeat(60), 'y'.repeat(200)],
  ])
  expect(out.rejected).toEqual([])
  expect(out.reading).toMatchObject({
    values: {},
    unknown: { 'a99999-Rtd': '1', 'a99999-Flag': 'N', ['x'.repeat(40)]: 'y'.repeat(100) },
  })
})

test('a code of the station’s own, with its factor, goes before the standard’s', () => {
  const codes = { a34002: { metric: 'pm25' }, W1: { metric: 'windSpeed', factor: 0.1 }, Z: { metric: 'nothing' } }
  const out = read(
    [
      ['a34002-Rtd', '30'],
      ['W1-Rtd', '35'],
      ['Z-Rtd', '1'],
    ],
    { units: micrograms, codes },
  )
  expect(out.reading).toMatchObject({ values: { pm25: 30, windSpeed: 3.5 }, unknown: { 'Z-Rtd': '1' } })
})

test('no time, an impossible one, one too old, and one from the future', () => {
  const pairs = [['T-Rtd', '1']] as const
  const timed = (text: string | undefined, receivedAt = at) =>
    toReading({ ...frame([]), pairs: [...(text === undefined ? [] : [['DataTime', text] as const]), ...pairs] }, family, {}, receivedAt)
  for (const text of [undefined, '2026']) expect(timed(text)).toEqual({ rejected: [{ index: 0, key: 'DataTime', reason: 'time' }] })
  expect(timed('20260101000000')).toEqual({ rejected: [{ index: 0, key: 'DataTime', reason: 'tooOld' }] })
  expect(timed('20261121120000').reading).toMatchObject({ time: at, receivedAt: at, flag: 0 })
  expect(timed('20261121120000', at - 3_600_000).reading?.flag).not.toBe(0)
  expect(toReading({ ...frame([]), pairs: undefined }, family, {}, at).rejected).toMatchObject([{ reason: 'time' }])
})

test('packets of one report stand a millisecond apart, so that none hides another', () => {
  const packet = (pno: number) => {
    const { time, mark } = read([['T-Rtd', '1']], {}, { pno, pnum: 3 }).reading ?? {}
    return [time, mark && seqOf(mark)]
  }
  expect([packet(0), packet(1), packet(2), packet(3)]).toEqual([
    [at, 0],
    [at, 0],
    [at + 1, 2],
    [at + 2, 3],
  ])
})

test.each([
  ['2051', 'minute'],
  ['2061', 'hour'],
  ['2031', 'day'],
  ['2041', 'runTime'],
  ['2021', 'state'],
  ['2081', 'start'],
])('%s is a record of the %s', (cn, kind) => {
  expect(isPeriod(cn)).toBe(true)
  expect(toPeriod(frame([['a34002-Avg', '1']], { cn, pno: 2 }), {}, at)).toEqual({
    record: 'period',
    time: at,
    receivedAt: at,
    seq: 2,
    id: `period:${kind}`,
    data: { kind, source: 'device', values: { pm10: { avg: 1 } } },
  })
})

test('values a device counted by itself: numbers in the platform’s unit, words as they are, unknown codes by their own name', () => {
  expect(isPeriod('2011')).toBe(false)
  expect(isPeriod('toString')).toBe(false)
  const pairs = [
    ['a34002-Min', '0.05'],
    ['a34002-Avg', '0.1'],
    ['a34002-Flag', '5'],
    ['a34002-EFlag', '6'],
    ['a34002-SampleTime', '20261121120000'],
    ['W1-Max', '10'],
    ['a99999-Cou', '7'],
    ['T-Avg', '--'],
  ] as const
  const station = { units: { pm10: 'mg' }, codes: { W1: { metric: 'windSpeed', factor: 0.5 } } }
  expect(toPeriod(frame(pairs, { cn: '2061' }), station, at)?.data.values).toEqual({
    pm10: { min: 50, avg: 100, flag: '5', eFlag: '6', sampleTime: '20261121120000' },
    windSpeed: { max: 5 },
    a99999: { cou: '7' },
    temperature: { avg: '--' },
  })
  expect(toPeriod(frame(pairs, { cn: '9999' }), station, at)).toMatchObject({ id: 'period:9999', data: { kind: '9999' } })
  expect(toPeriod({ ...frame([]), pairs: [] }, station, at)).toBeUndefined()
  expect(toPeriod(frame(pairs), station, at + 400 * day)).toBeUndefined()
})

test('which strangers look like a dust station', () => {
  const looks = (st: string, pairs: Hj212Frame['pairs']) => looksLikeEnvironment({ ...frame([]), st, pairs })
  expect(looks('39', undefined)).toBe(true)
  expect(
    looks('32', [
      ['x', '1'],
      ['pm10-Rtd', '1'],
    ]),
  ).toBe(true)
  expect(looks('32', [['a34002-Rtd', '1']])).toBe(true)
  expect(looks('32', [['w01018-Rtd', '1']])).toBe(false)
  expect(looks('32', [])).toBe(false)
  expect(looks('32', undefined)).toBe(false)
})

test('a known name with a word of its own is kept beside, whatever else the frame says', () => {
  const { reading, rejected } = read([
    ['DataTime', formatDataTime(at)],
    ['LA-td', '63.5'],
    ['LA-Flag', 'N'],
    ['a34002-Rtd', '92'],
  ])
  expect(rejected).toEqual([])
  expect(reading).toMatchObject({ values: { pm10: 92 }, unknown: { 'LA-td': '63.5', 'LA-Flag': 'N' } })
  // Also without any other value.
  expect(
    read([
      ['DataTime', formatDataTime(at)],
      ['LA-td', '63.5'],
    ]).reading,
  ).toMatchObject({ values: {}, unknown: { 'LA-td': '63.5' } })
})
