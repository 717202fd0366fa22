import { findWearers } from '../../readings/public.ts'
import { AlarmMessages } from '../alarm-messages.ts'
import type { Extension } from './extension.ts'

/** A revoked permission takes effect within two seconds. */
const viewersMs = 1_000

/** Pushes latest readings, online and offline changes, and alarms to browsers. They connect through the broker (`mqtt/`). */
export const livePush: Extension = {
  name: 'live',
  start({ live, pool, log, database, now }) {
    const alarms = new AlarmMessages(pool, live, log)
    live.start()
    return {
      repeats: [
        {
          ms: viewersMs,
          name: 'viewers',
          run: async () => {
            await live.checkViewers()
            if (live.asksForWearers) live.setWearers(await findWearers(database.kysely))
          },
        },
      ],
      committed(done) {
        for (const { device, reading } of done.latest) if (reading) live.reading(device, reading)
        for (const { device, time } of done.cameOnline) live.deviceState(device, true, time)
        if (done.alarms.length) void alarms.send(done.alarms)
      },
      changed({ table, id }) {
        if (table === 'alarm') void alarms.handled(id, now())
      },
      async stopTaking() {
        live.stop()
      },
    }
  },
}
