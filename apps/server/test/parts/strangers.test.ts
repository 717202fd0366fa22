import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openCity, settleCity } from '../city.ts'
import type { CallCase } from '../fixtures/helpers.ts'
import { furnish } from '../furnish.ts'
import type { Caller, World } from '../world.ts'
import { calls, nameOf, tryCall } from './calls.ts'
import { type SiteOfParts, siteOfParts } from './site.ts'
import { mayChange } from './table.ts'

/**
 * Every changing call with a valid input, but for records of another site. A member of that site makes the same call successfully, so that each
 * refusal is due to ownership.
 */
const domainOf = ({ path }: Endpoint): string => path.split('/')[4] ?? ''

for (const scopeChecks of [true, false]) {
  describe(
    scopeChecks ? 'changes to strangers’ records, with both locks' : 'changes to strangers’ records, by row-level security alone',
    () => {
      let world: World
      let there: SiteOfParts
      let strangers: [string, Caller, { fileId: string }][]

      beforeAll(async () => {
        world = await openCity(inject('postgresUrl'), { scopeChecks }, { keepsChanges: false })
        const settled = await settleCity(world)
        await furnish(world.database.pool, settled.city)
        const here = await siteOfParts(world, settled, 0)
        const other = settled.city.projects.findIndex((one) => one.projectCode.startsWith('420203'))
        there = await siteOfParts(world, settled, other)
        const own = { fileId: here.asker.leader.fileId }
        strangers = [
          ['the leader of another site', here.as.leader, own],
          ['a subcontractor of another site', here.as.subcontractor, here.asker.subcontractor],
          ['another site itself', await settled.as('hospital-pm'), own],
          ['another district', await settled.as('bj-zhao'), own],
        ]
      })
      afterAll(() => world.close())

      test.each([...new Set(calls.map((one) => domainOf(one.endpoint)))])('%s', async (domain) => {
        const wrong: string[] = []
        for (const tried of calls.filter((one) => domainOf(one.endpoint) === domain)) {
          if (mayChange[tried.concern].leader === 'yes') {
            const answer = await tryCall(world.database.pool, tried, there.site, () =>
              there.as.leader.ask(tried.endpoint, inputOf(tried, there.asker.leader) as never),
            )
            if (!tried.reachesOut && answer.status !== 0)
              wrong.push(`not right: ${nameOf(tried.endpoint)}: ${answer.http}/${answer.status} ${answer.message}`)
          }
          for (const [who, caller, requester] of strangers) {
            world.lastWrite = undefined
            const answer = await tryCall(world.database.pool, tried, there.site, () =>
              caller.ask(tried.endpoint, inputOf(tried, requester) as never),
            )
            const refused = answer.status !== 0 || (answer.data as { failed?: unknown[] } | null)?.failed?.length
            if (!refused && (scopeChecks || world.lastWrite))
              wrong.push(`${who}: ${nameOf(tried.endpoint)}: ${answer.http}/${answer.status} ${world.lastWrite}`)
            if (answer.http === 500) wrong.push(`${who}: ${nameOf(tried.endpoint)}: 500`)
          }
        }
        expect(wrong).toEqual([])
      })
      const inputOf = (tried: CallCase, requester: { fileId: string }) => tried.input(there.site, there.company.subcontractor, requester)
    },
  )
}
