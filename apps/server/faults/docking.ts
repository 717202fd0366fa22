import { startUpperPlatform } from '../src/docking-upper/upper-platform.ts'
import { appKey, secret, sendThroughFaults } from '../src/domains/docking/sending-for-test.ts'
import { openCity, settleCity } from '../test/city.ts'
import { startTestServer } from '../test/world.ts'

const rows = 10_000

/**
 * Sends ten thousand rows to a platform above: with two outages, 3 % refusals, lost, repeated, slow and delayed answers, and a sender that
 * is killed meanwhile.
 */
export async function dockingUp(): Promise<boolean> {
  const server = await startTestServer()
  try {
    const world = await openCity(server.url)
    await settleCity(world)
    const upper = await startUpperPlatform({ appKey, secret })
    const result = await sendThroughFaults(world, upper, rows)
    await upper.stop()
    await world.close()
    const isGood = result.lost + result.double + result.outOfOrder + result.unexplained.length === 0
    console.log(
      `${isGood ? 'ok  ' : 'FAIL'}  docking: ${result.rows} rows in ${result.calls} calls and ${result.seconds} s; refused at first ${result.refusedFirst}, waited behind them ${result.waitedBehind}; ` +
        `lost ${result.lost} [0], twice above ${result.double} [0], out of order ${result.outOfOrder} [0], without a word in Chinese ${result.unexplained.length} [0]`,
    )
    return isGood
  } finally {
    await server.stop()
  }
}
