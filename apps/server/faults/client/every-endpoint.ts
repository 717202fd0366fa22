import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../../packages/contract/src')

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'schemas' in value

/** Every endpoint of the contract that needs a session. */
export async function everyEndpoint(): Promise<Endpoint[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.ts') && !f.endsWith('.test.ts'))
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(folder, file)).href) as Promise<Record<string, unknown>>))
  const found = new Map<string, Endpoint>()
  const look = (value: unknown, depth: number): void => {
    if (isEndpoint(value)) found.set(`${value.method} ${value.path}`, value)
    else if (depth > 0 && typeof value === 'object' && value !== null) for (const one of Object.values(value)) look(one, depth - 1)
  }
  for (const module of modules) look(module, 3)
  return [...found.values()].filter((e) => !e.signed && !e.path.startsWith('/api/v1/open/'))
}
