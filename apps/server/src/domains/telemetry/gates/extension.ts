import type { Extension } from '../ingest/extension.ts'
import { GatePush } from './push.ts'
import { gateDialects } from './trial.ts'

const path = '/api/v1/open/gate/'
const reloadMs = 60_000

/** Face recognition gates that push over HTTP to a path with a secret key. */
export const gates: Extension = {
  name: 'gates',
  dialects: gateDialects,
  async start(ctx) {
    const { log } = ctx
    const push = new GatePush(ctx)
    await push.load()
    return {
      calls: [
        {
          path,
          async answer(request) {
            const [adapter, key, ...rest] = (request.url.split('?')[0] ?? '').slice(path.length).split('/')
            return adapter && key ? push.answer(request, adapter, key, rest.join('/')) : undefined
          },
        },
      ],
      // Reloads periodically, because notifications are missed while the listening connection is down.
      repeats: [{ ms: reloadMs, name: 'gates', run: () => push.load() }],
      changed({ table }) {
        if (table === 'gate_push') void push.load().catch((error: unknown) => log.warn({ err: error }, 'gates'))
      },
      catchUp: () => push.load(),
    }
  },
}
