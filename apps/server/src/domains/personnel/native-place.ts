import { isAreaCode } from '@zhugong/contract/settings/dictionaries'

/** Old cards have codes of abolished districts; their city or province is shown instead of bare digits. */
export function nativePlace(code: string | null, name: (code: string) => string | null): string | null {
  if (!code) return null
  const known = [code, `${code.slice(0, 4)}00`, `${code.slice(0, 2)}0000`].find(isAreaCode)
  return known ? name(known) : null
}
