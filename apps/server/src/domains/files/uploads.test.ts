import { createHash } from 'node:crypto'
import { uploadFile } from '@zhugong/contract/files/endpoints'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { World } from '../../../test/world.ts'

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
async function send(account: string, body: Buffer, fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([new Uint8Array(body)], { type: 'image/png' }), '现场.png')
  const encoded = new Response(form)
  const { token } = await settled.as(account)
  const answer = await world.api.app.inject({
    method: 'POST',
    url: uploadFile.path,
    headers: { token, 'content-type': encoded.headers.get('content-type') ?? '' },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return answer.json() as { status: number; message: string; data: { id: string; sha256: string } }
}

test('a file sent again under its id is stored once, and answered with its hash', async () => {
  const [id, body] = [newId(), png('one')]
  const first = await send('hospital-pm', body, { id, sha256: hashOf(body), takenAt: String(Date.now() - 60_000) })
  const again = await send('hospital-pm', body, { id, sha256: hashOf(body) })
  expect(first.data).toMatchObject({ id, sha256: hashOf(body) })
  expect(again.data).toMatchObject({ id, sha256: hashOf(body) })
  const { rows } = await world.database.pool.query('select taken_from from stored_file where sent_sha256 = $1', [hashOf(body)])
  expect(rows).toEqual([{ taken_from: 'device' }])
})

test('two requests at once under one id store it once', async () => {
  const [id, body] = [newId(), png('at once')]
  const answers = await Promise.all([1, 2, 3].map(() => send('hospital-pm', body, { id })))
  expect(answers.filter((one) => one.status === 0).length).toBeGreaterThan(0)
  const { rows } = await world.database.pool.query('select 1 from stored_file where sent_sha256 = $1', [hashOf(body)])
  expect(rows).toHaveLength(1)
})

test('the id of another file, of another person or of no form is refused; a damaged file too', async () => {
  const [id, body] = [newId(), png('two')]
  await send('hospital-pm', body, { id })
  expect((await send('hospital-pm', png('three'), { id })).message).toContain('文件编号已被使用')
  expect((await send('zhigu-pm', body, { id })).message).toContain('文件编号已被使用')
  expect((await send('hospital-pm', body, { id: '../../etc' })).message).toContain('文件编号格式不正确')
  expect((await send('hospital-pm', body, { sha256: hashOf(png('else')) })).message).toContain('传输中损坏')
})
