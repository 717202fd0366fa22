import { createHash } from 'node:crypto'
import { partBytes } from '@zhugong/contract/files/parts'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { archive, type Part } from '../../kit/archive-for-test.ts'
import { greyPng } from '../../kit/png.ts'

/** Files as people send them, and as those send them who want others to run something. */
let world: World
let token = ''
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  const settled: CityWorld = await settleCity(world)
  token = (await settled.as('hospital-pm')).token
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.pool.query('delete from upload_use')
  await world.database.pool.query('delete from upload_task')
})

interface Answer {
  status: number
  message: string
  data: { id: string; name: string; url: string; mime: string; upload?: { id: string } | null } | null
}
const path = '/api/v1/tool/upload'
async function form(method: 'POST' | 'PUT', url: string, name: string, body: Buffer): Promise<Answer> {
  const sent = new FormData()
  sent.append('file', new Blob([new Uint8Array(body)]), name)
  const encoded = new Response(sent)
  const answer = await world.api.app.inject({
    method,
    url,
    headers: { token, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return answer.json() as Answer
}
const atOnce = (name: string, body: Buffer) => form('POST', path, name, body)
/** As the page sends documents. */
async function inParts(name: string, body: Buffer): Promise<Answer> {
  const sha256 = createHash('sha256').update(body).digest('hex')
  const call = async (url: string, payload: object) =>
    (await world.api.app.inject({ method: 'POST', url, headers: { token }, payload })).json() as Answer
  const begun = await call(`${path}/begin`, { name, size: body.length, sha256 })
  const id = begun.data?.upload?.id
  if (!id) return begun
  for (let n = 0; n * partBytes < body.length; n++)
    await form('PUT', `${path}/${id}/part/${n}`, 'part', body.subarray(n * partBytes, (n + 1) * partBytes))
  return call(`${path}/${id}/finish`, {})
}

/** Opened by its address a file is saved, or shown as a picture; its type is not guessed and nothing in it runs. */
async function served(url: string) {
  const { statusCode, headers, rawPayload } = await world.api.app.inject({ method: 'GET', url })
  expect(statusCode).toBe(200)
  expect(headers['x-content-type-options']).toBe('nosniff')
  const policy = headers['content-type'] === 'application/pdf' ? /^default-src 'none';.*object-src 'none'/ : /^default-src 'none'; sandbox$/
  expect(headers['content-security-policy']).toMatch(policy)
  const [shown] = String(headers['content-disposition']).split(';')
  return {
    type: headers['content-type'],
    shown,
    name: decodeURIComponent(/''(.*)$/.exec(String(headers['content-disposition']))?.[1] ?? ''),
    rawPayload,
  }
}

const types: Part = { name: '[Content_Types].xml', data: '<Types/>' }
const docx = [types, { name: 'word/document.xml', data: '<w:document/>' }]
const xlsx = [types, { name: 'xl/workbook.xml', data: '<workbook/>' }, { name: 'xl/worksheets/sheet1.xml', data: '<worksheet/>' }]
const latin = (text: string) => Buffer.from(text.padEnd(64, ' '), 'latin1')
const frame = (...more: Buffer[]) => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600), ...more])
const film = (brand: string) => Buffer.concat([Buffer.from([0, 0, 0, 32]), latin(`ftyp${brand}`)])
/** 施工日志 in GBK, which older Windows writes. */
const gbk = Buffer.from('cab9d3c3b5c4b0b2c8abbcc7c2bc0d0a', 'hex')
const openxml = 'application/vnd.openxmlformats-officedocument'

describe('what people send is kept as it was and handed out to be saved', () => {
  test.each<[string, () => Buffer, string]>([
    ['方案.docx', () => archive(docx), `${openxml}.wordprocessingml.document`],
    ['libre office 的方案.docx', () => archive(docx.toReversed()), `${openxml}.wordprocessingml.document`],
    ['台账.xlsx', () => archive(xlsx), `${openxml}.spreadsheetml.sheet`],
    ['脚本导出.xlsx', () => archive(xlsx.toReversed()), `${openxml}.spreadsheetml.sheet`],
    ['汇报.pptx', () => archive([types, { name: 'ppt/presentation.xml', data: '<p/>' }]), `${openxml}.presentationml.presentation`],
    ['图纸.pdf', () => latin('%PDF-1.7'), 'application/pdf'],
    ['图纸.dwg', () => latin('AC1032'), 'application/acad'],
    ['资料.zip', () => archive([{ name: '一.txt', data: '一' }]), 'application/zip'],
    ['发票.ofd', () => archive([{ name: 'OFD.xml', data: '<ofd/>' }]), 'application/ofd'],
    ['巡检.mp4', () => film('isom'), 'video/mp4'],
    ['旧方案.doc', () => frame(), 'application/msword'],
    ['文字.wps', () => frame(), 'application/wps-office.wps'],
    ['表格.et', () => frame(), 'application/wps-office.et'],
    ['说明.txt', () => Buffer.from('现场说明：今日无异常\r\n'), 'text/plain; charset=utf-8'],
    ['记录.txt', () => gbk, 'text/plain; charset=gb18030'],
  ])('%s', async (name, make, mime) => {
    const body = make()
    const { message, data } = await inParts(name, body)
    expect(message).toBe('ok')
    expect(data).toMatchObject({ name, mime })
    const file = await served(data?.url ?? '')
    expect([file.type, file.shown, file.name]).toEqual([mime, 'attachment', name])
    expect(file.rawPayload.equals(body)).toBe(true)
  })

  test('a picture is shown, and keeps nothing behind its end', async () => {
    const picture = greyPng(new Uint8Array(64), 8, 8)
    const polyglot = Buffer.concat([picture, Buffer.from('<script>alert(1)</script>'), archive(docx)])
    const { data } = await atOnce('现场.html', polyglot)
    const file = await served(data?.url ?? '')
    expect([file.type, file.shown, file.name]).toEqual(['image/png', 'inline', '现场.png'])
    expect(file.rawPayload.includes('<script>')).toBe(false)
  })
})

