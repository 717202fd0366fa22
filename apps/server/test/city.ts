import { login } from '@zhugong/contract/identity/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { buildCity } from '@zhugong/simulator/city'
import type { City } from '@zhugong/simulator/city-types'
import { deliverRoles } from '#domains/access/roles'
import { createSecrets } from '#kit/secret'
import { type DemoCredentials, seedAccounts } from '../src/demo/seed-accounts.ts'
import { type MachineSecrets, seedMachines } from '../src/demo/seed-machines.ts'
import { seedTrade } from '../src/demo/seed-trade.ts'
import type { Caller, World } from './world.ts'

export interface CityWorld {
  city: City
  machines: MachineSecrets
  accounts: DemoCredentials[]
  /** Logs in as one of the city's people (or `admin`). */
  as(account: string): Promise<Caller>
}

/** The invented city in a test's own database: six projects in two districts, with the people, companies and machines of the demonstration. */
export async function settleCity(world: World, today = '2026-11-20'): Promise<CityWorld> {
  const city = buildCity({ seed: 7, today })
  const secrets = createSecrets(world.config.secretKey)
  const db = world.database.kysely
  await deliverRoles(db)
  const machines = await db.transaction().execute(async (tx) => {
    await seedTrade(tx, city, secrets)
    return seedMachines(tx, city, secrets)
  })
  const accounts = await seedAccounts(db, city)
  const sessions = new Map<string, Promise<Caller>>()
  return {
    city,
    machines,
    accounts,
    as(account) {
      const known = sessions.get(account)
      if (known) return known
      const credentials = accounts.find((a) => a.account === account)
      if (!credentials) throw new Error(`nobody is called ${account}`)
      const session = world.anonymous
        .call(login as Endpoint as typeof login, { body: { account, password: credentials.password } })
        .then((answer) => world.caller(answer.token))
      sessions.set(account, session)
      return session
    },
  }
}
