import { unreachable } from '../command-words.ts'
import { Guesses } from '../guesses.ts'
import type { Extension } from '../ingest/extension.ts'
import { listenHj212 } from './listener.ts'
import { Stations } from './stations.ts'
import './tables.ts'
import { hj212Trial, stationDialects } from './trial.ts'

const flushMs = 1_000
const reloadMs = 60_000

/** Dust and noise stations over TCP (HJ 212). */
export const hj212: Extension = {
  name: 'hj212',
  trial: hj212Trial,
  dialects: stationDialects,
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
        async done({ cmd, params }, device) {
          if (cmd !== 'hj212.setPassword' || typeof params.password !== 'string') return
          await pool.query('update device set access_secret = $2, update_time = now(), version = version + 1 where id = $1', [
            device.id,
            secrets.seal(params.password),
          ])
        },
      },
      repeats: [
        { ms: flushMs, name: 'stations seen', run: () => stations.flush() },
        // Reloads periodically, because notifications are missed while the listening connection is down.
        { ms: reloadMs, name: 'stations', run: () => stations.load() },
      ],
      changed({ table, id }) {
        // The password may have changed.
        if (table === 'device') guesses.forgive(id)
        if (table === 'hj212_station') void stations.load(id).catch((error: unknown) => log.warn({ err: error }, 'station'))
      },
      catchUp: () => stations.load(),
      stopTaking: () => listener.close(),
    }
  },
}
