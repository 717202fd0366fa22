import type { TestProject } from 'vitest/node'
import { Product } from './product.ts'

/** The whole product with its living city, as a newcomer would start it. */
export default async function setup(project: TestProject) {
  const begun = performance.now()
  const product = await Product.start({ simulator: true })
  console.log(`product ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  project.provide('demo', product.demo)
  project.provide('databaseUrl', product.databaseUrl)
  return () => product.remove()
}

declare module 'vitest' {
  interface ProvidedContext {
    demo: Product['demo']
    databaseUrl: string
  }
}
