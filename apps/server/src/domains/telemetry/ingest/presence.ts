import { Effects } from '../../rules/public.ts'
import { laneNumber } from '../pipeline.ts'
import type { Extension, IngestContext } from './extension.ts'

const everyMs = 2_000

/** Detects silent devices: passes them to the rules, stores them as offline and pushes the change to viewers. */
export const presenceWatch: Extension = {
  name: 'presence',
  start: (ctx) => ({
    repeats: [{ ms: everyMs, name: 'presence', run: () => look(ctx) }],
    changed({ table, id }) {
      if (table === 'device' && !ctx.fleet.device(id)) ctx.presence.forget(id)
    },
  }),
}

async function look({ pipeline, presence, fleet, engine, live, now }: IngestContext): Promise<void> {
  const at = now()
  if (!pipeline.isFlowing) return presence.deaf(at)
  const leavers = presence.leavers(fleet.all(), at)
  const lanes = pipeline.all.length
  await Promise.all(
    pipeline.all.map(async (lane) => {
      const mine = leavers.filter((l) => laneNumber(l.device.id, lanes) === lane.number)
      const effects = new Effects()
      for (const device of fleet.all()) {
        if (laneNumber(device.id, lanes) !== lane.number || !device.inService) continue
        const since = presence.silentSince(device.id)
        if (since !== undefined) engine.silent(device, since, at, effects)
      }
      await lane.run(effects, mine)
      for (const { device } of mine) if (!presence.isOnline(device.id)) live.deviceState(device, false, at)
    }),
  )
}
