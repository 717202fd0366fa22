import { globSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startTestServer } from './world.ts'

/** What `seen-rows.ts` keeps is this run's alone. */
const seenRows = join(import.meta.dirname, '../../../.cache/sql-rows')

export default async function setup(project: TestProject) {
  mkdirSync(seenRows, { recursive: true })
  for (const file of globSync('*.jsonl', { cwd: seenRows })) rmSync(join(seenRows, file))
  const server = await startTestServer()
  project.provide('postgresUrl', server.url)
  project.provide('postgresAdminUrl', server.adminUrl)
  return () => server.stop()
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The superuser's, for what only a database's own administrator does. */
    postgresAdminUrl: string
  }
}
