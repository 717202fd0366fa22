import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'

/** How slowly the body of a request may come. */
export interface Pace {
  /** From its beginning to its end. */
  totalMs: number
  /** In each such span at least so many bytes must have come. */
  spanMs: number
  spanBytes: number
}

/** Of the whole request, with its headers; what is given up by `bodyPace` and `formPace` before is told why. */
export const requestMs = 120_000
/** JSON: at most a megabyte. The slowest line of a site brings some kilobytes a second. */
export const bodyPace: Pace = { totalMs: 60_000, spanMs: 10_000, spanBytes: 1_024 }
/** A form with its file, at most ten megabytes. */
export const formPace: Pace = { totalMs: 110_000, spanMs: 10_000, spanBytes: 10_240 }

const tooSlow = () => new AppError('tooSlow', '网络过慢，请求内容没有在限定时间内传完，请检查网络后重试')

/** Nobody is there to read it; said so that it is not taken for a fault of ours. */
export const brokenOff = () => new AppError('refused', '请求中途断开')

/** Calls `onSlow` once when what comes over the line falls behind. What it answers ends the watch. */
function watchPace({ socket }: Pick<IncomingMessage, 'socket'>, pace: Pace, onSlow: (why: AppError) => void): () => void {
  const begun = performance.now()
  let seen = socket.bytesRead
  let ended = false
  const end = () => {
    ended = true
    clearTimeout(timer)
  }
  const look = () => {
    if (ended) return
    const isLate = performance.now() - begun >= pace.totalMs
    if (isLate || socket.bytesRead - seen < pace.spanBytes) {
      end()
      onSlow(tooSlow())
      return
    }
    seen = socket.bytesRead
    wait()
  }
  let timer: NodeJS.Timeout
  const wait = () => {
    const left = pace.totalMs - (performance.now() - begun)
    // When this process was busy, what has come meanwhile is read before anybody is blamed.
    timer = setTimeout(() => setImmediate(look), Math.max(0, Math.min(pace.spanMs, left))).unref()
  }
  wait()
  return end
}

/** Whether there is a line to watch: requests put in by tests have none. */
const hasLine = ({ socket }: IncomingMessage): boolean => typeof socket?.bytesRead === 'number'

/** The body of a request as a stream that fails with `tooSlow` when it falls behind the pace; for `preParsing`. */
export function pacedBody(request: FastifyRequest, body: NodeJS.ReadableStream, pace = bodyPace): NodeJS.ReadableStream {
  if (!hasLine(request.raw)) return body
  const paced = new PassThrough()
  // Without a listener, an `error` event before the parser starts or after it has finished would end the process.
  paced.on('error', () => undefined)
  const end = watchPace(request.raw, pace, (why) => paced.destroy(why))
  body.once('error', () => paced.destroy(brokenOff()))
  body.once('end', end)
  // Whoever leaves in the middle ends nothing.
  request.raw.once('close', () => {
    end()
    if (!request.raw.complete) paced.destroy(brokenOff())
  })
  return body.pipe(paced)
}

/** What `read` answers, or `tooSlow` when the request falls behind the pace before that. */
export async function readPaced<T>(request: FastifyRequest, pace: Pace, read: () => Promise<T>): Promise<T> {
  if (!hasLine(request.raw)) return read()
  const slow = Promise.withResolvers<never>()
  // Avoid an unhandled rejection after the race is decided.
  slow.promise.catch(() => undefined)
  const end = watchPace(request.raw, pace, slow.reject)
  try {
    return await Promise.race([read(), slow.promise])
  } finally {
    end()
  }
}
