import { createCipheriv, createDecipheriv } from 'node:crypto'
import { hasControlCharacters } from '@zhugong/contract/kit/checks'

/**
 * Decrypts a data segment of HJ 212-2025: SM4, ECB, no padding, 16-byte key per station, hexadecimal text. Zero bytes and spaces after the
 * text are removed, because stations fill the last block differently.
 * Returns undefined for the wrong key or malformed text.
 */
export function decryptCp(cp: string, key: Buffer): string | undefined {
  if (key.length !== 16 || cp.length === 0 || cp.length % 32 !== 0 || !/^[0-9a-f]+$/i.test(cp)) return undefined
  const decipher = createDecipheriv('sm4-ecb', key, null)
  decipher.setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(Buffer.from(cp, 'hex')), decipher.final()])
  let end = plain.length
  while (end > 0 && (plain[end - 1] === 0 || plain[end - 1] === 0x20)) end--
  const text = plain.toString('utf8', 0, end)
  // A wrong key yields random bytes, which must not be accepted as data.
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

/** Commands whose data may be encrypted; all others are plain. */
export const mayBeEncrypted = (cn: string): boolean => /^2\d{3}$/.test(cn) || cn === '1014' || cn === '3020'
