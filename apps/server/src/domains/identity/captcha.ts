import { createHash, randomInt } from 'node:crypto'
import type { Shared } from '#kit/context'
import { captchaPicture } from './captcha-picture.ts'
import { captchaMs } from './limits.ts'

const hashAnswer = (key: string, text: string) => createHash('sha256').update(`${key}:${text.trim().toLowerCase()}`).digest('hex')

/** Characters that stay distinguishable when distorted: no O, Q and D beside 0, no U beside V, no digits. */
const characters = 'ABCDEFHKLMNPRTUWXY'
const count = 5

/** Creates a captcha picture; the answer is stored as a hash and can be tried once. */
export async function drawCaptcha({ system, clock, newId }: Pick<Shared, 'system' | 'clock' | 'newId'>) {
  const text = Array.from({ length: count }, () => characters[randomInt(characters.length)]).join('')
  const captchaKey = newId()
  const now = clock.now()
  await system.deleteFrom('captcha').where('expiresAt', '<', new Date(now)).execute()
  await system
    .insertInto('captcha')
    .values({ key: captchaKey, answerHash: hashAnswer(captchaKey, text), expiresAt: new Date(now + captchaMs) })
    .execute()
  return { captchaKey, image: `data:image/png;base64,${captchaPicture(text).toString('base64')}`, expiresIn: captchaMs }
}

/** Whether the answer is right. Any attempt uses up the captcha. */
export async function captchaHolds({ system, clock }: Pick<Shared, 'system' | 'clock'>, key: string | undefined, text: string | undefined) {
  if (!key || !text) return false
  const row = await system.deleteFrom('captcha').where('key', '=', key).returningAll().executeTakeFirst()
  return row !== undefined && row.expiresAt.getTime() > clock.now() && row.answerHash === hashAnswer(key, text)
}