describe('what could run on somebody’s desk or in a browser is refused, and says what to do', () => {
  const macro: Part = { name: 'word/vbaProject.bin', data: 'Sub AutoOpen' }
  test.each<[string, string, () => Buffer, string]>([
    ['a document with macros', '方案.docm', () => archive([...docx, macro]), '含有宏'],
    ['one that calls itself without', '方案.docx', () => archive([macro, ...docx]), '含有宏'],
    ['macros in capitals', '方案.docx', () => archive([...docx, { name: 'WORD/VBAPROJECT.BIN', data: 'x' }]), '含有宏'],
    ['a macro sheet', '台账.xlsx', () => archive([...xlsx, { name: 'xl/macrosheets/sheet1.xml', data: '<x/>' }]), '含有宏'],
    ['an old sheet with macros', '台账.xls', () => frame(Buffer.alloc(70_000), Buffer.from('_VBA_PROJECT', 'utf16le')), '含有宏'],
    ['a picture with scripts', '平面图.svg', () => latin('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'), 'SVG'],
    ['a page called a picture', '现场.jpg', () => latin('<!doctype html><script>alert(1)</script>'), '网页'],
    ['a page called a text', '说明.txt', () => Buffer.from('\ufeff <html><script>alert(1)</script>'), '网页'],
    ['a program called a drawing', '图纸.dwg', () => latin('MZ\x90\0'), '程序'],
    ['a program called a text', '说明.txt', () => latin('MZ\x90\0'), '程序'],
    ['a picture that is a script', '现场.gif', () => latin('GIF89a/*<svg/onload=alert(1)>*/=1;'), '另存为 JPG'],
    ['a photograph of a phone', '现场.heic', () => film('heic'), '兼容性最佳'],
    ['a film of a phone', '现场.mov', () => film('qt  '), 'MP4'],
    ['an archive that few can open', '资料.rar', () => latin('Rar!\x1a\x07\0'), 'zip'],
    ['a setup package', 'setup.msi', () => frame(latin('setup')), '文件内容不受支持'],
  ])('%s', async (_what, name, make, words) => {
    const body = make()
    for (const send of [inParts, atOnce]) {
      const { status, message, data } = await send(name, body)
      expect(status, message).not.toBe(0)
      expect(data).not.toHaveProperty('url')
      if (send === inParts) expect(message).toContain(words)
      expect(message).toMatch(/[\u4e00-\u9fff]/)
    }
  })

  test('a bomb is kept as an archive, never opened; as a sheet it is refused', async () => {
    const bomb = { name: 'xl/media/a.bin', data: Buffer.alloc(60 * 1024 * 1024) }
    expect((await atOnce('台账.xlsx', archive([...xlsx, bomb]))).message).toContain('解开后过大')
    const body = archive([{ name: '资料.bin', data: bomb.data }])
    const { data } = await inParts('资料.zip', body)
    expect((await served(data?.url ?? '')).rawPayload).toHaveLength(body.length)
  })
})

describe('a name is only a name', () => {
  test.each<[string, string]>([
    ['../../etc/passwd.txt', 'passwd.txt'],
    ['C:\\Users\\张\\方案.txt', '方案.txt'],
    ['方案.txt\u202egpj.exe', '附件.txt'],
    ['方案\u200b.txt', '附件.txt'],
    [`${'长'.repeat(300)}.txt`, `${'长'.repeat(80)}.txt`],
    [`${'长'.repeat(79)}😀😀.txt`, `${'长'.repeat(79)}😀.txt`],
    ['<img src=x>.txt', 'img src=x.txt'],
    ['.txt', '附件.txt'],
  ])('%j', async (name, kept) => {
    // In one request: the name comes with the file, as any client writes it.
    const { data, message } = await atOnce(name.replace(/\.txt/, '.pdf'), latin(`%PDF-1.7 ${name}`))
    expect(message).toBe('ok')
    expect((await served(data?.url ?? '')).name).toBe(kept.replace(/\.txt$/, '.pdf'))
  })

  test.each(['方案\0.txt', '方案\u202etxt.exe', '长'.repeat(300)])('%j is refused where it is typed', async (name) => {
    const { status, message } = await inParts(name, latin('%PDF-1.7'))
    expect(status).not.toBe(0)
    expect(message).toMatch(/控制字符|最多|名称/)
  })
})
