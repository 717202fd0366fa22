import { createOutgoing } from '#kit/outgoing'
import type { Extension } from '../ingest/extension.ts'
import { Pollers } from './poller.ts'
import { meterDialects, meterTrial } from './trial.ts'

const reloadMs = 60_000
const tables: readonly string[] = ['poll_gateway', 'poll_device', 'gateway']

/** Polls meters and sensors: Modbus, DL/T 645, CJ/T 188. */
export const meters: Extension = {
  name: 'meters',
  trial: meterTrial,
  dialects: meterDialects,
  async start(ctx) {
    const pollers = new Pollers({ ...ctx, outgoing: createOutgoing(ctx.config, 'poll') })
    await pollers.load()
    return {
      // Reloads periodically, because notifications are missed while the listening connection is down.
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
