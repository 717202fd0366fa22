import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

export interface Secrets {
  /** Encrypts with AES-256-GCM and a random nonce: equal texts have different ciphertexts. Undefined and empty become null. */
  seal(text: string | null | undefined): Buffer | null
  open(sealed: Buffer | null | undefined): string | null
  /** Keyed hash for finding an encrypted value (ID number, phone, bank card); `purpose` separates the columns. */
  blindIndex(purpose: string, text: string): string
  /** HMAC for signed links and short-lived credentials. */
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, signature: string): boolean
}

export function createSecrets(secretKey: string): Secrets {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secretKey, 'zhugong', info, 32))
  const dataKey = derive('personal-data')
  const indexKey = derive('blind-index')
  const signKey = derive('signature')
  const sign = (purpose: string, text: string) => createHmac('sha256', signKey).update(`${purpose}\n${text}`).digest('hex')
  return {
    seal(text) {
      if (text === null || text === undefined || text === '') return null
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', dataKey, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body])
    },
    open(sealed) {
      if (!sealed) return null
      const decipher = createDecipheriv('aes-256-gcm', dataKey, sealed.subarray(0, nonceBytes))
      decipher.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
      return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
    },
    blindIndex: (purpose, text) => createHmac('sha256', indexKey).update(`${purpose}\n${text.toUpperCase()}`).digest('hex'),
    sign,
    verify(purpose, text, signature) {
      const expected = Buffer.from(sign(purpose, text))
      const given = Buffer.from(signature)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
