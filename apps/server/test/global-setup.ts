import type { TestProject } from 'vitest/node'
import { startTestServer } from './world.ts'

export default async function setup(project: TestProject) {
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
