import type { Extension } from '../ingest/extension.ts'
import { OpenApi } from './calls.ts'

/** The signed open API for other platforms. */
export const openApi: Extension = {
  name: 'open api',
  start(ctx) {
    const calls = new OpenApi(ctx)
    return {
      calls: [
        {
          path: '/api/v1/open/',
          async answer(request) {
            const { http, retryAfter, ...body } = await calls.answer(request)
            return { http, body, retryAfter }
          },
        },
      ],
    }
  },
}
