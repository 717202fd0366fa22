import { client } from './client.ts'
import { databaseStopped, diskFull } from './database.ts'
import { dockingUp } from './docking.ts'
import { hostile } from './hostile.ts'
import { noticesDown } from './notices.ts'
import { replay } from './replay.ts'
import { slowEnds } from './slow-ends.ts'

/**
 * `npm run test:faults -- [database] [disk] [notices] [replay] [hostile] [client] [docking] [slow]`: tests with failures around the
 * product. Each test starts its own product on an embedded database. Every line compares what was acknowledged with what was stored; limits
 * are in brackets.
 */
const faults: Record<string, (firstPort: number) => Promise<boolean>> = {
  database: databaseStopped,
  disk: diskFull,
  notices: noticesDown,
  replay,
  hostile,
  client,
  docking: dockingUp,
  slow: slowEnds,
}
const requested = process.argv.slice(2)
const unknown = requested.filter((name) => !(name in faults))
if (unknown.length) {
  console.error(`unknown: ${unknown.join(', ')}; known: ${Object.keys(faults).join(', ')}`)
  process.exit(2)
}
let [passed, failed] = [0, 0]
for (const [i, [name, run]] of Object.entries(faults).entries()) {
  if (requested.length && !requested.includes(name)) continue
  // Below the range from which the system takes the ports of outgoing connections, ten ports for each test.
  const isGood = await run(28_100 + i * 10).catch((error: unknown) => {
    console.error(`FAIL  ${name}:`, error)
    return false
  })
  if (isGood) passed++
  else failed++
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
