import { describe, expect, test } from 'vitest'
import { gravestFirst, kpiOf } from './figures.ts'
import type { CallData } from './hub.ts'
import { siteTones, toneOf } from './panels/map-places.ts'
import { said } from './wall-state.ts'

type Row = CallData<'alarms'>['list'][number]
const row = (id: string, level: number, state: string, startTime: number, projectCode = 'P1') =>
  ({ id, level, state, startTime, projectCode }) as Row

describe('the ticker', () => {
  test('an alarm of level 1 stands above one of level 2, whether somebody has it or not; then whatever nobody has', () => {
    const rows = [
      row('new 2', 2, 'open', 900),
      row('taken 1', 1, 'acknowledged', 300),
      row('old 1', 1, 'open', 100),
      row('new 1', 1, 'open', 200),
    ]
    expect(gravestFirst(rows, undefined).map(({ id }) => id)).toEqual(['new 1', 'old 1', 'taken 1', 'new 2'])
  })
  test('a district chosen leaves out the sites of others', () => {
    const rows = [row('here', 2, 'open', 1), row('there', 1, 'open', 2, 'P2')]
    expect(gravestFirst(rows, new Set(['P1'])).map(({ id }) => id)).toEqual(['here'])
  })
})

describe('figures of the strip', () => {
  const site = (areaCode: string, over: object) => ({
    areaCode,
    prjStatus: '003',
    onSite: 10,
    attended: 8,
    arrived: 7,
    expected: 9,
    devices: 5,
    online: 4,
    openAlarms: 3,
    graveAlarms: 1,
    absentPosts: 2,
    ...over,
  })
  const main = {
    kind: 'government',
    graveAlarms: 5,
    figures: [],
    week: [],
    devices: [],
    projects: [site('A', {}), site('B', { graveAlarms: 4, prjStatus: '005' })],
  } as unknown as CallData<'main'>
  const keys = ['building', 'inPlace', 'attended', 'rate', 'online', 'openAlarms', 'grave', 'absentPosts'] as const
  const of = (shown: CallData<'main'> | undefined, area?: string) =>
    keys.map((key) => kpiOf(key, shown, undefined, undefined, area, 0).value)

  test('all of them narrow to the district chosen', () => {
    expect(of(main)).toEqual([1, 20, 16, 77.8, 80, 6, 5, 4])
    expect(of(main, 'A')).toEqual([1, 10, 8, 77.8, 80, 3, 1, 2])
  })
  test('before the answer none is known, and nothing is said to be none', () => {
    expect(of(undefined)).toEqual(keys.map(() => undefined))
    for (const key of keys)
      expect(kpiOf(key, undefined, undefined, undefined, undefined, 0)).toMatchObject({ note: '', tone: expect.not.stringMatching('fine') })
  })
  test('levels 1 and 2 that wait on a site are those of the home page, taken up or not', () => {
    const one = { ...main, kind: 'project', projects: [], graveAlarms: 2 } as CallData<'main'>
    const alarms = { counts: { urgent: 1 } } as CallData<'alarms'>
    expect(kpiOf('grave', one, alarms, undefined, undefined, 0).value).toBe(2)
  })
  test('shares of a column end alike', () => expect([89, 92.95, null].map((n) => said(n, '%'))).toEqual(['89.0', '93.0', '--']))
})

test('the colour of a site: its worst alarm, then whether it is stopped, then how many machines are silent', () => {
  const site = (prjStatus: string, online: number) => ({ prjStatus, online, devices: 10 })
  expect([
    toneOf(site('005', 0), 1),
    toneOf(site('003', 9), 4),
    toneOf(site('005', 0), undefined),
    toneOf(site('003', 7), undefined),
    toneOf(site('003', 8), undefined),
  ]).toEqual(['level-1', 'level-4', 'stopped', 'quiet', 'fine'])
  expect(new Set(Object.values(siteTones)).size).toBe(Object.keys(siteTones).length)
})
