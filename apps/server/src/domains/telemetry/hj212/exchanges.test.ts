import { createCipheriv } from 'node:crypto'
import { expect, test } from 'vitest'
import { firstCommands, hj212DownlinkOf } from './downlink.ts'
import { Exchanges } from './exchanges.ts'
import { buildFrame, Hj212Decoder, type Hj212Frame, withPlainCp } from './frame.ts'
import { decryptCp, encryptCp, mayBeEncrypted } from './sm4.ts'

const frame = (cn: string, cp: string, qn = '20261121120000001'): Hj212Frame => {
  const [read] = new Hj212Decoder().push(buildFrame({ qn, st: '91', cn, pw: '123456', mn: 'MN00000001', flag: 4, cp }), 0)
  return read as Hj212Frame
}
const qn = '20261121120000001'

test('three steps: accepted, data, done', async () => {
  const exchanges = new Exchanges()
  const outcome = exchanges.begin(qn, Buffer.from('x'), 0)
  expect(exchanges.take(frame('9011', 'QnRtn=1', '20261121120000002'), 1)).toBe(false)
  expect(exchanges.take(frame('9011', 'QnRtn=1'), 1)).toBe(true)
  expect(exchanges.take(frame('1061', 'RtdInterval=30'), 2)).toBe(true)
  expect(exchanges.take(frame('9012', 'ExeRtn=1'), 3)).toBe(true)
  const done = await outcome
  expect(done).toMatchObject({ result: 0, message: '执行成功', data: { RtdInterval: '30' } })
  expect(done.steps.map((s) => s.step)).toEqual(['sent', 'accepted', 'data', 'done'])
  expect(exchanges.take(frame('9012', 'ExeRtn=1'), 4)).toBe(false)
})

test('a refusal ends it, with the reason in words', async () => {
  const exchanges = new Exchanges()
  const outcome = exchanges.begin(qn, Buffer.from('x'), 0)
  exchanges.take(frame('9011', 'QnRtn=3'), 1)
  expect(await outcome).toMatchObject({ result: 3, message: '密码错误' })
  const second = exchanges.begin(qn, Buffer.from('x'), 0)
  exchanges.take(frame('9011', 'QnRtn=1'), 1)
  exchanges.take(frame('9012', 'ExeRtn=100'), 2)
  expect(await second).toMatchObject({ result: 100, message: '没有数据' })
})

test('ten seconds, three repetitions with the same QN; the step it stopped at is told', async () => {
  const exchanges = new Exchanges()
  const bytes = Buffer.from('x')
  const outcome = exchanges.begin(qn, bytes, 0)
  expect(exchanges.due(9_999)).toEqual([])
  for (const at of [10_000, 20_000, 30_000]) expect(exchanges.due(at)).toEqual([bytes])
  expect(exchanges.due(40_000)).toEqual([])
  expect(await outcome).toMatchObject({ result: -2, message: expect.stringContaining('9011') })
  const accepted = exchanges.begin(qn, bytes, 0)
  exchanges.take(frame('9011', 'QnRtn=1'), 5_000)
  expect(exchanges.due(14_999)).toEqual([])
  expect(exchanges.due(15_000)).toEqual([])
  expect(await accepted).toMatchObject({ result: -2, message: expect.stringContaining('9012') })
  const lost = exchanges.begin(qn, bytes, 0)
  exchanges.close()
  expect(await lost).toMatchObject({ result: -1 })
})

test.each([
  ['device.syncTime', {}, { cn: '1012', cp: 'SystemTime=20261121120000' }],
  ['device.setInterval', { seconds: 30 }, { cn: '1062', cp: 'RtdInterval=30' }],
  ['device.setInterval', { seconds: 29 }, undefined],
  ['hj212.setInterval', { seconds: 3601 }, undefined],
  ['hj212.setMinuteInterval', { minutes: 10 }, { cn: '1064', cp: 'MinInterval=10' }],
  ['hj212.setTimeouts', { overTimeSeconds: 10, repeats: 3 }, { cn: '1000', cp: 'OverTime=10;ReCount=3' }],
  ['hj212.setPassword', { password: 'newpass1' }, { cn: '1072', cp: 'NewPW=newpass1' }],
  ['hj212.setPassword', { password: 'a;b=c&&x' }, undefined],
  ['hj212.start', {}, { cn: '2011', cp: '' }],
  ['hj212.stop', {}, { cn: '2012', cp: '' }],
  [
    'hj212.history',
    { kind: 'hour', startTime: '2026-11-20 00:00:00', endTime: '2026-11-21 00:00:00' },
    { cn: '2061', cp: 'BeginTime=20261120000000,EndTime=20261121000000' },
  ],
  ['hj212.history', { kind: 'year' }, undefined],
  ['hj212.control', { cn: '3012', polId: 'a34004' }, { cn: '3012', cp: 'PolId=a34004' }],
  ['hj212.control', { cn: '9999' }, undefined],
  ['spray.start', {}, undefined],
] as const)('%s %j', (command, params, expected) => {
  expect(hj212DownlinkOf(command, params, Date.parse('2026-11-21T12:00:00+08:00'))).toEqual(expected)
})

test('first connection: time, time-outs, intervals, then start', () => {
  const all = firstCommands({ start: true, intervalSeconds: 60, minutes: 10, overTimeSeconds: 10, time: true })
  expect(all.map((c) => c.cmd)).toEqual([
    'device.syncTime',
    'hj212.setTimeouts',
    'hj212.setInterval',
    'hj212.setMinuteInterval',
    'hj212.start',
  ])
})

