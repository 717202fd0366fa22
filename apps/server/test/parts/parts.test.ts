import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../city.ts'
import type { CallCase } from '../fixtures/helpers.ts'
import { furnish } from '../furnish.ts'
import type { Answer, World } from '../world.ts'
import { calls, exemptCalls, nameOf, tryCall } from './calls.ts'
import { type SiteOfParts, siteOfParts } from './site.ts'
import { type Concern, mayChange, type Part, parts } from './table.ts'

/**
 * Within one project: every changing call x every part of a company x records of its own and of another company. The expectations are in table.ts.
 * Each transaction is rolled back, so that every call finds the same data. A refusal only counts if the same input succeeds for another part.
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

    const ask = async (part: Part, tried: CallCase, whose: Part): Promise<{ answer: Answer; wrote: boolean }> => {
      world.lastWrite = undefined
      const input = tried.input(made.site, made.company[whose], made.asker[part]) as never
      const answer = await tryCall(world.database.pool, tried, made.site, () => made.as[part].ask(tried.endpoint, input))
      return { answer, wrote: world.lastWrite !== undefined }
    }
    const reported = (tried: CallCase, { answer }: { answer: Answer }) =>
      `${nameOf(tried.endpoint)}: ${answer.http}/${answer.status} ${answer.message} ${answer.status === 2 ? JSON.stringify(answer.data) : ''} ${world.lastWrite ?? ''}`

    // The parts running the site may do everything: their success proves the input valid, so that other refusals are due to the caller.
    test.each(['leader', 'owner'] as const)('the input of every call is right: it succeeds for the %s', async (part) => {
      const wrong: string[] = []
      for (const tried of calls.filter(({ concern }) => mayChange[concern][part] === 'yes')) {
        for (const whose of hasOwners(tried.concern) ? staying : ['subcontractor' as const]) {
          const answer = await ask(part, tried, whose)
          if (!succeeded(answer.answer, tried)) wrong.push(`${whose}: ${reported(tried, answer)}`)
        }
      }
      expect(wrong).toEqual([])
    })

    test.each(parts)('%s changes what the table says, and nothing else', async (part) => {
      const wrong: string[] = []
      for (const tried of calls) {
        for (const whose of hasOwners(tried.concern) ? [part, otherThan(part)] : [otherThan(part)]) {
          const answer = await ask(part, tried, whose)
          const expected = expectedFor(tried.concern, part, whose)
          // Row-level security refuses, or the update matches no row: then the call may succeed without changing anything.
          const changed = succeeded(answer.answer, tried) && (answer.wrote || tried.reachesOut === true || scopeChecks)
          if (changed !== expected)
            wrong.push(`${expected ? 'should' : 'must not'} (${whose === part ? 'own' : 'other’s'}) ${reported(tried, answer)}`)
        }
      }
      expect(wrong).toEqual([])
    })

    test('every changing call has an input in the fixtures of its domain, or a reason why not', () => {
      const served = world.api.serve.endpoints
      const known = new Set([...calls.map(({ endpoint }) => nameOf(endpoint)), ...exemptCalls])
      const gone = [...known].filter((name) => !served.some((endpoint) => nameOf(endpoint) === name))
      expect(gone, 'no such call: remove it from the fixtures').toEqual([])
      const missing = served
        .filter((e) => e.method !== 'GET' && !e.unaudited && e.needs !== 'public')
        .map(nameOf)
        .filter((name) => !known.has(name))
      expect(missing, 'give it a valid input in `calls` of a *.fixtures.ts of its domain, or the reason in `exempt`').toEqual([])
    })
  })
}

const hasOwners = (concern: Concern) => concern === 'people' || concern === 'machines' || concern === 'review'
/** Parts whose records are active: those of a company that has left cannot be changed in every way, by anybody. */
const staying: readonly Part[] = ['owner', 'leader', 'supervisor', 'subcontractor']
/** Another part of the site with records of its own. */
const otherThan = (part: Part): Part => (part === 'subcontractor' ? 'leader' : 'subcontractor')

function expectedFor(concern: Concern, part: Part, whose: Part): boolean {
  const line = mayChange[concern][part]
  return line === 'yes' || (line === 'own' && whose === part)
}

function succeeded(answer: Answer, tried: CallCase): boolean {
  if (tried.reachesOut) return answer.http !== 403 && !answer.message.includes('不存在')
  const failed = (answer.data as { failed?: unknown[] } | null)?.failed
  return answer.status === 0 && !(Array.isArray(failed) && failed.length > 0)
}
