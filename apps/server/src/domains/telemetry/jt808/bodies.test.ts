import { readParameterValues, terminalParameters } from '@zhugong/contract/telemetry/terminal-parameters'
import { expect, test } from 'vitest'
import * as body from './bodies.ts'
import { fromGbk, toGbk, trimmedGbk } from './gbk.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const at = Date.parse('2026-11-21T12:34:56+08:00')

test('texts are GBK there and back; what it does not have is a question mark', () => {
  expect(toGbk('啊A€中').toString('hex')).toBe('b0a141a2e3d6d0')
  expect(fromGbk(hex('b0a1 41 d6d0'))).toBe('啊A中')
  expect(toGbk('\u{7f}\u{80}😀\ufffd').toString('hex')).toBe('7f3f3f3f')
  // This character is in the table twice: the first position is used.
  expect(toGbk('　').toString('hex')).toBe('a1a1')
  // The first and the last character of the table.
  expect(fromGbk(toGbk('丂齄'))).toBe('丂齄')
  expect(toGbk('').length).toBe(0)
  expect(trimmedGbk(hex('0000 20 41 00 42 20 0000'))).toBe('A\u{42}')
  expect(trimmedGbk(hex('000000'))).toBe('')
})

test('the general answer has five bytes', () => {
  expect(body.readGeneralAnswer(hex('0102 8103 03'))).toEqual({ serial: 0x0102, id: 0x8103, result: 3 })
  expect(body.readGeneralAnswer(hex('0102 8103'))).toBeUndefined()
  expect(body.readGeneralAnswer(hex('0102 8103 03 00'))).toBeUndefined()
})

test('a registration of 36 bytes is of 2011, of 37 of 2013; without its colour it is none', () => {
  const head = hex('002a 0102')
  const rest = (length: number) => Buffer.concat([head, Buffer.alloc(length - 4, 0x41)])
  expect(body.readRegistration(rest(36), false)).toMatchObject({ edition: '2011', model: 'AAAAAAAA', color: 0x41, plate: 'A'.repeat(11) })
  expect(body.readRegistration(rest(37), false)).toMatchObject({ edition: '2013', model: 'A'.repeat(20), color: 0x41, plate: '' })
  expect(body.readRegistration(rest(25), false)).toMatchObject({ edition: '2011', province: 42, city: 0x0102, color: 0x41, plate: '' })
  expect(body.readRegistration(rest(24), false)).toBeUndefined()
  expect(body.readRegistration(rest(76), true)).toMatchObject({ maker: 'A'.repeat(11), model: 'A'.repeat(30), terminalId: 'A'.repeat(30) })
  expect(body.readRegistration(rest(75), true)).toBeUndefined()
})

test('authentication: not empty, not endless, and of 2019 as long as it says', () => {
  expect(body.readAuthentication(Buffer.alloc(0), false)).toBeUndefined()
  expect(body.readAuthentication(Buffer.alloc(256, 0x41), false)?.code).toHaveLength(256)
  expect(body.readAuthentication(Buffer.alloc(257, 0x41), false)).toBeUndefined()
  expect(body.readAuthentication(Buffer.alloc(0), true)).toBeUndefined()
  expect(body.readAuthentication(Buffer.from('\u{3}abc'), true)).toEqual({ code: 'abc', imei: '', software: '' })
  const late = Buffer.concat([
    Buffer.of(3),
    Buffer.from('abc'),
    Buffer.from('123456789012345'),
    Buffer.from('V1.0'),
    Buffer.alloc(16),
    Buffer.from('x'),
  ])
  expect(body.readAuthentication(late, true)).toEqual({ code: 'abc', imei: '123456789012345', software: 'V1.0' })
})

const position = (items = '', time = '261121123456') =>
  Buffer.concat([hex('00000101 00000303 01d2cdec 06d02cb0 0017 01a9 00b4'), hex(time), hex(items)])

test('the items of a position are read to the last byte', () => {
  const items = (text: string) => {
    const { items: list, cut } = body.readLocation(position(text)) ?? { items: [], cut: undefined }
    return [list.map((i) => `${i.id}:${i.value.toString('hex')}`), cut]
  }
  expect(items('')).toEqual([[], false])
  expect(items('300119')).toEqual([['48:19'], false])
  expect(items('3000 300119')).toEqual([['48:', '48:19'], false])
  expect(items('0104000007d0 0302001e')).toEqual([['1:000007d0', '3:001e'], false])
  // A length without its bytes, and an id without a length.
  expect(items('300119 3002aa')).toEqual([['48:19'], true])
  expect(items('300119 30')).toEqual([['48:19'], true])
  expect(body.readLocation(position())).toMatchObject({ alarm: 0x101, status: 0x303, positioned: true, time: at })
})

