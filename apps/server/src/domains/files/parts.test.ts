import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { storedFile } from '@zhugong/contract/files/endpoints'
import { mostOpenUploads, partBytes } from '@zhugong/contract/files/parts'
import { dayMs } from '@zhugong/contract/kit/time'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { forgetParts } from './parts.ts'

let world: World
let city: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
})
afterAll(() => world.close())
beforeEach(async () => {
  await world.database.pool.query('delete from upload_task')
  await world.database.pool.query('delete from upload_use')
})

const path = '/api/v1/tool/upload'
const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('hex')
const mp4 = (bytes: number) => Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('isom'), randomBytes(bytes - 12)])
const zip = (bytes: number) => Buffer.concat([Buffer.from('504b0304', 'hex'), Buffer.alloc(bytes - 4, 7)])

interface Answer<T = Record<string, unknown>> {
  http: number
  status: number
  message: string
  data: T
}
async function call<T>(account: string, method: 'GET' | 'POST' | 'DELETE', url: string, body?: object): Promise<Answer<T>> {
  const { token } = await city.as(account)
  const answer = await world.api.app.inject({ method, url, headers: { token }, ...(body ? { payload: body } : {}) })
  return { http: answer.statusCode, ...(answer.json() as Omit<Answer<T>, 'http'>) }
}
interface Begun {
  upload: { id: string; missing: number[] } | null
  stored: { id: string } | null
}
const begin = (account: string, body: Buffer, more: object = {}) =>
  call<Begun>(account, 'POST', `${path}/begin`, { name: '塔吊.mp4', size: body.length, sha256: hashOf(body), ...more })
async function begun(account: string, body: Buffer, more: object = {}): Promise<string> {
  const { data, message } = await begin(account, body, more)
  if (!data?.upload) throw new Error(`not begun: ${message}`)
  return data.upload.id
}
async function put(account: string, id: string, n: number | string, part: Buffer, sha256?: string): Promise<Answer<{ missing: number }>> {
  const form = new FormData()
  if (sha256) form.append('sha256', sha256)
  form.append('file', new Blob([new Uint8Array(part)]), 'part')
  const encoded = new Response(form)
  const { token } = await city.as(account)
  const answer = await world.api.app.inject({
    method: 'PUT',
    url: `${path}/${id}/part/${n}`,
    headers: { token, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { http: answer.statusCode, ...(answer.json() as Omit<Answer<{ missing: number }>, 'http'>) }
}
const part = (body: Buffer, n: number) => body.subarray(n * partBytes, (n + 1) * partBytes)
const finish = (account: string, id: string) =>
  call<{ id: string; url: string; mime: string; name: string }>(account, 'POST', `${path}/${id}/finish`)
const folder = (id: string) => join(world.config.dataDir, 'parts', id)

test('parts arrive in any order and twice; what is missing is told; the whole is the file', async () => {
  const body = mp4(2 * partBytes + 1_000)
  const id = await begun('hospital-pm', body)
  expect(await put('hospital-pm', id, 2, part(body, 2), hashOf(part(body, 2)))).toMatchObject({ status: 0, data: { missing: 2 } })
  expect(await put('hospital-pm', id, 0, part(body, 0))).toMatchObject({ data: { missing: 1 } })
  expect(await put('hospital-pm', id, 0, part(body, 0))).toMatchObject({ data: { missing: 1 } })
  expect(await finish('hospital-pm', id)).toMatchObject({ status: 4, message: '还有 1 个分片没有传到，请继续上传' })
  expect((await call<{ missing: number[] }>('hospital-pm', 'GET', `${path}/${id}`)).data.missing).toEqual([1])
  // Begun again, for example on another day: it goes on.
  expect((await begin('hospital-pm', body)).data.upload).toMatchObject({ id, missing: [1] })
  await put('hospital-pm', id, 1, part(body, 1))
  const { data } = await finish('hospital-pm', id)
  expect(data).toMatchObject({ id, name: '塔吊.mp4', mime: 'video/mp4', sha256: hashOf(body), size: body.length })
  expect(storedFile.parse(data)).toEqual(data)
  const served = await world.api.app.inject({ method: 'GET', url: data.url })
  expect(hashOf(served.rawPayload)).toBe(hashOf(body))
  expect(served.headers['content-disposition']).toContain('attachment')
  expect(existsSync(folder(id))).toBe(false)
  // The answer was lost, and the same file chosen again: nothing is sent twice.
  expect((await finish('hospital-pm', id)).data.id).toBe(id)
  expect((await begin('hospital-pm', body)).data).toMatchObject({ upload: null, stored: { id } })
  expect((await begin('hospital-safety', body)).data.stored ?? null).toBeNull()
})

test('an upload belongs to its account: a stranger and a colleague neither see, feed, finish nor drop it', async () => {
  const body = mp4(1_000)
  const id = await begun('hospital-pm', body)
  for (const account of ['zhigu-pm', 'hospital-officer', 'admin']) {
    expect((await put(account, id, 0, body)).status, account).not.toBe(0)
    expect((await call(account, 'GET', `${path}/${id}`)).message, account).toContain('不存在')
    expect((await finish(account, id)).message, account).toContain('不存在')
    expect((await call(account, 'DELETE', `${path}/${id}`)).message, account).toContain('不存在')
  }
  expect(existsSync(folder(id))).toBe(false)
  for (const wrong of ['..%2f..%2ffiles', '../../files', '.']) expect((await put('hospital-pm', wrong, 0, body)).status).not.toBe(0)
})

test('lies about size, part and hash are refused', async () => {
  const body = mp4(partBytes + 500)
  const id = await begun('hospital-pm', body)
  expect(await put('hospital-pm', id, 0, body.subarray(0, 100))).toMatchObject({ status: 2, message: '分片大小不正确，请重新上传' })
  expect(await put('hospital-pm', id, 1, part(body, 0))).toMatchObject({ status: 2 })
  expect(await put('hospital-pm', id, 2, part(body, 1))).toMatchObject({ status: 2, message: '分片序号超出文件大小' })
  expect((await put('hospital-pm', id, -1, part(body, 1))).status).not.toBe(0)
  expect((await put('hospital-pm', id, '0.5', part(body, 0))).status).not.toBe(0)
  expect(await put('hospital-pm', id, 0, part(body, 0), hashOf(body))).toMatchObject({
    status: 2,
    message: expect.stringContaining('传输中损坏'),
  })
  await put('hospital-pm', id, 0, Buffer.alloc(partBytes, 1))
  await put('hospital-pm', id, 1, part(body, 1))
  expect(await finish('hospital-pm', id)).toMatchObject({ status: 2, message: '文件与开始时不一致，请重新上传' })
  // It begins anew: which part lied is not known.
  expect((await call('hospital-pm', 'GET', `${path}/${id}`)).message).toContain('不存在')
  expect(existsSync(folder(id))).toBe(false)
  const tooMuch = 501 * 1024 * 1024
  expect(await begin('hospital-pm', body, { size: tooMuch })).toMatchObject({ status: 2, message: expect.stringContaining('500 MB') })
  expect(await begin('hospital-pm', body, { size: 0 })).toMatchObject({ status: 2 })
  expect(await begin('hospital-pm', body, { sha256: 'x' })).toMatchObject({ status: 2 })
})

test('the content decides the type: a script named .mp4 and a picture with its place are refused, an archive is kept unopened', async () => {
  for (const [body, message] of [
    [Buffer.from('<html><script>alert(1)</script></html>'), '不能上传网页'],
    [Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), Buffer.alloc(100)]), '图片最多 10 MB'],
    [Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('heic'), Buffer.alloc(100)]), 'HEIC'],
  ] as const) {
    const id = await begun('hospital-pm', body)
    await put('hospital-pm', id, 0, body)
    expect((await finish('hospital-pm', id)).message).toContain(message)
  }
  const archive = zip(5_000)
  const id = await begun('hospital-pm', archive, { name: '../../竣工图<1>.exe' })
  await put('hospital-pm', id, 0, archive)
  expect((await finish('hospital-pm', id)).data).toMatchObject({ mime: 'application/zip', name: '竣工图1.zip' })
})

