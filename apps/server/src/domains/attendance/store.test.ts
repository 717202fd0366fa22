import { expect, inject, test } from 'vitest'
import { seedAttendance } from '../../demo/seed-attendance.ts'
import { settleCity } from '../../../test/city.ts'
import { openWorld } from '../../../test/world.ts'

test('seed', async () => {
  const world = await openWorld(inject('postgresUrl'))
  const { city } = await settleCity(world)
  const begun = performance.now()
  const done = await seedAttendance(world.database, city, Date.parse('2026-11-20T15:30:00+08:00'))
  console.log(done, performance.now() - begun)
  const r = await world.database.pool.query("select project_code, count(*), sum(attend_day), avg(work_hours), count(*) filter (where results='{1}') as ok, count(at_close) from attendance_day group by 1")
  console.log(r.rows)
  const q = await world.database.pool.query("select unnest(results) as r, count(*) from attendance_day group by 1 order by 1")
  console.log(q.rows)
  await world.close()
})