test('below sea level, and dates that are none', () => {
  const low = position()
  low.writeInt16BE(-12, 16)
  expect(body.readLocation(low)?.altitude).toBe(-12)
  expect(body.readBcdTime(hex('261121123456'))).toBe(at)
  expect(body.readBcdTime(body.bcdTime(at))).toBe(at)
  expect(body.readBcdTime(hex('26112112345600'))).toBeUndefined()
  expect(body.readBcdTime(hex('2611211234'))).toBeUndefined()
  for (const wrong of ['260231120000', '261321120000', '261121250000', 'a61121123456', '000000000000'])
    expect(body.readBcdTime(hex(wrong)), wrong).toBeUndefined()
})

test('the software of a terminal has twenty characters', () => {
  const late = Buffer.concat([Buffer.from('\u{3}abc'), Buffer.from('1'.repeat(15)), Buffer.from('S'.repeat(20)), Buffer.from('x')])
  expect(body.readAuthentication(late, true)?.software).toBe('S'.repeat(20))
})

test('a batch is read to the last byte', () => {
  expect(body.readBatch(hex('0000 00'))).toEqual({ refill: false, locations: [] })
  expect(body.readBatch(hex('0000'))).toBeUndefined()
  expect(body.readBatch(hex('0002 01 0001aa 0000'))).toEqual({ refill: true, locations: [hex('aa'), hex('')] })
  expect(body.readBatch(hex('0001 02 0001aa'))?.refill).toBe(false)
  expect(body.readBatch(hex('0001 00 0002aa'))).toBeUndefined()
  expect(body.readBatch(hex('0001 00 00'))).toBeUndefined()
  expect(body.readBatch(hex('0001 00 0001aabb'))).toBeUndefined()
  expect(body.readBatch(hex('0002 00 0003aabbcc 0003ddee'))).toBeUndefined()
})

test('pictures: their event, and with them the position where they were taken', () => {
  const event = hex('00000102 01 02 03 04')
  const read = { mediaId: 0x102, type: 1, format: 2, event: 3, channel: 4 }
  expect(body.readMediaEvent(event)).toEqual(read)
  expect(body.readMediaEvent(event.subarray(0, 7))).toBeUndefined()
  expect(body.readMedia(event)).toBeUndefined()
  const media = Buffer.concat([event, position(), hex('ffd8')])
  expect(body.readMedia(media)).toMatchObject({ ...read, location: { time: at, items: [] }, data: hex('ffd8') })
  expect(body.readMedia(media.subarray(0, 36))?.data).toEqual(hex(''))
  expect(body.readMedia(media.subarray(0, 35))).toBeUndefined()
})

test('a list of videos says how many it holds; entries without a date are left out', () => {
  const entry = (from: string, to: string) => hex(`02 ${from} ${to} 0000000000000101 03 01 02 00010000`)
  const good = entry('261121120000', '261121123456')
  const list = (count: number, ...entries: Buffer[]) => Buffer.concat([hex('0007'), hex(count.toString(16).padStart(8, '0')), ...entries])
  const read = {
    channel: 2,
    startTime: at - 34 * 60_000 - 56_000,
    endTime: at,
    alarm: '0000000000000101',
    type: 3,
    stream: 1,
    storage: 2,
    size: 65_536,
  }
  expect(body.readVideoList(list(0))).toEqual({ serial: 7, entries: [] })
  expect(body.readVideoList(list(2, good, good))).toEqual({ serial: 7, entries: [read, read] })
  expect(body.readVideoList(list(2, entry('269921120000', '261121123456'), good))?.entries).toEqual([read])
  expect(body.readVideoList(list(2, entry('261121120000', '269921120000'), good))?.entries).toEqual([read])
  expect(body.readVideoList(list(2, good))).toBeUndefined()
  expect(body.readVideoList(list(1, good, good))).toBeUndefined()
  expect(body.readVideoList(hex('00070000'))).toBeUndefined()
})

test('parameters come as what the standard’s table says they are', () => {
  const read = (text: string) => body.readParameters(hex(text))?.values
  expect(body.readParameters(hex('0005 03 00000029 04 0000001e 00000031 02 0102 00000013 03 616263'))).toEqual({
    serial: 5,
    values: { '0029': 30, '0031': 0x102, '0013': 'abc' },
  })
  // A byte, texts of exactly two and four bytes, bytes, and a word of four bytes.
  expect(read('0005 01 00000084 01 02')).toEqual({ '0084': 2 })
  expect(read('0005 02 00000048 02 3132 00000083 04 d5e3d5e3')).toEqual({ '0048': '12', '0083': '浙浙' })
  expect(read('0005 01 00000032 04 22000600')).toEqual({ '0032': '22000600' })
  expect(read('0005 01 00000081 04 0000002a')).toEqual({ '0081': 42 })
  expect(read('0005 01 0000f001 02 0102')).toEqual({ f001: '0102' })
  expect(read('0005 00')).toEqual({})
  expect(read('0005 01 00000029 00')).toEqual({ '0029': '' })
  expect(body.readParameters(hex('0005'))).toBeUndefined()
  expect(body.readParameters(hex('0005 01 000000'))).toBeUndefined()
  expect(body.readParameters(hex('0005 01 00000029 04 00001e'))).toBeUndefined()
  expect(body.readParameters(hex('0005 02 00000029 04 0000001e'))).toBeUndefined()
})

