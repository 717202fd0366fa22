import { createCipheriv, createDecipheriv } from 'node:crypto'
import { hasControlCharacters } from '@zhugong/contract/kit/checks'

/**
 * Data segments of HJ 212-2025 on public lines: SM4, ECB, no padding, a key of 16 bytes per station, as upper-case hexadecimal text.
 * How the last block is filled is not settled here: zero bytes and spaces behind the text are tolerated.
 */
export function decryptCp(cp: string, key: Buffer): string | undefined {
  if (key.length !== 16 || cp.length === 0 || cp.length % 32 !== 0 || !/^[0-9a-f]+$/i.test(cp)) return undefined
  const decipher = createDecipheriv('sm4-ecb', key, null)
  decipher.setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(Buffer.from(cp, 'hex')), decipher.final()])
  let end = plain.length
  while (end > 0 && (plain[end - 1] === 0 || plain[end - 1] === 0x20)) end--
  const text = plain.toString('utf8', 0, end)
  // Another key leaves noise, which must not pass for data.
  return /^[\w-]+\s*=/.test(text) && !hasControlCharacters(text) && !text.includes('\ufffd') ? text : undefined
}

export function encryptCp(cp: string, key: Buffer): string {
  const plain = Buffer.from(cp)
  const filled = Buffer.alloc(Math.max(16, Math.ceil(plain.length / 16) * 16))
  plain.copy(filled)
  const cipher = createCipheriv('sm4-ecb', key, null)
  cipher.setAutoPadding(false)
  return Buffer.concat([cipher.update(filled), cipher.final()])
    .toString('hex')
    .toUpperCase()
}

/** Commands whose data may be encrypted; the rest is always plain. */
export const mayBeEncrypted = (cn: string): boolean => /^2\d{3}$/.test(cn) || cn === '1014' || cn === '3020'
