import { filled } from '../kit/fields.ts'

/** Folders below a root, the document itself included. */
export const deepest = 8
export const longestName = 200

const forbidden = /[\\/:*?"<>|]/
/** A name as every system of a download accepts it, so that an archive unpacks where it was meant to. */
export const documentName = filled(longestName, '名称')
  .refine((name) => !forbidden.test(name), '名称不能含 \\ / : * ? " < > |')
  .refine((name) => !/^\.+$/.test(name) && !name.endsWith('.'), '名称不能以点结尾')
  .transform((name) => name.normalize('NFC'))

/** `图纸.dwg` as stem and extension with its dot. */
export function splitName(name: string): [stem: string, extension: string] {
  const at = name.lastIndexOf('.')
  return at > 0 ? [name.slice(0, at), name.slice(at)] : [name, '']
}

/** The name with a mark before its extension; shortened, so that it stays within the longest. */
export function markedName(name: string, mark: string): string {
  const [stem, extension] = splitName(name)
  return `${stem.slice(0, longestName - mark.length - extension.length)}${mark}${extension}`
}

/** The first free of `名称`, `名称（2）`, `名称（3）`. `taken` compares as the folder does. */
export function freeName(name: string, taken: (name: string) => boolean, mark = (n: number) => `（${n}）`): string {
  if (!taken(name)) return name
  for (let n = 2; ; n++) {
    const next = markedName(name, mark(n))
    if (!taken(next)) return next
  }
}
