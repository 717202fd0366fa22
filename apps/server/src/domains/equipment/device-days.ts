import type pg from 'pg'
import type { Log } from '#kit/log'

const everyMs = 20 * 60_000
/** Devices counted in one statement. */
const portion = 500

/**
 * Jobs role: counts the reports of each device up to the last full hour. Concurrent processes count no hour twice: `through` is read under
 * a row lock.
 */
export function startDeviceDays(pool: pg.Pool, log: Log, now: () => number): { stop(): Promise<void> } {
  let running = Promise.resolve()
  const run = () => {
    running = running.then(() => countDays(pool, now())).catch((error: unknown) => log.warn({ err: error }, 'device days'))
  }
  const timer = setInterval(run, everyMs)
  const first = setTimeout(run, 60_000)
  return {
    async stop() {
      clearInterval(timer)
      clearTimeout(first)
      await running
    },
  }
}

export async function countDays(pool: pg.Pool, now: number): Promise<void> {
  const hour = Math.floor(now / 3_600_000) * 3_600_000
  let after = ''
  for (;;) {
    const { rows } = await pool.query<{ id: string }>('select id from device where id > $1 order by id limit $2', [after, portion])
    if (rows.length === 0) return
    await pool.query(countSql, [rows.map((r) => r.id), new Date(hour)])
    after = rows.at(-1)?.id ?? ''
  }
}

/** Finishes yesterday before today starts, so that an hour missed around midnight is not lost. */
const countSql = `
  insert into device_day as x (device_id, day, through, readings, doubtful, spans)
  select d.id, b.day, b.upto, t.readings, t.doubtful, t.spans
  from device d
  cross join lateral (
    select day::date as day, day at time zone 'Asia/Shanghai' as low, least((day + interval '1 day') at time zone 'Asia/Shanghai', $2::timestamptz) as upto
    from generate_series((($2::timestamptz at time zone 'Asia/Shanghai')::date - 1)::timestamp, (($2::timestamptz at time zone 'Asia/Shanghai')::date)::timestamp, interval '1 day') day) b
  left join device_day k on k.device_id = d.id and k.day = b.day
  cross join lateral (
    select count(*)::int as readings, count(r.quality)::int as doubtful, count(distinct floor(extract(epoch from r.ts) / 300))::int as spans
    from telemetry r where r.device_id = d.id and r.ts >= greatest(b.low, k.through) and r.ts < b.upto) t
  where d.id = any ($1) and d.create_time < b.upto and b.upto > greatest(b.low, k.through)
  on conflict (device_id, day) do update set readings = x.readings + excluded.readings, doubtful = x.doubtful + excluded.doubtful,
    spans = least(288, x.spans + excluded.spans), through = excluded.through where x.through < excluded.through`
