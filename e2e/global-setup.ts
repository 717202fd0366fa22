import type { TestProject } from 'vitest/node'
import { Product } from './product.ts'
import { tapTheWire } from './wire-tap.ts'

/** Starts the whole product with its simulated city, as a new user would, and taps the traffic of its devices. */
export default async function setup(project: TestProject) {
  const begun = performance.now()
  const tap = await tapTheWire()
  const product = await Product.start({ simulator: true, wire: tap.env })
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1)
  console.log(`product ready after ${seconds()} s`)
  // Wait: pages opened before would be checked with incomplete figures and videos.
  await product.grown()
  console.log(`history written after ${seconds()} s`)
  project.provide('demo', product.demo)
  project.provide('databaseUrl', product.databaseUrl)
  project.provide('wire', tap.url)
  return async () => {
    await product.remove()
    tap.close()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    demo: Product['demo']
    databaseUrl: string
    /** URL that answers what devices have sent. */
    wire: string
  }
}
