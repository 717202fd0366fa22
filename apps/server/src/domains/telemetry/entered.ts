import { z } from 'zod'
import type { Config } from '#kit/config'
import { postLocal } from '#kit/local-call'
import { markGiven } from '../readings/public.ts'
import { decodeItems } from './envelope.ts'
import type { Extension, IngestContext } from './ingest/extension.ts'
import { seekDevice } from './seek-device.ts'
import type { Work } from './work.ts'

/** Readings of one device entered by users, in the form of the device's own messages. */
const enteredBy = z.object({
  deviceId: z.string(),
  items: z.array(z.object({ time: z.number(), seq: z.number(), data: z.record(z.string(), z.unknown()) })),
})
export type EnteredReadings = z.infer<typeof enteredBy>
const requested = z.object({ devices: z.array(enteredBy) })
const outcome = z.object({ stored: z.number(), doubled: z.number(), refused: z.string().nullable() })
export type Entered = z.infer<typeof outcome>

const path = '/entered'
const enterMs = 60_000
const away = 'readings cannot be stored now'

/**
 * Sends readings to the ingest. Safe to repeat after a missing reply: readings already stored are not stored again.
 * @throws Error when the ingest cannot store them.
 */
export async function enterReadings(config: Pick<Config, 'ingestSocket'>, devices: readonly EnteredReadings[]): Promise<Entered> {
  const answer = outcome.safeParse(await postLocal(config.ingestSocket, path, JSON.stringify({ devices }), enterMs))
  if (!answer.success) throw new Error(away)
  return answer.data
}

/** Stores all readings, or none of them if a device is unknown or a reading is invalid. */
async function enter({ fleet, pool, pipeline, now }: IngestContext, devices: readonly EnteredReadings[]): Promise<Entered> {
  const works: Omit<Work, 'done'>[] = []
  for (const { deviceId, items } of devices) {
    const device = await seekDevice(fleet, pool, deviceId)
    if (!device?.inService) return { stored: 0, doubled: 0, refused: '测点已删除或停用，请核对后重新导入' }
    const inOrder = items.toSorted((a, b) => a.time - b.time)
    const decoded = decodeItems(device, 'telemetry', { items: inOrder.map(({ time, data }) => ({ time, data })), record: undefined }, now())
    const [wrong] = decoded.rejected
    // Entered data has one reading per point and time. The mark depends on `seq` only; users must resolve a different value themselves.
    for (const [i, reading] of decoded.work.readings.entries()) reading.mark = markGiven(inOrder[i]?.seq ?? 0)
    if (wrong) return { stored: 0, doubled: 0, refused: `${device.name} 的读数未被接受：${wrong.key ?? ''} ${wrong.reason}` }
    works.push(decoded.work)
  }
  const doubled = await Promise.all(
    works.map(
      (work) =>
        new Promise<number>((resolve, reject) => {
          pipeline.submit({ ...work, byHand: true, done: (error, reported) => (error ? reject(error) : resolve(reported.duplicated)) })
        }),
    ),
  )
  const all = works.reduce((sum, work) => sum + work.readings.length, 0)
  const twice = doubled.reduce((sum, n) => sum + n, 0)
  return { stored: all - twice, doubled: twice, refused: null }
}

/** `POST /entered` on the local socket: entered readings pass the same pipeline and rules as device messages. */
export const enteredReadings: Extension = {
  name: 'entered readings',
  start(ctx) {
    return {
      calls: [
        {
          path,
          async answer({ method, body }) {
            if (method !== 'POST') return undefined
            if (!ctx.pipeline.isFlowing) return { http: 503, body: { message: away } }
            return { http: 200, body: await enter(ctx, requested.parse(JSON.parse(body.toString('utf8'))).devices) }
          },
        },
      ],
    }
  },
}
