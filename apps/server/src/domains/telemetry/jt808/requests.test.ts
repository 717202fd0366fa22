import { expect, test } from 'vitest'
import { downlinkOf } from './downlink.ts'
import { Requests } from './requests.ts'

const frames = [Buffer.from('x')]
const request = { serial: 5, id: 0x8300, answers: [] as number[], frames }

test('the general answer of the terminal ends a request, whatever it says', async () => {
  const requests = new Requests()
  const done = requests.add(request, 0)
  expect(requests.answered(6, 0x8300, 0)).toBe(false)
  expect(requests.answered(5, 0x8104, 0)).toBe(false)
  expect(requests.answered(5, 0x8300, 3)).toBe(true)
  expect(await done).toEqual({ result: 3 })
})

test('what was asked for comes after its acceptance; some answers name no serial', async () => {
  const requests = new Requests()
  const parameters = requests.add({ ...request, id: 0x8104, answers: [0x0104] }, 0)
  expect(requests.answered(5, 0x8104, 0)).toBe(true)
  expect(requests.answeredBy(0x0104, 4, {})).toBe(false)
  expect(requests.answeredBy(0x0104, 5, { params: { '0029': 30 } })).toBe(true)
  expect(await parameters).toEqual({ result: 0, data: { params: { '0029': 30 } } })
  const attributes = requests.add({ ...request, id: 0x8107, answers: [0x0107] }, 0)
  expect(requests.answeredBy(0x0107, undefined, { body: 'aa' })).toBe(true)
  expect(await attributes).toMatchObject({ result: 0 })
})

test('ten seconds, then T(n+1) = T(n) x (n+1); three repetitions', async () => {
  const requests = new Requests()
  const done = requests.add(request, 0)
  const sent: number[] = []
  for (let at = 0; at <= 400_000; at += 1_000) if (requests.due(at).length) sent.push(at / 1_000)
  // Repeats after 10, then 20, then 60 seconds; the last waits 240.
  expect(sent).toEqual([10, 30, 90])
  expect(await done).toEqual({ result: -2 })
})

test('an expired request is not sent again; a lost connection ends all', async () => {
  const requests = new Requests()
  const done = requests.add({ ...request, expireAt: 15_000 }, 0)
  expect(requests.due(10_000)).toHaveLength(1)
  expect(requests.due(30_000)).toEqual([])
  expect(await done).toEqual({ result: -2 })
  const lost = requests.add(request, 0)
  requests.close()
  expect(await lost).toEqual({ result: -1 })
})

test.each([
  ['device.reboot', {}, 0x8105, '04'],
  ['device.setInterval', { seconds: 30 }, 0x8103, '0100000029040000001e'],
  ['device.setParams', { params: { speedLimit: 60 } }, 0x8103, '0100000055040000003c'],
  ['device.getParams', {}, 0x8104, ''],
  ['device.locate', {}, 0x8201, ''],
  ['device.follow', { seconds: 5, lastsSeconds: 60 }, 0x8202, '00050000003c'],
  ['camera.snapshot', { channel: 2 }, 0x8801, '020001000000010580404080'],
  ['video.live', { host: '10.0.0.1', tcpPort: 1078, channel: 1, stream: 0 }, 0x9101, '0831302e302e302e3104360000010000'],
  ['video.liveControl', { channel: 1, control: 0 }, 0x9102, '01000000'],
  [
    'video.list',
    { channel: 1, startTime: '2026-11-21T00:00:00+08:00', endTime: '2026-11-21T12:00:00+08:00' },
    0x9205,
    '012611210000002611211200000000000000000000000000',
  ],
  ['video.playbackControl', { channel: 1, control: 2 }, 0x9202, '010200000000000000'],
] as const)('%s', (command, params, id, hex) => {
  const downlink = downlinkOf(command, params, false)
  expect(downlink?.id).toBe(id)
  expect(downlink?.body.toString('hex')).toBe(hex)
})

test('what is none of its commands, or says nothing', () => {
  expect(downlinkOf('spray.start', {}, false)).toBeUndefined()
  expect(downlinkOf('device.setParams', { params: { colour: 1 } }, false)).toBeUndefined()
  expect(downlinkOf('device.text', {}, true)).toBeUndefined()
  expect(downlinkOf('video.live', { host: 'a b' }, false)).toBeUndefined()
})
