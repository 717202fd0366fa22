import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import type { Answer, World } from '../world.ts'
import { asideCalls, calls, type Tried, tryCall } from './calls.ts'
import { type SiteOfParts, siteOfParts } from './site.ts'
import { type Concern, mayChange, type Part, parts } from './table.ts'

/**
 * Inside one project: every changing call x every part a company can have in it x records of its own and of another company. What is
 * expected stands in table.ts. Each transaction is rolled back in the end, so that every call finds the same site. A call is only counted
 * as refused for its scope where the same input succeeds for somebody.
 */
for (const scopeChecks of [true, false]) {
  describe(scopeChecks ? 'parts in a project, with both locks' : 'parts in a project, by row-level security alone', () => {
    let world: World
    let made: SiteOfParts

    beforeAll(async () => {
      world = await openCity(inject('postgresUrl'), { scopeChecks }, { keepsChanges: false })
      const settled = await settleCity(world)
      await furnish(world.database.pool, settled.city)
      made = await siteOfParts(world, settled)
    })
    afterAll(() => world.close())

    const ask = async (part: Part, tried: Tried, whose: Part): Promise<{ answer: Answer; wrote: boolean }> => {
      world.lastWrite = undefined
      const input = tried.input(made.site, made.company[whose], made.asker[part]) as never
      const answer = await tryCall(world.database.pool, tried, made.site, () => made.as[part].ask(tried.endpoint, input))
      return { answer, wrote: world.lastWrite !== undefined }
    }
    const told = (tried: Tried, { answer }: { answer: Answer }) =>
      `${nameOf(tried)}: ${answer.http}/${answer.status} ${answer.message} ${answer.status === 2 ? JSON.stringify(answer.data) : ''} ${world.lastWrite ?? ''}`

    // Whoever runs the site may do it all: his success shows that an input is right, so that a refusal of others is for who they are.
    test.each(['leader', 'owner'] as const)('the input of every call is right: it succeeds for the %s', async (part) => {
      const wrong: string[] = []
      for (const tried of calls.filter(({ concern }) => mayChange[concern][part] === 'yes')) {
        for (const whose of hasOwners(tried.concern) ? staying : ['subcontractor' as const]) {
          const asked = await ask(part, tried, whose)
          if (!succeeded(asked.answer, tried)) wrong.push(`${whose}: ${told(tried, asked)}`)
        }
      }
      expect(wrong).toEqual([])
    })

    test.each(parts)('%s changes what the table says, and nothing else', async (part) => {
      const wrong: string[] = []
      for (const tried of calls) {
        for (const whose of hasOwners(tried.concern) ? [part, otherThan(part)] : [otherThan(part)]) {
          const asked = await ask(part, tried, whose)
          const expected = expectedFor(tried.concern, part, whose)
          // Row-level security refuses, or leaves an update without a row to change: then the call may answer, but changes nothing.
          const changed = succeeded(asked.answer, tried) && (asked.wrote || tried.reachesOut === true || scopeChecks)
          if (changed !== expected)
            wrong.push(`${expected ? 'should' : 'must not'} (${whose === part ? 'own' : 'other’s'}) ${told(tried, asked)}`)
        }
      }
      expect(wrong).toEqual([])
    })

    test('every changing call stands in the table, or beside it with a reason', () => {
      const listed = new Set([...calls.map(nameOf), ...Object.keys(asideCalls)])
      const missing = world.api.serve.endpoints
        .filter((e) => e.method !== 'GET' && !e.unaudited && e.needs !== 'public')
        .map((e) => `${e.method} ${e.path}`)
        .filter((name) => !listed.has(name))
      // A line about a call that is gone tries nothing.
      const served = new Set(world.api.serve.endpoints.map((e) => `${e.method} ${e.path}`))
      expect([...listed].filter((name) => !served.has(name))).toEqual([])
      // A new changing call: say in test/parts/calls.ts what it is about and give it a right input.
      expect(missing).toEqual([])
    })
  })
}

const nameOf = ({ endpoint }: Pick<Tried, 'endpoint'>) => `${endpoint.method} ${endpoint.path}`
const hasOwners = (concern: Concern) => concern === 'people' || concern === 'machines' || concern === 'review'
/** Those whose records are in place: what belongs to a company that has left cannot be changed by anybody in every way. */
const staying: readonly Part[] = ['owner', 'leader', 'supervisor', 'subcontractor']
/** Somebody else on the site who has records of his own. */
const otherThan = (part: Part): Part => (part === 'subcontractor' ? 'leader' : 'subcontractor')

function expectedFor(concern: Concern, part: Part, whose: Part): boolean {
  const line = mayChange[concern][part]
  return line === 'yes' || (line === 'own' && whose === part)
}

function succeeded(answer: Answer, tried: Tried): boolean {
  if (tried.reachesOut) return answer.http !== 403 && !answer.message.includes('不存在')
  const failed = (answer.data as { failed?: unknown[] } | null)?.failed
  return answer.status === 0 && !(Array.isArray(failed) && failed.length > 0)
}
