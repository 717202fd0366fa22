import { startUpperPlatform } from '../src/docking-upper/upper-platform.ts'
import { appKey, secret, sendThroughFaults } from '../src/domains/docking/sending-for-test.ts'
import { openCity, settleCity } from '../test/city.ts'
import { startTestServer } from '../test/world.ts'

const rows = 10_000

/** Ten thousand rows to a platform above: two outages, 3 % refusals, lost, repeated, slow and later answers, a sender killed on the way. */
export async function dockingUp(): Promise<boolean> {
  const server = await startTestServer()
  try {
    const world = await openCity(server.url)
    await settleCity(world)
    const upper = await startUpperPlatform({ appKey, secret })
    const told = await sendThroughFaults(world, upper, rows)
    await upper.stop()
    await world.close()
    const isGood = told.lost + told.double + told.outOfOrder + told.unexplained.length === 0
    console.log(
      `${isGood ? 'ok  ' : 'FAIL'}  docking: ${told.rows} rows in ${told.calls} calls and ${told.seconds} s; refused at first ${told.refusedFirst}, waited behind them ${told.waitedBehind}; ` +
        `lost ${told.lost} [0], twice above ${told.double} [0], out of order ${told.outOfOrder} [0], without a word in Chinese ${told.unexplained.length} [0]`,
    )
    return isGood
  } finally {
    await server.stop()
  }
}
