import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

/** What `seen-rows.ts` keeps is this run's alone. */
const seenRows = join(import.meta.dirname, '../../../.cache/sql-rows')
/** Scanning more files for their need of a database takes longer than it saves. */
const mostScanned = 20

/** Starts PostgreSQL with a migrated template database, unless none of the chosen test files asks for it: a pure test then answers in under two seconds. */
export default async function setup(project: TestProject) {
  if (await isPure(project)) return
  mkdirSync(seenRows, { recursive: true })
  for (const file of globSync('*.jsonl', { cwd: seenRows })) rmSync(join(seenRows, file))
  const { startTestServer } = await import('./world.ts')
  const server = await startTestServer()
  project.provide('postgresUrl', server.url)
  project.provide('postgresAdminUrl', server.adminUrl)
  return () => server.stop()
}

/** Whether none of the files named on the command line, nor a test helper they import, injects the address of the database. */
async function isPure(project: TestProject): Promise<boolean> {
  if (project.vitest.config.watch) return false
  const { filenamePattern } = project.vitest as { filenamePattern?: string[] }
  if (!filenamePattern?.length) return false
  const { testFiles } = await project.globTestFiles(filenamePattern)
  const seen = new Set<string>()
  return testFiles.length > 0 && testFiles.length <= mostScanned && !testFiles.some((file) => asksForDatabase(file, seen))
}

function asksForDatabase(file: string, seen: Set<string>): boolean {
  if (seen.has(file) || !existsSync(file)) return false
  seen.add(file)
  const source = readFileSync(file, 'utf8')
  if (/\binject\(\s*'postgres/.test(source)) return true
  // Only tests and their helpers inject; the product's own modules need no scan.
  const imports = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => resolve(dirname(file), path ?? ''))
  return imports.filter((path) => /\/test\/|-for-test\.ts$|\.test\.ts$/.test(path)).some((path) => asksForDatabase(path, seen))
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The superuser's, for what only a database's own administrator does. */
    postgresAdminUrl: string
  }
}
