import { createHash } from 'node:crypto'
import svgCaptcha from 'svg-captcha'
import type { Shared } from '#kit/context'
import { captchaMs } from './limits.ts'

const hashAnswer = (key: string, text: string) => createHash('sha256').update(`${key}:${text.trim().toLowerCase()}`).digest('hex')

/** A picture with four characters that cannot be mistaken for each other; the answer is kept as a hash, once. */
export async function drawCaptcha({ system, clock, newId }: Pick<Shared, 'system' | 'clock' | 'newId'>) {
  const picture = svgCaptcha.create({
    size: 4,
    noise: 2,
    ignoreChars: '0o1iIlLO5sS2zZ',
    width: 120,
    height: 36,
    color: true,
    background: '#f5f7fa',
  })
  const captchaKey = newId()
  const now = clock.now()
  await system.deleteFrom('captcha').where('expiresAt', '<', new Date(now)).execute()
  await system
    .insertInto('captcha')
    .values({ key: captchaKey, answerHash: hashAnswer(captchaKey, picture.text), expiresAt: new Date(now + captchaMs) })
    .execute()
  return { captchaKey, svg: picture.data, expiresIn: captchaMs }
}

/** True once: a captcha is used up by the first try, right or wrong. */
export async function captchaHolds({ system, clock }: Pick<Shared, 'system' | 'clock'>, key: string | undefined, text: string | undefined) {
  if (!key || !text) return false
  const row = await system.deleteFrom('captcha').where('key', '=', key).returningAll().executeTakeFirst()
  return row !== undefined && row.expiresAt.getTime() > clock.now() && row.answerHash === hashAnswer(key, text)
}