test('two finishes at once store one file', async () => {
  const body = mp4(3_000)
  const id = await begun('hospital-pm', body)
  await put('hospital-pm', id, 0, body)
  const answers = await Promise.all([1, 2, 3].map(() => finish('hospital-pm', id)))
  expect(answers.filter((one) => one.status === 0).length).toBeGreaterThan(0)
  for (const one of answers) if (one.status !== 0) expect(one.message).toMatch(/正在校验|不存在/)
  const { rows } = await world.database.pool.query('select 1 from stored_file where id = $1', [id])
  expect(rows).toHaveLength(1)
})

test('a full quota says so before anything is sent; a handful of unfinished files is the most', async () => {
  const { pool } = world.database
  const body = mp4(400)
  const id = await begun('hospital-pm', body)
  await put('hospital-pm', id, 0, body)
  await pool.query('update upload_use set bytes = 900 * 1024 * 1024')
  const large = mp4(500)
  expect(await begin('hospital-pm', large, { size: 200 * 1024 * 1024 })).toMatchObject({
    http: 429,
    message: expect.stringContaining('一小时最多上传 1 GB'),
  })
  expect((await begin('hospital-pm', large)).status).toBe(0)
  await pool.query('delete from upload_task')
  await pool.query('delete from upload_use')
  for (let i = 0; i < mostOpenUploads; i++) await begun('hospital-pm', mp4(600 + i))
  expect(await begin('hospital-pm', mp4(700))).toMatchObject({
    status: 4,
    message: `您有 ${mostOpenUploads} 个文件还没传完，请先传完或取消其中的`,
  })
})

test('a cancelled file is gone with its parts; an abandoned one too, after three days', async () => {
  const [first, second] = [mp4(1_000), mp4(2_000)]
  const dropped = await begun('hospital-pm', first)
  await put('hospital-pm', dropped, 0, first)
  expect(existsSync(folder(dropped))).toBe(true)
  expect((await call('hospital-pm', 'DELETE', `${path}/${dropped}`)).status).toBe(0)
  expect(existsSync(folder(dropped))).toBe(false)
  const left = await begun('hospital-pm', second)
  await put('hospital-pm', left, 0, second)
  const folders = { files: join(world.config.dataDir, 'files'), parts: join(world.config.dataDir, 'parts') }
  await forgetParts(world.database.kysely, folders, Date.now() + 2 * dayMs)
  expect((await call('hospital-pm', 'GET', `${path}/${left}`)).status).toBe(0)
  await forgetParts(world.database.kysely, folders, Date.now() + 4 * dayMs)
  expect((await call('hospital-pm', 'GET', `${path}/${left}`)).message).toContain('不存在')
})