test('downwards: texts and numbers of parameters, following, pictures, playback', () => {
  const set = (values: Record<string, unknown>) => body.setParameters(readParameterValues(values).values).toString('hex')
  expect(set({ '0029': 30, '0013': 12 })).toBe('02' + '00000029' + '04' + '0000001e' + '00000013' + '02' + '3132')
  // Each with the length of its type.
  expect(set({ '0084': 2 })).toBe('01' + '00000084' + '01' + '02')
  expect(set({ '0031': 258 })).toBe('01' + '00000031' + '02' + '0102')
  expect(set({ '0032': '22000600' })).toBe('01' + '00000032' + '04' + '22000600')
  expect(set({ '0083': '浙A1' })).toBe('01' + '00000083' + '04' + 'd5e34131')
  expect(body.follow(0, 60).toString('hex')).toBe('0000')
  expect(body.follow(1, 60).toString('hex')).toBe('00010000003c')
  expect(body.mediaAnswer(0x01020304).toString('hex')).toBe('01020304')
  expect(body.control(4, 'a').toString('hex')).toBe('0461')
  expect(body.registerAnswer(5, 0).toString('hex')).toBe('000500')
  expect(body.textMessage(12, 'a', true).toString('hex')).toBe('0c0161')
  expect(body.photo(3).toString('hex')).toBe('030001000000010580404080')
  const many = Array.from({ length: 600 }, (_, i) => i + 1)
  expect(body.resendRequest(1, many, false)).toHaveLength(3 + 255 * 2)
  expect(body.resendRequest(1, many, true)).toHaveLength(4 + 500 * 2)
  const to = { host: 'h', tcpPort: 1, udpPort: 2, channel: 3 }
  expect(body.playback(to, at, at + 1000).toString('hex')).toBe(
    '01' + '68' + '0001' + '0002' + '03' + '0000000000' + '261121123456' + '261121123457',
  )
  expect(body.liveVideo(to, 1).toString('hex')).toBe('01680001000203' + '0001')
  expect(body.liveVideoControl(1, 2, 1, 1).toString('hex')).toBe('01020101')
})

test('every parameter of the table comes back as it was set', () => {
  expect(new Set(terminalParameters.map((one) => one.id)).size).toBe(terminalParameters.length)
  for (const one of terminalParameters) {
    const key = one.id.toString(16).padStart(4, '0')
    const value =
      one.type === 'STRING'
        ? '甲1'
        : one.type === 'BYTES'
          ? '0a'.repeat(one.length ?? 0)
          : (one.max ?? (one.type === 'BYTE' ? 255 : 65_535))
    const { values, errors } = readParameterValues({ [key]: value })
    expect(errors, key).toEqual([])
    const set = body.setParameters(values)
    expect(body.readParameters(Buffer.concat([hex('0001'), set])), key).toEqual({ serial: 1, values: { [key]: value } })
  }
})

test.each<[Record<string, unknown>, string]>([
  [{}, '请填写要设置的参数'],
  [{ '1234': 5 }, '参数 1234 不在 JT/T 808 终端参数表中'],
  [{ colour: 5 }, '参数 colour 不在 JT/T 808 终端参数表中'],
  [{ '0x0084': 256 }, '车牌颜色（0x0084）应为 0～255 的整数'],
  [{ '0031': -1 }, '电子围栏半径（0x0031）应为 0～65535 的整数'],
  [{ '0030': 180 }, '拐点补传角度（0x0030）应为 0～179 的整数'],
  [{ '0029': 'x' }, '缺省汇报间隔（0x0029）应为 0～4294967295 的整数'],
  [{ '0029': 1.5 }, '缺省汇报间隔（0x0029）应为 0～4294967295 的整数'],
  [{ '0013': true }, '主服务器地址（0x0013）应为文本'],
  [{ '0013': '甲'.repeat(128) }, '主服务器地址（0x0013）最长 255 字节'],
  [{ '0032': '2200' }, '违规行驶时段（起止时分，BCD）（0x0032）应为 4 字节的十六进制'],
])('%j is refused', (given, text) => {
  expect(readParameterValues(given).errors.map((one) => one.text)).toEqual([text])
})
