import { expect, test } from 'vitest'
import { happeningOf, intoEpisodes } from './episodes.ts'

const at = (seconds: number) => Date.UTC(2026, 10, 20) + seconds * 1000
const alarm = (id: string, alarmKey: string, level: number, from: number, to: number | null, deviceId = 'crane') => ({
  id,
  projectCode: 'P1',
  family: 'towerCrane',
  deviceId,
  point: '',
  alarmKey,
  level,
  active: to === null,
  startTime: at(from),
  clearTime: to === null ? null : at(to),
})
const words = (rows: Parameters<typeof intoEpisodes>[0]) =>
  intoEpisodes(rows).map(({ lead, beside }) => [lead.id, ...beside.map((one) => one.id)].join('+'))

test.each([
  ['momentAlarm', 'overload'],
  ['loadWarning', 'overload'],
  ['momentOverload', 'overload'],
  ['windDanger', 'wind'],
  ['windAlarm', 'wind'],
  ['windWarning', 'wind'],
  ['offline', 'offline'],
])('%s tells of %s', (key, happening) => expect(happeningOf(key)).toBe(happening))

test('one overload with four alarms is one episode, led by the worst level', () => {
  expect(
    words([
      alarm('a', 'loadWarning', 3, 0, null),
      alarm('b', 'momentWarning', 3, 2, null),
      alarm('c', 'loadAlarm', 2, 8, null),
      alarm('d', 'momentAlarm', 2, 6, null),
    ]),
  ).toEqual(['d+c+a+b'])
})

test('another machine, another matter and a later lift stand by themselves', () => {
  expect(
    words([
      alarm('a', 'momentAlarm', 2, 0, 30),
      alarm('b', 'momentAlarm', 2, 10, 40, 'other'),
      alarm('c', 'windAlarm', 2, 10, 40),
      alarm('d', 'momentWarning', 3, 60, 70),
      alarm('e', 'momentAlarm', 2, 400, null),
    ]),
  ).toEqual(['a+d', 'b', 'c', 'e'])
})

test('meters that go dark one after another are one outage; two of them, or one later on, are not', () => {
  const dark = (id: string, key: string, minute: number, deviceId: string, projectCode = 'P1') => ({
    ...alarm(id, key, key === 'powerOff' ? 3 : 4, minute * 60, null, deviceId),
    family: 'electricMeter',
    projectCode,
  })
  expect(
    words([
      dark('a', 'offline', 0, 'm1'),
      dark('b', 'powerOff', 5, 'm2'),
      dark('c', 'offline', 20, 'm3'),
      dark('d', 'offline', 45, 'm4'),
      dark('e', 'offline', 3, 'm5', 'P2'),
      dark('f', 'offline', 4, 'm6', 'P2'),
    ]),
  ).toEqual(['b+a+c', 'd', 'e', 'f'])
})

test('helmets of a base station that fall silent at once are one happening, apart from the meters’ and from those that follow later', () => {
  const silent = (id: string, second: number, deviceId: string, family = 'baseStationHelmet') => ({
    ...alarm(id, 'offline', 4, second, null, deviceId),
    family,
  })
  expect(
    words([
      silent('a', 0, 'h1'),
      silent('b', 0, 'h2'),
      silent('c', 1, 'h3'),
      silent('m', 1, 'm1', 'electricMeter'),
      silent('d', 200, 'h4'),
    ]),
  ).toEqual(['a+b+c', 'm', 'd'])
})

test('every alarm stands in exactly one episode', () => {
  const rows = Array.from({ length: 200 }, (_, i) =>
    alarm(
      `n${i}`,
      ['momentAlarm', 'loadWarning', 'tiltAlarm'][i % 3] ?? '',
      (i % 4) + 1,
      (i * 37) % 900,
      ((i * 37) % 900) + (i % 50),
      `d${i % 5}`,
    ),
  )
  const shown = intoEpisodes(rows).flatMap(({ lead, beside }) => [lead.id, ...beside.map((one) => one.id)])
  expect(shown.toSorted()).toEqual(rows.map((row) => row.id).toSorted())
})
