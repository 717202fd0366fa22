import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/** Registration codes of terminals in a file beside the demonstration's, kept over restarts like a terminal's flash. */
export function terminalMemory(file: string): {
  load(phone: string): string | undefined
  save(phone: string, code: string | undefined): void
} {
  const codes = new Map<string, string>()
  try {
    const known: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof known === 'object' && known !== null)
      for (const [phone, code] of Object.entries(known)) if (typeof code === 'string') codes.set(phone, code)
  } catch {
    // No file yet, or a damaged one: terminals register again.
  }
  return {
    load: (phone) => codes.get(phone),
    save(phone, code) {
      if (code === undefined) codes.delete(phone)
      else codes.set(phone, code)
      writeFileSync(`${file}.new`, JSON.stringify(Object.fromEntries(codes)), { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
  }
}
