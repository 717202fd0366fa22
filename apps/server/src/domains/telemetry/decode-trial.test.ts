import { expect, test } from 'vitest'
import { decodeTrial } from './decode-trial.ts'
import { buildFrame as hj212Frame } from './hj212/frame.ts'
import { encryptCp } from './hj212/sm4.ts'
import { buildFrame as terminalFrame } from './jt808/frame.ts'

const now = Date.parse('2026-11-21T12:00:05+08:00')
const station = (cp: string) =>
  hj212Frame({ qn: '20261121120000123', st: '39', cn: '2011', pw: '123456', mn: 'MN00000001', flag: 9, cp }).toString()
const cp = 'DataTime=20261121120000;a34002-Rtd=0.092,a34002-Flag=N;LA-Rtd=61'

test('an HJ 212 frame: fields, values in the unit of the device, no password', () => {
  const trial = decodeTrial(station(cp), { protocol: 'hj212', units: { pm10: 'mg' } }, now)
  expect(trial).toMatchObject({ ok: true, values: { pm10: 92, noise: 61 }, quality: null, fields: { cn: '2011', mn: 'MN00000001' } })
  expect(JSON.stringify(trial)).not.toContain('123456;')
  expect(trial.fields).not.toHaveProperty('pw')
  expect(decodeTrial(station(cp), { protocol: 'hj212' }, now).quality).toEqual({ pm10: 'unitUnconfirmed' })
  expect(decodeTrial(station(cp).replace('LA', 'LB'), { protocol: 'hj212' }, now)).toMatchObject({ ok: false, error: 'CRC 校验错误' })
  expect(decodeTrial(station(cp).slice(0, 40), { protocol: 'hj212' }, now)).toMatchObject({ ok: false })
})

test('what is wrong with a frame is said with what to do about it', () => {
  const trial = (text: string) => decodeTrial(text, { protocol: 'hj212', units: { pm10: 'mg' } }, now)
  expect(trial(station(cp).replace('LA', 'LB')).hint).toContain('应为')
  expect(trial(station(cp).replace(/^##..../, '##0400'))).toMatchObject({ ok: false, hint: expect.stringContaining('声明长度 0400') })
  expect(trial(station(cp.replace('20261121', '20001121')))).toMatchObject({ ok: false, hint: expect.stringContaining('时钟复位') })
  expect(trial(station(cp.replace('20261121', '20260231')))).toMatchObject({ ok: false, error: '时间不正确' })
  expect(trial(station(cp.replace('20261121120000', '20261121200000')))).toMatchObject({
    ok: true,
    hint: expect.stringContaining('东八区'),
  })
  expect(decodeTrial('7E 02 00 00 00 7E', { protocol: 'jt808' }, now).hint).toContain('不足一个消息头')
})

test('an encrypted frame, with the key and without', () => {
  const key = '00112233445566778899aabbccddeeff'
  const frame = station(encryptCp(cp, Buffer.from(key, 'hex')))
  expect(decodeTrial(frame, { protocol: 'hj212', units: { pm10: 'mg' }, key }, now)).toMatchObject({ ok: true, values: { pm10: 92 } })
  expect(decodeTrial(frame, { protocol: 'hj212' }, now)).toMatchObject({ ok: false, error: '数据区已加密，密钥未知或不符' })
})

test('codes of the station’s own', () => {
  const codes = { Dust1: { metric: 'pm10', factor: 2 } }
  const trial = decodeTrial(station('DataTime=20261121120000;Dust1-Rtd=40'), { protocol: 'hj212', units: { pm10: 'ug' }, codes }, now)
  expect(trial.values).toEqual({ pm10: 80 })
})

test('a JT/T 808 position, as hexadecimal with blanks', () => {
  const body = Buffer.alloc(28)
  body.writeUInt32BE(3, 4)
  body.writeUInt32BE(30_592_812, 8)
  body.writeUInt32BE(114_305_392, 12)
  body.write('261121120000', 22, 'hex')
  const hex = terminalFrame({ id: 0x0200, phone: '13912345678', serial: 1, body }).toString('hex').replace(/../g, '$& ')
  expect(decodeTrial(hex, { protocol: 'jt808' }, now)).toMatchObject({
    ok: true,
    fields: { id: '0x0200', phone: '13912345678' },
    values: { longitude: 114.305392, latitude: 30.592812, accOn: true },
  })
  expect(decodeTrial(hex.replace('26 11 21', '26 11 22'), { protocol: 'jt808' }, now)).toMatchObject({ ok: false })
  expect(decodeTrial('zz', { protocol: 'jt808' }, now)).toMatchObject({ ok: false, error: '请粘贴十六进制或文本报文' })
})

test('meters, registers and JSON', () => {
  const meter = 'FE FE FE FE 68 01 00 00 00 00 00 68 91 08 33 33 34 33 AB 89 67 45 17 16'
  expect(decodeTrial(meter, { protocol: 'poll', family: 'electricMeter' }, now)).toMatchObject({
    ok: true,
    protocol: 'dlt645',
    values: { totalEnergy: 123456.78 },
  })
  expect(decodeTrial('01 03 04 00 01 00 02 2A 32', { protocol: 'poll', family: 'electricMeter' }, now)).toMatchObject({
    protocol: 'modbusRtu',
  })
  const json = JSON.stringify({ v: 1, items: [{ time: now, data: { pm10: 92, extra: 1, noise: 'x' } }] })
  expect(decodeTrial(json, { protocol: 'mqtt', family: 'environment' }, now)).toMatchObject({ ok: true, values: { pm10: 92, extra: 1 } })
  expect(decodeTrial('{', { protocol: 'mqtt', family: 'environment' }, now)).toMatchObject({ ok: false, error: '不是有效的 JSON' })
})
