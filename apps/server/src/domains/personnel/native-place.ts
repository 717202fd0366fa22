import { isAreaCode } from '@zhugong/contract/settings/dictionaries'

/** Old cards bear districts long abolished: their city or province still says something, the bare digits nothing. */
export function nativePlace(code: string | null, name: (code: string) => string | null): string | null {
  if (!code) return null
  const known = [code, `${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`].find(isAreaCode)
  return known ? name(known) : null
}
