import { expect, test } from 'vitest'
import { ids } from './bodies.ts'
import { downlinkOf } from './downlink.ts'

const times = { startTime: '2026-11-21T00:00:00+08:00', endTime: Date.parse('2026-11-21T12:00:00+08:00') }
const server = { host: '10.0.0.1', tcpPort: '1078', channel: 2 }

test.each<[string, Record<string, unknown>, number, string, readonly number[]]>([
  ['device.reboot', {}, ids.control, '04', []],
  ['device.setInterval', {}, ids.setParameters, '0100000029040000001e', []],
  ['device.setInterval', { intervalSeconds: '60' }, ids.setParameters, '0100000029040000003c', []],
  ['device.setInterval', { seconds: 7.9, intervalSeconds: 60 }, ids.setParameters, '01000000290400000007', []],
  ['device.setInterval', { seconds: 1 }, ids.setParameters, '01000000290400000005', []],
  ['device.setInterval', { seconds: 9999 }, ids.setParameters, '01000000290400000e10', []],
  ['device.setInterval', { seconds: ' ' }, ids.setParameters, '0100000029040000001e', []],
  ['device.setInterval', { seconds: 'x' }, ids.setParameters, '0100000029040000001e', []],
  ['device.setInterval', { seconds: true }, ids.setParameters, '0100000029040000001e', []],
  ['device.setInterval', { seconds: Number.POSITIVE_INFINITY }, ids.setParameters, '0100000029040000001e', []],
  ['device.setParams', { params: { heartbeatSeconds: 60 } }, ids.setParameters, '0100000001040000003c', []],
  ['device.setParams', { params: { sleepIntervalSeconds: 60 } }, ids.setParameters, '0100000027040000003c', []],
  ['device.setParams', { params: { intervalSeconds: 60 } }, ids.setParameters, '0100000029040000003c', []],
  ['device.setParams', { speedLimit: 60 }, ids.setParameters, '0100000055040000003c', []],
  ['device.setParams', { params: { '0x0013': 'host' } }, ids.setParameters, '01000000130468' + '6f7374', []],
  ['device.setParams', { params: { '005D': 5 } }, ids.setParameters, '010000005d020005', []],
  ['device.setParams', { params: { '0X005d': '5' } }, ids.setParameters, '010000005d020005', []],
  ['device.getParams', {}, ids.getParameters, '', [ids.parameters]],
  ['device.getAttributes', {}, ids.getAttributes, '', [ids.attributes]],
  ['device.locate', {}, ids.askPosition, '', [ids.locationAsked]],
  ['device.follow', {}, ids.follow, '00050000012c', []],
  ['device.follow', { seconds: 0 }, ids.follow, '0000', []],
  ['device.follow', { seconds: 3601, lastsSeconds: 0 }, ids.follow, '0e1000000001', []],
  ['device.text', { text: 'a' }, ids.text, '0c61', []],
  ['helmet.text', { text: 'a', urgent: true, speak: false }, ids.text, '0561', []],
  ['device.text', { text: 'a', urgent: 1, speak: 0 }, ids.text, '0c61', []],
  ['device.text', { text: 'a'.repeat(300) }, ids.text, `0c${'61'.repeat(200)}`, []],
  ['camera.snapshot', {}, ids.photo, '010001000000010580404080', []],
  ['camera.snapshot', { channel: 200 }, ids.photo, '7f0001000000010580404080', []],
  ['video.live', server, ids.liveVideo, '0831302e302e302e31043600000200' + '01', []],
  ['video.live', { ...server, udpPort: 70_000, stream: 0 }, ids.liveVideo, '0831302e302e302e310436ffff0200' + '00', []],
  ['video.liveControl', {}, ids.liveVideoControl, '01000000', []],
  ['video.liveControl', { control: 9 }, ids.liveVideoControl, '01040000', []],
  [
    'video.playback',
    { ...server, ...times },
    ids.playback,
    '0831302e302e302e310436000002' + '0000000000' + '261121000000' + '261121120000',
    [ids.videoList],
  ],
  ['video.playbackControl', {}, ids.playbackControl, '010200000000000000', []],
  ['video.playbackControl', { control: 9 }, ids.playbackControl, '010600000000000000', []],
  ['video.list', { ...times, channel: 3 }, ids.askVideoList, `03261121000000261121120000${'00'.repeat(11)}`, [ids.videoList]],
])('%s %j', (command, params, id, hex, answers) => {
  const { body, ...rest } = downlinkOf(command, params, false) ?? { body: undefined }
  expect({ ...rest, hex: body?.toString('hex') }).toEqual({ id, hex, answers })
})

test('the text of 2019 names its kind', () => {
  expect(downlinkOf('device.text', { text: 'a' }, true)?.body.toString('hex')).toBe('0c0161')
})

test.each<[string, Record<string, unknown>]>([
  ['spray.start', {}],
  ['', {}],
  ['device.setParams', { params: {} }],
  ['device.setParams', { params: null }],
  ['device.setParams', { params: 'x' }],
  ['device.setParams', { params: 7 }],
  ['device.setParams', { params: { '0x29': 1 } }],
  ['device.setParams', { params: { '00290': 1 } }],
  ['device.setParams', { params: { x0029: 1 } }],
  ['device.setParams', { params: { '0029': true } }],
  ['device.text', { text: '' }],
  ['device.text', { text: 5 }],
  ['video.live', {}],
  ['video.live', { host: 'a b' }],
  ['video.live', { host: 'a;' }],
  ['video.live', { host: ';a' }],
  ['video.playback', times],
  ['video.playback', { ...server, endTime: times.endTime }],
  ['video.playback', { ...server, startTime: times.startTime }],
  ['video.playback', { ...server, startTime: 'soon', endTime: times.endTime }],
  ['video.list', { endTime: times.endTime }],
  ['video.list', { startTime: times.startTime }],
  ['video.list', { startTime: true, endTime: times.endTime }],
])('nothing follows from %s %j', (command, params) => {
  expect(downlinkOf(command, params, false)).toBeUndefined()
})
