import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { AppError } from '@zhugong/contract/kit/errors'
import type { FastifyRequest } from 'fastify'

/** Minimum speed at which the body of a request must arrive. */
export interface Pace {
  /** Longest time from its beginning to its end. */
  totalMs: number
  /** In each span of `spanMs`, at least `spanBytes` must arrive. */
  spanMs: number
  spanBytes: number
}

/** Server timeout of a whole request with its headers. `bodyPace` and `formPace` end sooner, with an error message for the client. */
export const requestMs = 120_000
/** For JSON, at most 1 MB. The slowest line of a site carries some kilobytes per second. */
export const bodyPace: Pace = { totalMs: 60_000, spanMs: 10_000, spanBytes: 1_024 }
/** For a form with its file, at most 10 MB. */
export const formPace: Pace = { totalMs: 110_000, spanMs: 10_000, spanBytes: 10_240 }

const tooSlow = () => new AppError('tooSlow', '网络过慢，请求内容没有在限定时间内传完，请检查网络后重试')

/** Error for a request whose client disconnected. Nobody receives it, but it keeps the log from reporting a server error. */
export const brokenOff = () => new AppError('refused', '请求中途断开')

/** Calls `onSlow` once when the received bytes fall behind the pace. Returns a function that stops watching. */
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
    // If this process was busy, first read what has arrived meanwhile.
    timer = setTimeout(() => setImmediate(look), Math.max(0, Math.min(pace.spanMs, left))).unref()
  }
  wait()
  return end
}

/** Whether the request has a socket to watch: requests injected by tests have none. */
const hasLine = ({ socket }: IncomingMessage): boolean => typeof socket?.bytesRead === 'number'

/**
 * Wraps the body of a request in a stream that fails with `tooSlow` when it falls behind the pace, or `refused` when the client
 * disconnects; for `preParsing`.
 */
export function pacedBody(request: FastifyRequest, body: NodeJS.ReadableStream, pace = bodyPace): NodeJS.ReadableStream {
  if (!hasLine(request.raw)) return body
  const paced = new PassThrough()
  // Without a listener, an `error` event before the parser starts or after it has finished would end the process.
  paced.on('error', () => undefined)
  const end = watchPace(request.raw, pace, (why) => paced.destroy(why))
  body.once('error', () => paced.destroy(brokenOff()))
  body.once('end', end)
  // A client that disconnects early causes no `end` event.
  request.raw.once('close', () => {
    end()
    if (!request.raw.complete) paced.destroy(brokenOff())
  })
  return body.pipe(paced)
}

/**
 * Returns the result of `read`.
 * @throws AppError `tooSlow` when the request falls behind the pace before that
 */
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
