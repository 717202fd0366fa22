import type { City } from '@zhugong/simulator/city-types'
import { type Insertable, sql } from 'kysely'
import type { Tables, Tx } from '#kit/db'
import type { Secrets } from '#kit/secret'
import * as people from './people-rows.ts'
import * as trade from './trade-rows.ts'

/** Rows per insert: far below PostgreSQL's limit of 65,535 parameters for the widest table. */
const chunk = 400

export async function insertAll<T extends keyof Tables>(tx: Tx, table: T, rows: readonly Insertable<Tables[T]>[]): Promise<void> {
  for (let i = 0; i < rows.length; i += chunk) {
    await tx
      .insertInto(table)
      .values(rows.slice(i, i + chunk) as never)
      .execute()
  }
}

/** Inserts one table after another from parts that each hold rows of several tables. */
export const inserterOf =
  <Table extends keyof Tables>(tx: Tx, parts: readonly { readonly [T in Table]?: readonly object[] }[]) =>
  (table: Table): Promise<void> =>
    insertAll(tx, table, parts.flatMap((one): readonly object[] => one[table] ?? []) as never)

/** Authorities, companies, projects, units, teams and people of the invented city, encrypted and masked like real ones. */
export async function seedTrade(tx: Tx, city: City, secrets: Secrets): Promise<void> {
  const given = { city, secrets }
  const put = (table: string, rows: readonly object[]) => insertAll(tx, table as never, rows as never)
  await put('government', trade.governmentRows(given))
  await put('corporation', trade.corporationRows(given))
  await put('project', trade.projectRows(given))
  await put('projectStateLog', trade.projectStateLogRows(given))
  await put('projectCorp', trade.projectCorpRows(given))
  await put('team', trade.teamRows(given))
  await sql`select setval('team_sys_no_seq', (select max(team_sys_no) + 1 from team))`.execute(tx)
  await put('projectTeam', trade.projectTeamRows(given))
  await put('worker', people.workerRows(given))
  await put('stayPause', people.stayPauseRows(given))
  await put('projectWorker', people.projectWorkerRows(given))
  await put('entryExitHistory', people.entryExitHistoryRows(given))
  await put('workerCert', people.workerCertRows(given))
  await put('workerContract', people.workerContractRows(given))
  await put('attendanceSetting', trade.attendanceSettingRows(given))
}
