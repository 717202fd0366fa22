import { client } from './client.ts'
import { databaseStopped, diskFull } from './database.ts'
import { dockingUp } from './docking.ts'
import { hostile } from './hostile.ts'
import { noticesDown } from './notices.ts'
import { replay } from './replay.ts'
import { slowEnds } from './slow-ends.ts'

/**
 * `npm run test:faults -- [database] [disk] [notices] [replay] [hostile] [client] [docking] [slow]`: what goes wrong around the product, each against one it starts itself on an embedded
 * database of its own. Every line says what was acknowledged and what became of it; limits stand in brackets.
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
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in faults))
if (unknown.length) {
  console.error(`unknown: ${unknown.join(', ')}; known: ${Object.keys(faults).join(', ')}`)
  process.exit(2)
}
let [passed, failed] = [0, 0]
for (const [i, [name, run]] of Object.entries(faults).entries()) {
  if (asked.length && !asked.includes(name)) continue
  // Below the range that outgoing connections take theirs from, each a few of its own.
  const isGood = await run(28_100 + i * 10).catch((error: unknown) => {
    console.error(`FAIL  ${name}:`, error)
    return false
  })
  if (isGood) passed++
  else failed++
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed ? 1 : 0)
