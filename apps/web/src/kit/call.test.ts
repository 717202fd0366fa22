import { describe, expect, test } from 'vitest'
import { staleAfter } from './call.ts'

describe('what a change makes old', () => {
  const changed = { path: '/api/v1/oa/team/:id' }
  test.each([
    ['/api/v1/oa/team', true],
    ['/api/v2/oa/project', true],
    ['/api/v1/home/web/mainPage', true],
    ['/api/v1/iot/device', false],
    ['/api/v1/sys/my/info', false],
    [undefined, false],
  ])('%s: %s', (path, stale) => expect(staleAfter(changed, path)).toBe(stale))
})
