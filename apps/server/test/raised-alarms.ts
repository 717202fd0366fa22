import { newId } from '#kit/ids'
import type { World } from './world.ts'

/** Inserts alarms of every state and kind, so that a figure and a list that treat one of them differently differ in number. */
export async function raiseAlarms(world: World, projectCode: string, now: number): Promise<void> {
  const { rows } = await world.database.pool.query<{ id: string; name: string; family: string }>(
    `select id, name, family from device where project_code = $1 order by id limit 1`,
    [projectCode],
  )
  const device = rows[0]
  if (!device) return
  const states = ['open', 'open', 'acknowledged', 'handled', 'closed', 'false', 'ignored']
  const kinds = states.flatMap((state, i) =>
    [1, 2, 3, 4].flatMap((level) =>
      (['now', 'over', 'drill', 'late'] as const).map((kind) => ({ state, level, kind, key: `${state}${i}${level}${kind}` })),
    ),
  )
  for (const { state, level, kind, key } of kinds)
    await world.database.pool.query(
      `insert into alarm (id, project_code, device_id, device_name, point, family, alarm_key, label, level, max_level, start_time, fire_time,
         threshold_text, sources, values_used, active, state, simulated, historical, clear_time)
       values ($1, $2, $3, $4, '', $5, $6, $6, $7, $7, $8, $8, '', '{}', '{}', $9, $10, $11, $12, $13)`,
      [
        newId(),
        projectCode,
        device.id,
        device.name,
        device.family,
        key,
        level,
        new Date(now - 3_600_000),
        kind === 'now',
        state,
        kind === 'drill',
        kind === 'late',
        kind === 'now' ? null : new Date(now - 1_800_000),
      ],
    )
}
