import type { IncomingMessage, ServerResponse } from 'node:http'
import { followFleet } from '../equipment/public.ts'
import type { Counters } from './counters.ts'
import { extensions } from './extensions.ts'
import { type IngestOptions, openContext } from './ingest/context.ts'
import { closedPorts, type IngestPorts, type Running } from './ingest/extension.ts'
import { openLocalDoor } from './ingest/local-door.ts'
import { startRepeats } from './ingest/repeats.ts'
import type { Live } from './live.ts'

export type { IngestHooks, IngestOptions } from './ingest/context.ts'

export interface Ingest {
  readonly ports: IngestPorts
  readonly counters: Counters
  readonly live: Live
  /** Handles a request of the api process on the local socket. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  stop(): Promise<void>
}

/** Starts the ingest on a migrated database and opens its listeners. */
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
    ports: Object.assign({ ...closedPorts }, ...running.map((part) => part.ports)),
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
