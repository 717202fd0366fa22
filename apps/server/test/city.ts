import { login } from '@zhugong/contract/identity/endpoints'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { buildCity } from '@zhugong/simulator/city'
import type { City } from '@zhugong/simulator/city-types'
import pg from 'pg'
import { makePartitions } from '#domains/telemetry/rollup'
import { type Db, openDatabase } from '#kit/db'
import { createSecrets } from '#kit/secret'
import type { ApiOptions } from '../src/api.ts'
import { deliver } from '../src/delivery.ts'
import { type DemoCredentials, seedAccounts } from '../src/demo/seed-accounts.ts'
import { type MachineSecrets, seedMachines } from '../src/demo/seed-machines.ts'
import { seedTrade } from '../src/demo/seed-trade.ts'
import { type Caller, databaseUrl, openWorld, testSecretKey, type World, type WorldOptions } from './world.ts'

export interface CityWorld {
  city: City
  machines: MachineSecrets
  accounts: DemoCredentials[]
  /** Logs in as one of the city's people (or `admin`). */
  as(account: string): Promise<Caller>
}

const usualDay = '2026-11-20'

const built = new Map<string, City>()
/** Built once per test worker and shared by all its files, therefore frozen. */
function cityOf(today: string): City {
  const city = built.get(today) ?? frozen(buildCity({ seed: 7, today }))
  built.set(today, city)
  return city
}
function frozen<T>(value: T): T {
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  if (!ArrayBuffer.isView(value)) Object.freeze(value)
  for (const part of Object.values(value)) frozen(part)
  return value
}

interface Settled {
  machines: MachineSecrets
  accounts: DemoCredentials[]
}

async function settle(db: Db, city: City): Promise<Settled> {
  const secrets = createSecrets(testSecretKey)
  await deliver(db)
  const machines = await db.transaction().execute(async (tx) => {
    await seedTrade(tx, city, secrets)
    return seedMachines(tx, city, secrets)
  })
  const accounts = await seedAccounts(db, city)
  // The city is not new: app grants start before any day that a test chooses.
  await db.updateTable('appGrant').set({ startDay: '2020-01-01' }).execute()
  return { machines, accounts }
}

const template = 'zg_template_city'
const templateLock = 47_110_815

/** Accounts and secrets of the template are stored in the comment of the database; a comment is not cloned. */
const toText = ({ machines, accounts }: Settled) =>
  JSON.stringify({ gateways: [...machines.gateways], openApps: [...machines.openApps], accounts })
function fromText(text: string): Settled {
  const { gateways, openApps, accounts } = JSON.parse(text)
  return { machines: { gateways: new Map(gateways), openApps: new Map(openApps) }, accounts }
}

async function makeTemplate(admin: pg.Client, serverUrl: string): Promise<void> {
  await admin.query(`create database ${template} template zg_template`)
  const database = openDatabase(databaseUrl(serverUrl, template), { max: 1, owner: true })
  const settled = await settle(database.kysely, cityOf(usualDay))
  await database.close()
  await admin.query(`comment on database ${template} is ${pg.escapeLiteral(toText(settled))}`)
}

/** Returns the data of the template database with the seeded city. The first caller of a run creates it, under an advisory lock. */
async function cityTemplate(serverUrl: string): Promise<Settled> {
  const admin = new pg.Client({ connectionString: serverUrl })
  await admin.connect()
  try {
    await admin.query('select pg_advisory_lock($1)', [templateLock])
    const read = () =>
      admin.query<{ told: string | null }>(`select shobj_description(oid, 'pg_database') as told from pg_database where datname = $1`, [
        template,
      ])
    if (!(await read()).rows[0]?.told) {
      await admin.query(`drop database if exists ${template} with (force)`)
      await makeTemplate(admin, serverUrl)
    }
    return fromText((await read()).rows[0]?.told ?? '')
  } finally {
    await admin.end()
  }
}

const current = new WeakMap<World, Settled>()

/** Opens a world whose database is a copy of the seeded city; `settleCity` then only returns its accounts. Its day is `2026-11-20`. */
export async function openCity(serverUrl: string, options: Partial<ApiOptions> = {}, how: WorldOptions = {}): Promise<World> {
  const settled = await cityTemplate(serverUrl)
  const world = await openWorld(serverUrl, options, { ...how, from: template })
  current.set(world, settled)
  return world
}

/**
 * Seeds the invented city into the test's database: six projects in two districts, with the people, companies and machines of the
 * demonstration.
 */
export async function settleCity(world: World, today = usualDay): Promise<CityWorld> {
  const city = cityOf(today)
  const { machines, accounts } = current.get(world) ?? (await settle(world.database.kysely, city))
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

/** Opens the city with sessions for its largest site: the project manager, the authority above it, and a user of another site. */
export async function openHospital(serverUrl: string, now: number) {
  const world = await openCity(serverUrl, { clock: { now: () => now } })
  const settled = await settleCity(world)
  await makePartitions(world.database.pool)
  return {
    world,
    settled,
    pm: await settled.as('hospital-pm'),
    regulator: await settled.as('bj-zhao'),
    stranger: await settled.as('zhigu-pm'),
    main: settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '',
  }
}
