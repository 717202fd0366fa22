import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FastifyInstance } from 'fastify'
import { mediaKey } from '#domains/monitoring/video/media'
import { formatInstant } from '#kit/clock'
import type { Config } from '#kit/config'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import { createSecrets } from '#kit/secret'
import type { ClipWork } from './clip-thread.ts'
import { frameOf, pngOf, type Scene, sceneOf, scenes } from './scene.ts'

/** Path of the demonstration's media server, below the product's own URL, so that no further port is needed. */
export const demoMediaBase = '/media'

interface Served {
  config: Config
  log: Log
  system: Database
}

/**
 * A fake media server with invented pictures: verifies signature and expiry of a URL, serves clips by range (RFC 9110, 14) and a picture of any
 * moment. Exists in the demonstration only.
 */
export function serveDemoMedia(app: FastifyInstance, { config, log, system }: Served): void {
  const folder = join(config.dataDir, 'media')
  const clips = new Map<Scene, Buffer>()
  makeClips(folder, log)
  const secrets = createSecrets(config.secretKey)
  let key: string | undefined
  const keyNow = async () => {
    if (key !== undefined) return key
    const row = await system.kysely.selectFrom('setting').select('value').where('key', '=', mediaKey).executeTakeFirst()
    const sealed = (row?.value as { secret?: string; baseUrl?: string } | undefined) ?? {}
    if (sealed.baseUrl === demoMediaBase && sealed.secret) key = secrets.open(Buffer.from(sealed.secret, 'base64')) ?? undefined
    return key
  }
  const names = new Map<string, string>()
  const sceneFor = async (stream: string) => {
    const known = names.get(stream)
    if (known !== undefined) return sceneOf(known)
    const { rows } = await system.pool.query<{ name: string }>(
      `select name from device where params ->> 'gbDeviceId' = $1 or id = $1 limit 1`,
      [stream],
    )
    const name = rows[0]?.name ?? ''
    names.set(stream, name)
    return sceneOf(name)
  }

  app.get<{ Params: { stream: string; channel: string; file: string }; Querystring: Record<string, string | undefined> }>(
    `${demoMediaBase}/:stream/:channel/:file`,
    async (request, reply) => {
      const signing = await keyNow()
      const path = request.url.slice(demoMediaBase.length)
      if (!signing || !isSigned(path, signing, Date.now()))
        return reply.code(403).send({ status: 403, message: '播放地址已失效', data: null })
      const scene = await sceneFor(request.params.stream)
      reply.header('cache-control', 'no-store')
      if (request.params.file.endsWith('.jpg')) {
        const at = Number(request.query.from) || Date.now()
        const words = formatInstant(at).slice(11)
        return reply.header('content-type', 'image/png').send(pngOf(frameOf(scene, (at / 1000) % 60, words)))
      }
      const clip = clips.get(scene) ?? (await readyClip(folder, scene))
      if (!clip) return reply.code(503).header('retry-after', '5').send({ status: 503, message: '演示画面正在生成', data: null })
      clips.set(scene, clip)
      reply.header('accept-ranges', 'bytes').header('content-type', 'video/mp4')
      const range = rangeIn(request.headers.range, clip.length)
      if (range === undefined) return reply.header('content-length', clip.length).send(clip)
      if (range === null) return reply.code(416).header('content-range', `bytes */${clip.length}`).send()
      const [from, to] = range
      return reply
        .code(206)
        .header('content-range', `bytes ${from}-${to}/${clip.length}`)
        .header('content-length', to - from + 1)
        .send(clip.subarray(from, to + 1))
    },
  )
}

/** Whether a URL is signed with this key and not expired. */
export function isSigned(path: string, key: string, now: number): boolean {
  const [text = '', sign = ''] = path.split('&sign=')
  const wanted = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(/^[0-9a-f]{64}$/.test(sign) ? sign : '', 'hex')
  const expires = Number(new URLSearchParams(text.split('?')[1] ?? '').get('expires'))
  return given.length === wanted.length && timingSafeEqual(given, wanted) && expires > now
}

/** First and last byte of a range; undefined if the whole is requested, null if the range cannot be satisfied. */
export function rangeIn(header: string | undefined, length: number): [number, number] | null | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return undefined
  const [first, last] = [match[1] ?? '', match[2] ?? '']
  const from = first === '' ? Math.max(0, length - Number(last)) : Number(first)
  const to = first === '' || last === '' ? length - 1 : Math.min(Number(last), length - 1)
  return from > to || from >= length ? null : [from, to]
}

const readClip = (folder: string, scene: Scene): Buffer | undefined => {
  const file = join(folder, `${scene}.mp4`)
  return existsSync(file) ? readFileSync(file) : undefined
}

function makeClips(folder: string, log: Log): void {
  const missing = scenes.filter((scene) => !existsSync(join(folder, `${scene}.mp4`)))
  if (missing.length === 0) return
  const work: ClipWork = { folder, scenes: missing }
  const worker = new Worker(new URL('./clip-thread.ts', import.meta.url), { workerData: work })
  worker.unref()
  worker.on('error', (error) => log.warn({ err: error }, 'clips of the demonstration'))
}

/** How long a request after the first start waits for its clip: the encoder's thread has low priority. */
const patienceMs = 60_000
const lookAgainMs = 500

async function readyClip(folder: string, scene: Parameters<typeof readClip>[1]): Promise<ReturnType<typeof readClip>> {
  for (const until = Date.now() + patienceMs; ; ) {
    const clip = readClip(folder, scene)
    if (clip || Date.now() >= until) return clip
    await delay(lookAgainMs)
  }
}
