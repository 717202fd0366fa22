import { expect, test } from 'vitest'
import { dialectsOf } from './dialect-trial.ts'
import { buildFrame } from './hj212/frame.ts'
import { buildDlt645 } from './meters/dlt645.ts'

const now = Date.parse('2026-11-21T12:00:05+08:00')
const fitting = (frame: string) => dialectsOf(frame, now).flatMap(({ key, fits }) => (fits ? [key] : []))
const station = (mode?: Parameters<typeof buildFrame>[1]) =>
  buildFrame(
    { qn: '20261121120000123', st: '39', cn: '2011', pw: '123456', mn: 'MN00000001', flag: 9, cp: 'DataTime=20261121120000;a34002-Rtd=92' },
    mode,
  ).toString()

test.each<[string, string, string[]]>([
  ['a station', station(), ['hj212.standard']],
  ['a station whose checksum is CRC-16/IBM', station('ibm'), ['hj212.ibm']],
  ['a meter', buildDlt645('000000000001', 0x91, Buffer.from('0000010012345678', 'hex')).toString('hex'), ['dlt645']],
  ['a message of a gateway', JSON.stringify({ time: now, data: { pm10: 92 } }), ['gate.generic', 'mqtt']],
  [
    'an access event as XML',
    '<EventNotificationAlert><dateTime>2026-11-21T07:58:03+08:00</dateTime><eventType>AccessControllerEvent</eventType><AccessControllerEvent><majorEventType>5</majorEventType><subEventType>75</subEventType><employeeNoString>W1</employeeNoString></AccessControllerEvent></EventNotificationAlert>',
    ['gate.event'],
  ],
  [
    'a compared face',
    JSON.stringify({ operator: 'RecPush', info: { customId: 'W1', VerifyStatus: 1, time: '2026-11-21 07:58:03' } }),
    ['gate.operator'],
  ],
  ['attendance lines', 'W1\t2026-11-21 07:58:03\t0\t15', ['gate.adms']],
  ['a form', 'deviceKey=D1&personId=W7&time=1795219083000&type=face_0', ['gate.callback']],
])('%s is recognised by its own format', (_name, frame, keys) => {
  expect(fitting(frame)).toEqual(keys)
})

test('formats that do not fit say why, and fitting ones stand first', () => {
  const all = dialectsOf(station(), now)
  expect(all[0]).toEqual({ key: 'hj212.standard', name: 'HJ 212 环境监测站（标准 CRC16（HJ 212））', fits: true, why: null })
  expect(all.slice(1).every(({ fits, why }) => !fits && (why ?? '').length > 5)).toBe(true)
  const broken = dialectsOf(station().replace('Rtd=92', 'Rtd=93'), now).find(({ key }) => key.startsWith('hj212'))
  expect(broken?.why).toContain('CRC 校验错误')
  expect(dialectsOf('nothing at all', now).some(({ fits }) => fits)).toBe(false)
})
