import type pg from 'pg'
import type { Fleet, FleetDevice } from '../equipment/public.ts'

/** A device by id. Queries the database if it is too new to be in memory. */
export async function seekDevice(fleet: Fleet, pool: pg.Pool, id: string): Promise<FleetDevice | undefined> {
  const known = fleet.device(id)
  if (known) return known
  const { rows } = await pool.query<{ device_sn: string }>('select device_sn from device where id = $1', [id])
  return rows[0] && (await fleet.seekBySn(rows[0].device_sn))
}
