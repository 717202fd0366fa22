import { createOutgoing } from '#kit/outgoing'
import type { Extension } from '../ingest/extension.ts'
import { Pollers } from './poller.ts'

const reloadMs = 60_000
const tables: readonly string[] = ['poll_gateway', 'poll_device', 'gateway']

/** Meters and sensors that speak when they are asked: Modbus, DL/T 645, CJ/T 188. */
export const meters: Extension = {
  name: 'meters',
  async start(ctx) {
    const pollers = new Pollers({ ...ctx, outgoing: createOutgoing(ctx.config, 'poll') })
    await pollers.load()
    return {
      // What changed while nobody listened, as between two connections.
      repeats: [{ ms: reloadMs, name: 'pollers', run: () => pollers.load() }],
      changed({ table }) {
        if (tables.includes(table)) void pollers.load()
      },
      catchUp: () => pollers.load(),
      async stopTaking() {
        pollers.stop()
      },
    }
  },
}
