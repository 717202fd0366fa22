import { writeSync } from 'node:fs'
import { pino } from 'pino'

export type Log = pino.Logger

/** Fields with secrets and personal data that are removed from the log, up to two levels deep. */
const redacted = ['password', 'secret', 'token', 'idCardNumber', 'cellPhone', 'phone', 'authorization', 'appSecret', 'captcha', 'pw']

/**
 * Writes synchronously to standard output. When the reader is gone, as after the supervisor was killed, lines are lost. Pino's own output
 * would retry forever while the process ends, which would keep its ports open.
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

/** Creates the log of a process. `to` replaces standard output, for example in tests. */
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
