import type { TriggerRow } from '@zhugong/contract/rules/model'
import { expect, test } from 'vitest'
import { gapsOn, onDutyNow, shiftsOn, weekOf } from './duty-words.ts'
import { differenceOf, effectiveRows } from './effective.ts'

const wind = (value: number, more: object = {}) => ({
  level: 2,
  condition: { type: 'threshold', metric: 'windSpeed', op: '>=', value },
  forSeconds: 10,
  ...more,
})
const rule = (id: string, more: Partial<TriggerRow> = {}): TriggerRow =>
  ({
    id,
    family: 'towerCrane',
    alarmKey: 'windWarning',
    levels: [wind(12)],
    scope: { kind: 'global' },
    projectCode: null,
    templateId: null,
    enabled: true,
    locked: false,
    off: false,
    updateTime: '2026-11-01 00:00:00',
    ...more,
  }) as TriggerRow
const own = (id: string, more: Partial<TriggerRow> = {}) =>
  rule(id, { projectCode: 'P1', scope: { kind: 'projects', projectCodes: ['P1'] }, ...more })
const catalogue = [
  {
    id: 'towerCrane.windWarning',
    family: 'towerCrane',
    familyName: '塔吊',
    alarmKey: 'windWarning',
    label: '大风',
    level: 2,
    expressible: true,
  },
]
const only = (rules: TriggerRow[]) => effectiveRows(catalogue, rules, 'P1')[0]

test.each([
  ['the platform alone', [rule('g')], { id: 'g', origin: 'platform', difference: undefined }],
  ['the site’s own wins', [rule('g'), own('p', { levels: [wind(10)] as never })], { id: 'p', origin: 'project', difference: 'stricter' }],
  ['one from a template is the company’s', [rule('g'), own('p', { templateId: 't' })], { id: 'p', origin: 'company', difference: 'same' }],
  ['a disabled one does not', [rule('g'), own('p', { enabled: false })], { id: 'g', origin: 'platform', difference: undefined }],
  ['another site’s is not ours', [rule('g'), own('p', { projectCode: 'P2' })], { id: 'g', origin: 'platform', difference: undefined }],
  ['off is looser than anything', [rule('g'), own('p', { off: true })], { id: undefined, origin: 'project', difference: 'looser' }],
  ['nothing enabled', [rule('g', { enabled: false })], { id: undefined, origin: 'platform', difference: undefined }],
  [
    'given by the platform to some sites',
    [rule('g'), rule('s', { scope: { kind: 'projects', projectCodes: ['P1'] }, levels: [wind(14)] as never })],
    { id: 's', origin: 'platform', difference: 'looser' },
  ],
])('in force: %s', (_, rules, wanted) => {
  const row = only(rules)
  expect({ id: row?.rule?.id, origin: row?.origin, difference: row?.difference }).toEqual(wanted)
})

test('rules for single machines stand beside what holds for the site; the lock is the platform’s', () => {
  const row = only([rule('g', { locked: true }), own('d', { scope: { kind: 'devices', deviceIds: ['x'] } })])
  expect(row).toMatchObject({ locked: true, rule: { id: 'g' }, narrower: [{ id: 'd' }] })
})

test.each([
  [[wind(12)], [wind(12)], 'same'],
  [[wind(12)], [wind(13)], 'looser'],
  [[wind(12)], [wind(12, { forSeconds: 5 })], 'stricter'],
  [[wind(12)], [wind(11, { forSeconds: 30 })], 'looser'],
  [[wind(12)], [wind(12), wind(20, { level: 1 })], 'stricter'],
  [[wind(12), wind(20, { level: 1 })], [wind(12)], 'looser'],
  [[wind(12)], [wind(12, { level: 3 })], 'looser'],
  [[wind(12)], [{ level: 2, condition: { type: 'noData', seconds: 10 }, forSeconds: 10 }], 'different'],
  [[{ level: 2, condition: { type: 'noData', seconds: 60 } }], [{ level: 2, condition: { type: 'noData', seconds: 30 } }], 'stricter'],
  [
    [{ level: 2, condition: { type: 'not', of: [{ type: 'threshold', metric: 'a', op: '>=', value: 5 }] } }],
    [{ level: 2, condition: { type: 'not', of: [{ type: 'threshold', metric: 'a', op: '>=', value: 6 }] } }],
    'stricter',
  ],
])('%j against %j is %s', (standard, given, difference) => {
  expect(differenceOf(standard, given)).toBe(difference)
})

const at = (text: string) => Date.parse(`${text}+08:00`)
test('a week runs from Monday, in Shanghai', () => {
  // Late Sunday in UTC is already Monday in Shanghai.
  expect(weekOf(Date.parse('2026-11-22T17:00:00Z'))[0]).toBe('2026-11-23')
  expect(weekOf(at('2026-11-22T23:59:59'))).toEqual([
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
    '2026-11-20',
    '2026-11-21',
    '2026-11-22',
  ])
  expect(weekOf(at('2026-12-30T08:00:00'), 1)[0]).toBe('2027-01-04')
})

const shifts = [
  { id: 'a', userName: '王建国', fromTime: '2026-11-20 08:00:00', untilTime: '2026-11-20 20:00:00' },
  { id: 'b', userName: '周立新', fromTime: '2026-11-20 20:00:00', untilTime: '2026-11-21 08:00:00' },
]
test('a night shift stands on both days', () => {
  expect(shiftsOn('2026-11-20', shifts).map((s) => [s.shift.userName, s.from, s.until])).toEqual([
    ['王建国', '08:00', '20:00'],
    ['周立新', '20:00', '24:00'],
  ])
  expect(shiftsOn('2026-11-21', shifts).map((s) => [s.shift.userName, s.from, s.until])).toEqual([['周立新', '00:00', '08:00']])
  expect(shiftsOn('2026-11-22', shifts)).toEqual([])
})

test('hours nobody answers for', () => {
  expect(gapsOn('2026-11-20', shifts)).toEqual([{ from: '00:00', until: '08:00' }])
  expect(gapsOn('2026-11-21', shifts)).toEqual([{ from: '08:00', until: '24:00' }])
  expect(gapsOn('2026-11-20', shifts, at('2026-11-20T12:00:00'))).toEqual([])
  expect(gapsOn('2026-11-22', [])).toEqual([{ from: '00:00', until: '24:00' }])
})

test('who is on duty now; the end of a shift is not', () => {
  expect(onDutyNow(shifts, at('2026-11-20T20:00:00')).map((s) => s.userName)).toEqual(['周立新'])
  expect(onDutyNow(shifts, at('2026-11-21T08:00:00'))).toEqual([])
})
