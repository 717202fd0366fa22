import type { IncomingMessage, ServerResponse } from 'node:http'
import { followFleet } from '../equipment/public.ts'
import { commands } from './commands.ts'
import type { Counters } from './counters.ts'
import { enteredReadings } from './entered.ts'
import { gates } from './gates/extension.ts'
import { hj212 } from './hj212/extension.ts'
import { type IngestOptions, openContext } from './ingest/context.ts'
import type { Extension, IngestPorts, Running } from './ingest/extension.ts'
import { fiveMinuteValues } from './ingest/five-minutes.ts'
import { livePush } from './ingest/live.ts'
import { openLocalDoor } from './ingest/local-door.ts'
import { notesBeside } from './ingest/notes.ts'
import { presenceWatch } from './ingest/presence.ts'
import { startRepeats } from './ingest/repeats.ts'
import { ruleClock } from './ingest/rules.ts'
import { jt808 } from './jt808/extension.ts'
import type { Live } from './live.ts'
import { meters } from './meters/extension.ts'
import { mqtt } from './mqtt/extension.ts'
import { openApi } from './open-api/extension.ts'

/**
 * What the ingest is made of. Whoever hears of a commit hears of it in this order; whoever opens a door comes after what stands behind it,
 * and of two calls on the local socket that fit a path the first one answers.
 */
const extensions: readonly Extension[] = [
  livePush,
  fiveMinuteValues,
  notesBeside,
  presenceWatch,
  ruleClock,
  commands,
  enteredReadings,
  gates,
  openApi,
  mqtt,
  hj212,
  meters,
  jt808,
]

export type { IngestHooks, IngestOptions } from './ingest/context.ts'

export interface Ingest {
  readonly ports: IngestPorts
  readonly counters: Counters
  readonly live: Live
  /** Answers the api on the local socket. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  stop(): Promise<void>
}

/** Builds the ingest on a migrated database and opens its listeners. */
export async function createIngest(options: IngestOptions): Promise<Ingest> {
  const running: Running[] = []
  const ctx = await openContext(options, running)
  const { fleet, log, pipeline } = ctx
  for (const extension of extensions) running.push(await extension.start(ctx))
  const following = followFleet(fleet, options.connect, log, () => Promise.all(running.map((part) => part.catchUp?.())))
  fleet.onChange((change) => {
    for (const part of running) part.changed?.(change)
  })
  const repeats = startRepeats(
    running.flatMap((part) => part.repeats ?? []),
    log,
  )
  return {
    ports: Object.assign({ mqtt: 0, mqttWs: 0, hj212: 0, jt808: 0 }, ...running.map((part) => part.ports)),
    counters: ctx.counters,
    live: ctx.live,
    handle: openLocalDoor(ctx, running),
    async stop() {
      repeats.stop()
      await following.stop()
      await Promise.all(running.map((part) => part.stopTaking?.()))
      await pipeline.stop()
      for (const part of running) await part.stop?.()
    },
  }
}
