import { expect, test } from 'vitest'
import { firstCommands, hj212DownlinkOf } from './downlink.ts'

const now = Date.parse('2026-11-21T12:00:00+08:00')
const [from, to] = ['20261120000000', '20261121000000']
const span = { kind: 'hour', startTime: '2026-11-20 00:00:00', endTime: '2026-11-21T00:00:00' }

test.each<[string, Record<string, unknown>, string, string]>([
  ['hj212.getTime', {}, '1011', ''],
  ['device.setInterval', { intervalSeconds: 60 }, '1062', 'RtdInterval=60'],
  ['hj212.setInterval', { seconds: '30' }, '1062', 'RtdInterval=30'],
  ['hj212.setInterval', { seconds: 3600, intervalSeconds: 60 }, '1062', 'RtdInterval=3600'],
  ['hj212.getInterval', {}, '1061', ''],
  ['hj212.setMinuteInterval', { minutes: 1 }, '1064', 'MinInterval=1'],
  ['hj212.setMinuteInterval', { minutes: 60 }, '1064', 'MinInterval=60'],
  ['hj212.getMinuteInterval', {}, '1063', ''],
  ['hj212.setTimeouts', { overTimeSeconds: 300, repeats: 0 }, '1000', 'OverTime=300;ReCount=0'],
  ['hj212.setTimeouts', { overTimeSeconds: 1, repeats: 20 }, '1000', 'OverTime=1;ReCount=20'],
  ['hj212.setPassword', { password: '123456' }, '1072', 'NewPW=123456'],
  ['hj212.setPassword', { password: 'x'.repeat(9) }, '1072', `NewPW=${'x'.repeat(9)}`],
  ['hj212.history', { ...span, kind: 'minute' }, '2051', `BeginTime=${from},EndTime=${to}`],
  ['hj212.history', span, '2061', `BeginTime=${from},EndTime=${to}`],
  ['hj212.history', { ...span, kind: 'day' }, '2031', `BeginTime=${from},EndTime=${to}`],
  ['hj212.history', { ...span, startTime: now - 1000, endTime: now }, '2061', 'BeginTime=20261121115959,EndTime=20261121120000'],
  [
    'hj212.history',
    { ...span, startTime: '2026-11-19T16:00:00Z', endTime: '2026-11-20T17:00:00+01:00' },
    '2061',
    `BeginTime=${from},EndTime=${to}`,
  ],
  ['hj212.history', { ...span, endTime: '2026-11-21T00:00:00+0800' }, '2061', `BeginTime=${from},EndTime=${to}`],
  ['hj212.history', { ...span, startTime: '2026-11-19T15:00:00-01:00' }, '2061', `BeginTime=${from},EndTime=${to}`],
  ['hj212.control', { cn: '3011' }, '3011', ''],
  ['hj212.control', { cn: 3021, polId: 'a34004' }, '3021', 'PolId=a34004'],
  ['hj212.control', { cn: '3019', polId: 'x'.repeat(40) }, '3019', `PolId=${'x'.repeat(40)}`],
  ['hj212.control', { cn: '3020', polId: 'x'.repeat(41) }, '3020', ''],
  ['hj212.control', { cn: '3020', polId: 'a b' }, '3020', ''],
  ['hj212.control', { cn: '3020', polId: ' a' }, '3020', ''],
  ['hj212.control', { cn: '3020', polId: 34 }, '3020', ''],
])('%s %j', (command, params, cn, cp) => {
  expect(hj212DownlinkOf(command, params, now)).toEqual({ cn, cp })
})

test.each<[string, Record<string, unknown>]>([
  ['', {}],
  ['hj212.setInterval', {}],
  ['hj212.setInterval', { seconds: ' ' }],
  ['hj212.setInterval', { seconds: '30s' }],
  ['hj212.setInterval', { seconds: 30.5 }],
  ['hj212.setInterval', { seconds: true }],
  ['hj212.setMinuteInterval', {}],
  ['hj212.setMinuteInterval', { minutes: 0 }],
  ['hj212.setMinuteInterval', { minutes: 61 }],
  ['hj212.setTimeouts', { overTimeSeconds: 10 }],
  ['hj212.setTimeouts', { repeats: 3 }],
  ['hj212.setTimeouts', { overTimeSeconds: 0, repeats: 3 }],
  ['hj212.setTimeouts', { overTimeSeconds: 10, repeats: 21 }],
  ['hj212.setPassword', {}],
  ['hj212.setPassword', { password: 1234567 }],
  ['hj212.setPassword', { password: '12345' }],
  ['hj212.setPassword', { password: 'x'.repeat(10) }],
  ['hj212.setPassword', { password: 'abc def' }],
  ['hj212.setPassword', { password: ' abcdef' }],
  ['hj212.setPassword', { password: 'abcdef ' }],
  ['hj212.setPassword', { password: 'abc;def' }],
  ['hj212.setPassword', { password: 'abc&def' }],
  ['hj212.setPassword', { password: 'abc,def' }],
  ['hj212.setPassword', { password: 'abc=def' }],
  ['hj212.history', { ...span, kind: 'year' }],
  ['hj212.history', { kind: 'hour' }],
  ['hj212.history', { ...span, startTime: 'soon' }],
  ['hj212.history', { ...span, startTime: true }],
  ['hj212.history', { ...span, endTime: Number.NaN }],
  ['hj212.history', { ...span, endTime: span.startTime }],
  ['hj212.history', { ...span, startTime: span.endTime, endTime: span.startTime }],
  ['hj212.control', {}],
  ['hj212.control', { cn: '3010' }],
  ['hj212.control', { cn: '3022' }],
  ['hj212.control', { cn: '30110' }],
  ['hj212.control', { cn: '13011' }],
])('nothing follows from %s %j', (command, params) => {
  expect(hj212DownlinkOf(command, params, now)).toBeUndefined()
})

test('first commands: only what is set', () => {
  expect(firstCommands({})).toEqual([])
  expect(firstCommands({ time: false, start: false })).toEqual([])
  expect(firstCommands({ overTimeSeconds: 10 })).toEqual([{ cmd: 'hj212.setTimeouts', params: { overTimeSeconds: 10, repeats: 3 } }])
  expect(firstCommands({ time: true, overTimeSeconds: 5, repeats: 1, intervalSeconds: 60, minutes: 10, start: true })).toEqual([
    { cmd: 'device.syncTime', params: {} },
    { cmd: 'hj212.setTimeouts', params: { overTimeSeconds: 5, repeats: 1 } },
    { cmd: 'hj212.setInterval', params: { seconds: 60 } },
    { cmd: 'hj212.setMinuteInterval', params: { minutes: 10 } },
    { cmd: 'hj212.start', params: {} },
  ])
})
