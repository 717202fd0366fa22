import { expect, test } from 'vitest'
import { partsOf } from '../multipart.ts'
import { readPush } from './adapters.ts'
import { given } from './given-for-test.ts'

const push = (dialect: Parameters<typeof readPush>[0], body: unknown, contentType?: string) =>
  readPush(dialect, given(body, contentType ? { contentType } : {}))

const event = (more: Record<string, unknown> = {}) => ({
  ipAddress: '10.0.0.9',
  dateTime: '2026-11-21T07:58:03+08:00',
  eventType: 'AccessControllerEvent',
  AccessControllerEvent: {
    majorEventType: 5,
    subEventType: 75,
    employeeNoString: 'W1024',
    name: '田光明',
    serialNo: 812,
    currentVerifyMode: 'face',
    ...more,
  },
})

test('an access controller: 5/75 passed, 5/76 failed, everything else is no passage', () => {
  expect(push('event', event())?.passages).toEqual([
    {
      time: '2026-11-21T07:58:03+08:00',
      data: { recordId: '812', workerId: 'W1024', name: '田光明', personType: '1', pass: '1', mode: '1' },
      picture: undefined,
    },
  ])
  expect(push('event', event({ subEventType: 76, employeeNoString: '' }))?.passages[0]?.data).toMatchObject({ pass: '0', personType: '3' })
  // `employeeNo` replaces a missing `employeeNoString`; fingerprints and cards are accepted too.
  expect(push('event', event({ employeeNoString: undefined, employeeNo: 'W7' }))?.passages[0]?.data).toMatchObject({
    workerId: 'W7',
    personType: '1',
  })
  expect(push('event', event({ subEventType: 38, attendanceStatus: 'checkIn' }))?.passages[0]?.data).toMatchObject({
    workerId: 'W1024',
    pass: '1',
    mode: '6',
    direction: '0',
  })
  for (const [other, passedOver] of [
    [{ subEventType: 21 }, '5/21'],
    [{ majorEventType: 3 }, '3/75'],
    [{ subEventType: 38, employeeNoString: '' }, '5/38，没有工号'],
  ] as const)
    expect(push('event', event(other))).toEqual({ passages: [], ignored: 1, passedOver })
  expect(push('event', { eventType: 'heartBeat' })).toEqual({ passages: [], ignored: 1 })
  expect(push('event', '<xml/>')).toBeUndefined()
  expect(push('event', { ...event(), dateTime: 'never' })).toEqual({ passages: [], ignored: 1, timeless: ['never'] })
})

test('an access controller with its picture as second part', () => {
  const picture = Buffer.from([0xff, 0xd8, 0xff, 0x0d, 0x0a, 0x2d, 0x2d, 0x01])
  const body = Buffer.concat([
    Buffer.from(
      `--MIME_boundary\r\nContent-Disposition: form-data; name="event_log"\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(event())}\r\n`,
    ),
    Buffer.from(
      '--MIME_boundary\r\nContent-Disposition: form-data; name="Picture"; filename="Picture.jpg"\r\nContent-Type: image/jpeg\r\n\r\n',
    ),
    picture,
    Buffer.from('\r\n--MIME_boundary--\r\n'),
  ])
  const read = readPush('event', given(body, { contentType: 'multipart/form-data; boundary=MIME_boundary' }))
  expect(read?.passages[0]).toMatchObject({ data: { workerId: 'W1024' }, picture })
  expect(partsOf('multipart/form-data; boundary=other', body)).toBeUndefined()
  expect(readPush('event', given(body.subarray(0, 300), { contentType: 'multipart/form-data; boundary=MIME_boundary' }))).toBeUndefined()
})

test('a terminal that calls back: form or JSON, milliseconds or a time of zone 0', () => {
  const form = new URLSearchParams({
    deviceKey: 'D1',
    personId: 'W7',
    time: '1795219083000',
    type: 'face_0',
    path: 'http://10.0.0.9/1.jpg',
  })
  expect(push('callback', form.toString(), 'application/x-www-form-urlencoded')?.passages).toEqual([
    {
      time: 1_795_219_083_000,
      data: { workerId: 'W7', personType: '1', pass: '1', mode: '1', photoUrl: 'http://10.0.0.9/1.jpg' },
      picture: undefined,
    },
  ])
  const text = push('callback', { deviceKey: 'D1', personId: 'W7', time: '2026-11-20 23:58:03', type: 'face_1', imgBase64: '/9j/AA==' })
  expect(text?.passages[0]).toMatchObject({ time: '2026-11-20T23:58:03Z', data: { pass: '0' }, picture: Buffer.from('/9j/AA==', 'base64') })
  const stranger = push('callback', { deviceKey: 'D1', personId: 'STRANGERBABY', time: 1_795_219_083_000, type: 'face_2' })
  expect(stranger?.passages[0]?.data).toEqual({ personType: '3', pass: '0', mode: '1' })
  expect(push('callback', { deviceKey: 'D1', type: 'heartbeat' })).toEqual({ passages: [], ignored: 1 })
  expect(push('callback', { personId: 'W7' })).toBeUndefined()
})

test('a plus sign that a form did not escape, and ways in words', () => {
  const picture = Buffer.from('fbefbe', 'hex')
  const body = `deviceKey=D1&personId=W7&time=1795219083000&type=face_0&direction=${encodeURIComponent('出')}&imgBase64=${picture.toString('base64')}`
  expect(picture.toString('base64')).toContain('+')
  expect(push('callback', body, 'application/x-www-form-urlencoded')?.passages[0]).toMatchObject({ data: { direction: '1' }, picture })
})

test('the generic payload: a list, or one by itself', () => {
  const item = { time: 1_795_219_083_000, data: { recordId: 'R1', workerId: 'W7', direction: '0' } }
  expect(push('generic', { items: [item, 'x', { data: {} }] })).toMatchObject({ passages: [{ data: { recordId: 'R1' } }], ignored: 1 })
  expect(push('generic', { time: 1_795_219_083_000, workerId: 'W7' })?.passages[0]?.data).toMatchObject({ workerId: 'W7' })
  expect(push('generic', { items: 'none' })).toBeUndefined()
})

test.each(['STRANGERBABY', 'strangerbaby', 'IDCARD', 'IdCard', 'NOMASK', '-1'])('%s is nobody’s number', (personId) => {
  const passed = push('callback', { deviceKey: 'D1', personId, time: 1_795_219_083_000, type: 'face_0', recordId: '8' })
  expect(passed?.passages[0]?.data).toEqual({ recordId: '8', personType: '3', pass: '1', mode: '1' })
  expect(push('event', event({ employeeNoString: personId }))?.passages[0]?.data).toEqual({
    recordId: '812',
    name: '田光明',
    personType: '3',
    pass: '1',
    mode: '1',
  })
})

test('a card that was compared with a face is a passage of somebody unknown', () => {
  const passed = push('callback', { deviceKey: 'D1', personId: 'IDCARD', time: 1_795_219_083_000, type: 'idcard_0' })
  expect(passed?.passages[0]?.data).toEqual({ personType: '3', pass: '1', mode: '4' })
})
