import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

export const hashPassword = (password: string): Promise<string> => hash(password)
export const passwordMatches = (stored: string, password: string): Promise<boolean> => verify(stored, password).catch(() => false)

let decoy: Promise<string> | undefined
/** Takes as long as a real password check, so that the response time does not reveal whether an account exists. */
export async function passTime(password: string): Promise<false> {
  decoy ??= hashPassword('no account has this password')
  await passwordMatches(await decoy, password)
  return false
}

const kinds = ['ABCDEFGHJKMNPQRSTUVWXYZ', 'abcdefghjkmnpqrstuvwxyz', '23456789', '#%+-=@']
/** A random password that satisfies the rule and can be read aloud (no 0 O 1 l I). */
export function randomPassword(length = 14): string {
  const pick = (from: string) => from.charAt(randomInt(from.length))
  const chars = [...kinds.map(pick), ...Array.from({ length: length - kinds.length }, () => pick(kinds.slice(0, 3).join('')))]
  for (let i = chars.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    const current = chars[i] ?? ''
    chars[i] = chars[j] ?? ''
    chars[j] = current
  }
  return chars.join('')
}
