import type { Db, NewRow } from '#kit/db'

/** Adds the parties named in a registration as units of the project. */
export async function enterUnits(db: Db, units: NewRow<'projectCorp'>[]): Promise<void> {
  await db.insertInto('projectCorp').values(units).execute()
}

/** Deletes the units of a deleted project. */
export async function forgetUnits(db: Db, projectCode: string): Promise<void> {
  await db.deleteFrom('projectCorp').where('projectCode', '=', projectCode).execute()
}
