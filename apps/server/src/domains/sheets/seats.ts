import { type PartySeat, partySeats, sheetSeatRights as rights } from '@zhugong/contract/sheets/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Db, Row } from '#kit/db'
import type { Seat } from '../process/public.ts'

type Sheet = Row<'manualsheet'>
type Reader = { db: Context['db'] | Db }

export const problemsOf = async (ctx: Reader, id: string) => {
  type Problem = Pick<Row<'manualsheetProblem'>, 'description' | 'clause' | 'unitCode' | 'photos'>
  const { rows } = await sql<Problem>`select description, clause, unit_code, photos from manualsheet_problem
    where sheet_id = ${id} order by seq`.execute(ctx.db)
  return rows
}

export const personsOf = async (ctx: Reader, id: string) => {
  type Person = Pick<Row<'manualsheetPerson'>, 'name' | 'unit' | 'post'>
  const { rows } = await sql<Person>`select name, unit, post from manualsheet_person where sheet_id = ${id} order by seq`.execute(ctx.db)
  return rows
}

/** What the officers wrote, as printed: its number is drawn after they have signed, and is not part of it. */
export async function sheetContent(ctx: Reader, row: Sheet) {
  const { projectCode, docType, checkDate, officers, progress, checkPart, content, opinion, photos, meetTime, meetPlace } = row
  const written = { projectCode, docType, checkDate, officers, progress, checkPart, content, opinion, photos, meetTime, meetPlace }
  return { ...written, problems: await problemsOf(ctx, row.id), persons: await personsOf(ctx, row.id) }
}

/** The seats of a sheet: its officers sign the draft, the three parties and the listed persons what was submitted. */
export async function sheetSeats(ctx: Reader, row: Sheet): Promise<readonly Seat[]> {
  const content = await sheetContent(ctx, row)
  const officers = row.officers.map(
    (name, i): Seat => ({
      seat: `officer${i + 1}`,
      role: i === 0 ? '监督员' : `第 ${i + 1} 名监督员`,
      own: rights.officer,
      tablet: rights.officer,
      from: ['0'],
      expects: name,
      content,
    }),
  )
  if (row.onPaper) return officers
  const parties = (Object.keys(partySeats) as PartySeat[]).map(
    (seat): Seat => ({
      seat,
      role: partySeats[seat],
      own: rights[seat],
      tablet: rights.officer,
      refuses: rights.officer,
      from: ['1'],
      content,
    }),
  )
  const persons = content.persons.map(
    ({ name }, i): Seat => ({
      seat: `person${i + 1}`,
      role: name,
      tablet: rights.officer,
      from: ['0', '1', '2'],
      expects: name,
      content,
    }),
  )
  return [...officers, ...parties, ...persons]
}
