import { unreachable } from '../command-words.ts'
import { Guesses } from '../guesses.ts'
import type { Extension } from '../ingest/extension.ts'
import { listenHj212 } from './listener.ts'
import { Stations } from './stations.ts'

const flushMs = 1_000
const reloadMs = 60_000

/** Dust and noise stations over TCP, HJ 212. */
export const hj212: Extension = {
  name: 'hj212',
  async start(ctx) {
    const { config, pool, secrets, log } = ctx
    const stations = new Stations(pool, secrets)
    await stations.load()
    const guesses = new Guesses()
    const listener = await listenHj212({ ...ctx, host: config.host, port: config.hj212Port, stations, guesses })
    return {
      ports: { hj212: listener.port },
      downlink: {
        protocol: 'hj212',
        async send({ cmdId, cmd, params, expireAt }, device) {
          const outcome = await listener.request(device, cmd, params, expireAt)
          return outcome ? { cmdId, ...outcome } : unreachable(cmdId, '环境站不在线，或不支持该指令及参数')
        },
      },
      repeats: [
        { ms: flushMs, name: 'stations seen', run: () => stations.flush() },
        // What changed while nobody listened, as between two connections.
        { ms: reloadMs, name: 'stations', run: () => stations.load() },
      ],
      changed({ table, id }) {
        // Another password may hold from now on.
        if (table === 'device') guesses.forgive(id)
        if (table === 'hj212_station') void stations.load(id).catch((error: unknown) => log.warn({ err: error }, 'station'))
      },
      catchUp: () => stations.load(),
      stopTaking: () => listener.close(),
    }
  },
}
