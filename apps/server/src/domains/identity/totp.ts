import { createHmac, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6

/** RFC 6238 code of a moment: HMAC-SHA1 over the 30-second counter, six digits. */
export function totpAt(secret: Buffer, at: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / stepMs)))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

/** The time step of a code, undefined if invalid. One step either side is allowed for clock differences. */
export function totpStep(secret: Buffer, code: string, at: number): number | undefined {
  if (!/^\d{6}$/.test(code)) return undefined
  const now = Math.floor(at / stepMs)
  return [now - 1, now, now + 1].find((step) => timingSafeEqual(Buffer.from(totpAt(secret, step * stepMs)), Buffer.from(code)))
}
