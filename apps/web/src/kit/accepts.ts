const names: Readonly<Record<string, string>> = {
  'image/*': '图片',
  'image/png': 'PNG',
  'image/jpeg': 'JPG',
  'image/webp': 'WebP',
  'application/pdf': 'PDF',
}
const partsOf = (accept: string): string[] => accept.split(',').map((part) => part.trim().toLowerCase())

/**
 * Whether a field accepts a file. Needed because dropped and pasted files bypass the file picker's filter. Files without a type are left to
 * the server.
 */
export function accepts(accept: string, { name, type }: { name: string; type: string }): boolean {
  const parts = partsOf(accept)
  if (parts.some((part) => part.startsWith('.') && name.toLowerCase().endsWith(part))) return true
  const types = parts.filter((part) => !part.startsWith('.'))
  if (type === '') return types.length > 0
  return types.some((part) => (part.endsWith('/*') ? type.startsWith(part.slice(0, -1)) : type === part))
}

/** The accepted file types of a field, as text. */
export const acceptWords = (accept: string): string =>
  partsOf(accept)
    .map((part) => names[part] ?? part.replace(/^\./, '').toUpperCase())
    .join('、')
