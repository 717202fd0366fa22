import type { TestProject } from 'vitest/node'
import { Product } from './product.ts'
import { tapTheWire } from './wire-tap.ts'

/** The whole product with its living city, as a newcomer would start it; the wire to its devices is listened to. */
export default async function setup(project: TestProject) {
  const begun = performance.now()
  const tap = await tapTheWire()
  const product = await Product.start({ simulator: true, wire: tap.env })
  console.log(`product ready after ${((performance.now() - begun) / 1000).toFixed(1)} s`)
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
    /** Where what devices said on the wire is asked. */
    wire: string
  }
}
