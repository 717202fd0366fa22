import { Effects } from '../../rules/public.ts'
import type { Lane } from '../lane.ts'
import { laneNumber } from '../pipeline.ts'
import type { Extension, IngestContext } from './extension.ts'

/** An id that matches no rule, to reload only maintenance windows and drills, which every reload includes. */
const asideOnly = ''
const tickMs = 1_000
const sitesMs = 60_000
/** Collects changes for this long, so that many rules saved at once are reloaded together. */
const gatherMs = 50

/** Ticks the rule engine and applies changes of rules, sites and devices. */
export const ruleClock: Extension = {
  name: 'rules',
  start(ctx) {
    const { engine, fleet, pool, sites } = ctx
    const reloading = rulesToReload(ctx)
    return {
      repeats: [
        { ms: tickMs, name: 'rule clock', run: () => tick(ctx) },
        { ms: sitesMs, name: 'sites', run: () => sites.load(fleet.all()) },
      ],
      changed({ table, id }) {
        if (table === 'rule_trigger') reloading.add(id)
        if (table === 'device') follow(ctx, id)
      },
      async catchUp() {
        await sites.load(fleet.all())
        for (const id of await engine.outdated(pool)) reloading.add(id)
        reloading.add(asideOnly)
      },
      async stopTaking() {
        reloading.stop()
      },
    }
  },
}

/** Ticks every lane that is not waiting for the database. A waiting lane still has unprocessed readings. */
function tick({ pipeline, counters, engine, sites, now }: IngestContext): Promise<unknown> {
  counters.pending.set(pipeline.pending)
  return Promise.all(
    pipeline.all.map((lane) => {
      if (lane.isStuck) return undefined
      const effects = new Effects()
      if (lane.number === 0) effects.notes.push(...sites.notices(now()))
      engine.tick(now(), effects, isOf(lane, pipeline.all.length))
      return lane.run(effects)
    }),
  )
}

const isOf =
  (lane: Lane, lanes: number) =>
  (device: { id: string }): boolean =>
    laneNumber(device.id, lanes) === lane.number

function follow({ fleet, sites, engine }: IngestContext, id: string): void {
  const device = fleet.device(id)
  if (device) {
    sites.setDevice(device)
    engine.replan(id)
  } else {
    sites.removeDevice(id)
    engine.forget(id)
  }
}

function rulesToReload({ engine, pool, fleet, pipeline, log }: IngestContext) {
  let changed: string[] = []
  let timer: NodeJS.Timeout | undefined
  function add(id: string): void {
    changed.push(id)
    timer ??= setTimeout(reload, gatherMs)
  }
  function reload(): void {
    timer = undefined
    const ids = changed
    changed = []
    engine
      .reload(pool, ids, (deviceId) => fleet.device(deviceId))
      .then((judge) =>
        Promise.all(
          pipeline.all.map((lane) => {
            const effects = new Effects()
            judge(effects, isOf(lane, pipeline.all.length))
            return lane.run(effects)
          }),
        ),
      )
      .catch((error: unknown) => {
        log.warn({ err: error }, 'rules not reloaded')
        for (const id of ids) add(id)
      })
  }
  return { add, stop: () => clearTimeout(timer) }
}
