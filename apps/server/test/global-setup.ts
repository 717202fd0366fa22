import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

/** Results of `seen-rows.ts`; deleted at the start of each run. */
const seenRows = join(import.meta.dirname, '../../../.cache/sql-rows')
/** Maximum number of files to scan: scanning more takes longer than skipping the database saves. */
const mostScanned = 20

/**
 * Starts PostgreSQL with a migrated template database, unless no selected test file uses it: a pure test then finishes in under two
 * seconds.
 */
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

/** Whether none of the files named on the command line, nor a test helper they import, injects the database URL. */
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
  // Only tests and their helpers call inject; modules of the product need no scan.
  const imports = [...source.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => resolve(dirname(file), path ?? ''))
  return imports.filter((path) => /\/test\/|-for-test\.ts$|\.test\.ts$/.test(path)).some((path) => asksForDatabase(path, seen))
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** URL for the superuser, for work that needs a database administrator. */
    postgresAdminUrl: string
  }
}
