import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { getImage, uploadFile } from '@zhugong/contract/files/endpoints'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'
import { forgetFiles } from './forget.ts'
import { pathOf } from './pictures.ts'
import { jpegSize, requireSmall } from './small.ts'

/** A JPEG up to its scan: frame header with the size, then `filler` bytes of data. */
function jpeg(width: number, height: number, filler = 40): Buffer {
  const frame = Buffer.from('ffc0001108000000000301220002110103110100', 'hex').subarray(0, 19)
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([
    Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
    frame,
    Buffer.from('ffda0004010211', 'hex'),
    Buffer.alloc(filler, 0x55),
    Buffer.from('ffd9', 'hex'),
  ])
}

describe('a small picture', () => {
  test('its size is read from the frame', () => {
    expect(jpegSize(jpeg(480, 360))).toEqual({ width: 480, height: 360 })
    expect(jpegSize(Buffer.from('89504e470d0a1a0a', 'hex'))).toBeUndefined()
    expect(jpegSize(Buffer.from('ffd8ff', 'hex'))).toBeUndefined()
    expect(jpegSize(Buffer.from('ffd8ffe00000ffe00000', 'hex'))).toBeUndefined()
  })
  test.each([
    ['too many bytes', jpeg(480, 360, 200_000), '最多 128 KB'],
    ['too many pixels in few bytes', jpeg(65_000, 360), '最多 480 像素'],
    ['another type', Buffer.from('<svg onload="x">'), '须为 JPG'],
    ['nothing', Buffer.alloc(0), '须为 JPG'],
  ])('with %s is refused', (_name, body, message) => {
    expect(() => requireSmall(body)).toThrow(message)
  })
})

let world: World
let settled: CityWorld
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
})
afterAll(() => world.close())

const png = (text: string) =>
  Buffer.concat([
    Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000a49444154', 'hex'),
    Buffer.from(text),
  ])
const hashOf = (body: Buffer) => createHash('sha256').update(body).digest('hex')

async function send(account: string, body: Buffer, small: Buffer | undefined, more: readonly Buffer[] = []) {
  const form = new FormData()
  form.append('id', newId())
  form.append('sha256', hashOf(body))
  if (small) form.append('small', new Blob([new Uint8Array(small)]), 'small.jpg')
  for (const one of [body, ...more]) form.append('file', new Blob([new Uint8Array(one)]), '现场.png')
  const encoded = new Response(form)
  const { token } = await settled.as(account)
  const answer = await world.api.app.inject({
    method: 'POST',
    url: uploadFile.path,
    headers: { token, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return answer.json() as { status: number; message: string; data: { id: string; url: string; size: number; sha256: string } }
}
const open = async (url: string, token?: string) =>
  (await world.api.app.inject({ method: 'GET', url, headers: token ? { token } : {} })) as unknown as {
    statusCode: number
    rawPayload: Buffer
    headers: Record<string, string>
  }

test('lists get the small picture, everything else the photograph itself', async () => {
  const [body, small] = [png('large'), jpeg(480, 360)]
  const { data } = await send('hospital-pm', body, small)
  expect(data).toMatchObject({ sha256: hashOf(body), size: body.length })
  const shown = await open(`${data.url}&size=small`)
  expect(shown.headers['content-type']).toBe('image/jpeg')
  expect(jpegSize(shown.rawPayload)).toEqual({ width: 480, height: 360 })
  expect(hashOf((await open(data.url)).rawPayload)).toBe(hashOf(body))
  const { rows } = await world.database.pool.query('select sha256, sent_sha256 from stored_file where id = $1', [data.id])
  expect(rows).toEqual([{ sha256: hashOf(body), sent_sha256: hashOf(body) }])
})

test('a file that came without one is served itself', async () => {
  const body = png('alone')
  const { data } = await send('hospital-pm', body, undefined)
  expect(hashOf((await open(`${data.url}&size=small`)).rawPayload)).toBe(hashOf(body))
})

test('the small picture of another tenant is as far away as the photograph', async () => {
  const { data } = await send('hospital-pm', png('own'), jpeg(400, 300))
  const stranger = await settled.as('zhigu-pm')
  const address = `${getImage.path}?id=${data.id}&size=small`
  expect((await open(address, stranger.token)).statusCode).toBe(400)
  expect((await open(address)).statusCode).toBe(403)
  const forged = `${address}&expires=${Date.now() + 600_000}&sign=0123456789abcdef`
  expect((await open(forged)).statusCode).toBe(403)
  expect((await open(address, (await settled.as('hospital-pm')).token)).statusCode).toBe(200)
})

test('a picture that is deleted after its time takes its small one along, unless another has the same', async () => {
  const [shared, own] = [jpeg(300, 200, 61), jpeg(300, 200, 62)]
  const first = await send('hospital-pm', png('first'), shared)
  const second = await send('hospital-pm', png('second'), shared)
  const third = await send('hospital-pm', png('third'), own)
  const { pool, kysely } = world.database
  const ids = [first, third].map((one) => one.data.id)
  await pool.query(`update stored_file set source = 'video' where id = any ($1)`, [ids])
  const { rows } = await pool.query<{ small_sha256: string }>(
    'select small_sha256 from stored_file where id = any ($1) order by create_time',
    [ids],
  )
  const folder = join(world.config.dataDir, 'files')
  expect(await forgetFiles(kysely, folder, 'video', { only: ids })).toBe(2)
  expect(rows.map((row) => existsSync(pathOf(folder, row.small_sha256)))).toEqual([true, false])
  expect((await open(`${second.data.url}&size=small`)).headers['content-type']).toBe('image/jpeg')
})

test('a small picture that is none refuses the whole upload; a second file too', async () => {
  const body = png('refused')
  expect(await send('hospital-pm', body, Buffer.from('<script>'))).toMatchObject({
    status: 2,
    message: '缩略图须为 JPG 图片',
    data: { field: 'small' },
  })
  expect((await send('hospital-pm', body, undefined, [png('second')])).status).toBe(2)
  const { rows } = await world.database.pool.query('select 1 from stored_file where sent_sha256 = $1', [hashOf(body)])
  expect(rows).toEqual([])
})
