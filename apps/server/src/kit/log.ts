import { pino } from 'pino'

export type Log = pino.Logger

/** Secrets and personal data never reach the log, whatever object they hang on. */
const redacted = ['password', 'secret', 'token', 'idCardNumber', 'cellPhone', 'phone', 'authorization', 'appSecret', 'captcha', 'pw']

export function createLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: redacted.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]), censor: '***' },
  })
}
