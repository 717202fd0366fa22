import type { TestProject } from 'vitest/node'
import { startTestServer } from './world.ts'

export default async function setup(project: TestProject) {
  const server = await startTestServer()
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}
