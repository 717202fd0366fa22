import { writeSync } from 'node:fs'
import { pino } from 'pino'

export type Log = pino.Logger

/** Secrets and personal data never reach the log, whatever object they hang on. */
const redacted = ['password', 'secret', 'token', 'idCardNumber', 'cellPhone', 'phone', 'authorization', 'appSecret', 'captcha', 'pw']

/**
 * Straight to standard output. Where nobody reads any more, as when the supervisor was killed, lines are lost: pino's own output would try
 * again for ever while the process ends, and keep its ports.
 */
const output = {
  write(line: string): void {
    let rest = Buffer.from(line)
    for (let tries = 0; rest.length && tries < mostTries; tries++) {
      try {
        rest = rest.subarray(writeSync(1, rest))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
        Atomics.wait(pause, 0, 0, 5)
      }
    }
  },
}
const mostTries = 100
const pause = new Int32Array(new SharedArrayBuffer(4))

/** `to` takes the lines elsewhere: for whoever looks through them. */
export function createLog(name: string, level: string, to: { write(line: string): void } = output): Log {
  return pino(
    {
      name,
      level,
      base: { name },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: redacted.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '***' },
    },
    to,
  )
}