test('SM4: the example of the standard, there and back, with filling', () => {
  const key = Buffer.from('0123456789abcdeffedcba9876543210', 'hex')
  // GB/T 32907-2016, example 1.
  const cipher = createCipheriv('sm4-ecb', key, null).setAutoPadding(false)
  expect(cipher.update(key).toString('hex')).toBe('681edf34d206965e86b3e94f536e4246')
  const cp = 'DataTime=20261121120000;a34002-Rtd=92,a34002-Flag=N'
  const text = encryptCp(cp, key)
  expect(text).toMatch(/^[0-9A-F]+$/)
  expect(decryptCp(text, key)).toBe(cp)
  expect(decryptCp(text.toLowerCase(), key)).toBe(cp)
  expect(decryptCp(text.slice(1), key)).toBeUndefined()
  expect(decryptCp(cp, key)).toBeUndefined()
  const sealed = frame('2011', text)
  expect(sealed.pairs).toBeUndefined()
  expect(withPlainCp(sealed, decryptCp(text, key) ?? '').pairs?.[1]).toEqual(['a34002-Rtd', '92'])
  expect(decryptCp(text, Buffer.alloc(16))).toBeUndefined()
  expect(['2011', '2061', '1014', '3020', '1013', '9014'].map(mayBeEncrypted)).toEqual([true, true, true, true, false, false])
})

test('SM4: what is no cipher text, another filling, noise that decrypts', () => {
  const key = Buffer.from('0123456789abcdeffedcba9876543210', 'hex')
  const seal = (plain: string) => {
    const cipher = createCipheriv('sm4-ecb', key, null).setAutoPadding(false)
    const bytes = Buffer.from(plain)
    return Buffer.concat([cipher.update(Buffer.concat([bytes, Buffer.alloc((16 - (bytes.length % 16)) % 16)])), cipher.final()]).toString(
      'hex',
    )
  }
  expect(decryptCp('', key)).toBeUndefined()
  const text = seal('a=1')
  expect(decryptCp(text, key)).toBe('a=1')
  expect(decryptCp(text, key.subarray(1))).toBeUndefined()
  expect(decryptCp(`g${text.slice(1)}`, key)).toBeUndefined()
  expect(decryptCp(`${text.slice(0, -1)}g`, key)).toBeUndefined()
  expect(decryptCp(text.slice(0, -2), key)).toBeUndefined()
  expect(decryptCp(seal('a=1  \0 \0'), key)).toBe('a=1')
  expect(decryptCp(seal('a-b =1'), key)).toBe('a-b =1')
  expect(decryptCp(seal('中=1'), key)).toBeUndefined()
  expect(decryptCp(seal(' a=1'), key)).toBeUndefined()
  expect(decryptCp(seal('no pairs'), key)).toBeUndefined()
  expect(decryptCp(seal('a=1\u0007b'), key)).toBeUndefined()
  expect(decryptCp(seal('\0'.repeat(16)), key)).toBeUndefined()
  const broken = Buffer.from('a=1234567890123\xff', 'latin1')
  const cipher = createCipheriv('sm4-ecb', key, null).setAutoPadding(false)
  expect(decryptCp(cipher.update(broken).toString('hex'), key)).toBeUndefined()
  expect(encryptCp('', key)).toHaveLength(32)
  expect(encryptCp('x'.repeat(16), key)).toHaveLength(32)
  expect(encryptCp('x'.repeat(17), key)).toHaveLength(64)
  expect(['12011', '20111', '201', '1014', '3020', '3021'].map(mayBeEncrypted)).toEqual([false, false, false, true, true, false])
})

/** The format of HJ/T 212-2005: without a QN in the header. */
const of2005 = (cn: string, cp: string, head = ''): Hj212Frame => {
  const [read] = new Hj212Decoder().push(buildFrame({ qn: head, st: '91', cn, pw: '123456', mn: 'MN00000001', flag: 0, cp }), 0)
  return read as Hj212Frame
}

test('a station of 2005 names the request within CP: its three steps are heard', async () => {
  const exchanges = new Exchanges()
  const outcome = exchanges.begin(qn, Buffer.from('x'), 0)
  expect(exchanges.take(of2005('9011', `QN=${qn};QnRtn=1`), 1)).toBe(true)
  expect(exchanges.take(of2005('1061', `QN=${qn};RtdInterval=30`), 2)).toBe(true)
  expect(exchanges.take(of2005('9012', `QN=${qn};ExeRtn=1`), 3)).toBe(true)
  expect(await outcome).toMatchObject({ result: 0, data: { RtdInterval: '30' } })
  // One with a different QN in its header; then a reply to no request.
  const second = exchanges.begin(qn, Buffer.from('x'), 0)
  expect(exchanges.take(of2005('9013', `QN=${qn}`, '20261121120000999'), 1)).toBe(true)
  expect(await second).toMatchObject({ result: 0 })
  expect(exchanges.take(of2005('9012', 'QN=20261121120000777;ExeRtn=1'), 1)).toBe(false)
})

test('a QN within CP is no measurement; with one in the head data keep their own', () => {
  expect(of2005('2011', `QN=${qn};DataTime=20261121120000;LA-Rtd=60`)).toMatchObject({
    qn,
    pairs: [
      ['DataTime', '20261121120000'],
      ['LA-Rtd', '60'],
    ],
  })
  expect(of2005('2011', 'QN=20261121120000777;LA-Rtd=60', qn)).toMatchObject({ qn, pairs: [['LA-Rtd', '60']] })
  expect(of2005('2011', 'QN=none;LA-Rtd=60')).toMatchObject({ qn: '' })
})
