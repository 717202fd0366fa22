import { sql } from 'kysely'
import type { Clock } from '#kit/clock'
import type { Database } from '#kit/db'
import type { Log } from '#kit/log'
import { type EnteredReadings, enterReadings } from '../../../telemetry/public.ts'

export const surveyQueue = 'pit-survey'
/** The ingest may be restarting: retried for some minutes, then every hour. */
export const surveyRetries = { retryLimit: 20, retryDelay: 10 }

export interface SurveyDependencies {
  database: Database
  clock: Clock
  log: Log
  ingestSocket: string
}

/**
 * Sends the readings of an import to the ingest. Readings are identified by point and time, so after a crash the whole import can be sent again.
 * Throws while the ingest is unavailable; the job is then retried.
 */
export async function writeSurvey(deps: SurveyDependencies, id: string): Promise<void> {
  const db = deps.database.kysely
  const { rows } = await sql<{ items: EnteredReadings[] }>`select items from pit_survey where id = ${id} and state = 'waiting'`.execute(db)
  const [survey] = rows
  if (!survey) return
  const { stored, doubled, refused } = await enterReadings(deps, survey.items)
  if (refused === null)
    await sql`update pit_survey set state = 'done', items = null, stored = ${stored}, doubled = doubled + ${doubled}
      where id = ${id} and state = 'waiting'`.execute(db)
  else {
    deps.log.warn({ survey: id, refused }, 'survey of a pit was refused')
    await sql`update pit_survey set state = 'failed', message = ${refused} where id = ${id} and state = 'waiting'`.execute(db)
  }
}

/** Imports whose job was lost or ran out of retries. */
export async function openSurveys({ database }: Pick<SurveyDependencies, 'database'>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from pit_survey where state = 'waiting'`.execute(database.kysely)
  return rows.map((row) => row.id)
}
