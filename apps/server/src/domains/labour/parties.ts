import type { Db, NewRow } from '#kit/db'

/** The parties named in a registration are units of the project from then on. */
export async function enterUnits(db: Db, units: NewRow<'projectCorp'>[]): Promise<void> {
  await db.insertInto('projectCorp').values(units).execute()
}

/** A project that is removed takes its units along. */
export async function forgetUnits(db: Db, projectCode: string): Promise<void> {
  await db.deleteFrom('projectCorp').where('projectCode', '=', projectCode).execute()
}
