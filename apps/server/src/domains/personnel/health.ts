import * as contract from '@zhugong/contract/personnel/careers'
import { sql } from 'kysely'
import { changeRow } from '#kit/change-row'
import { addDays, formatDay, formatInstant } from '#kit/clock'
import type { HandlerOf, Serve } from '#kit/serve'
import { recordLook } from '../access/public.ts'
import { keptFiles, linksOf } from '../files/public.ts'
import { fitnessOf, type Health, healthOf } from './fitness.ts'
import { getHeldWorker } from './store.ts'

const declarationsKept = 200

export function healthRoutes(serve: Serve) {
  serve(contract.getHealth, getHealth)
  serve(contract.saveHealth, saveHealth)
}

const getHealth: HandlerOf<typeof contract.getHealth> = async ({ params }, ctx) => {
  const worker = await getHeldWorker(ctx, params.id)
  await recordLook(ctx, { objectId: worker.id, summary: '查看健康信息', projectCode: null })
  const today = formatDay(ctx.clock.now())
  const { rows } = await sql<{ time: Date; value: number }>`
      select time, temperature as value from attendance_event where worker_id = ${worker.id} and temperature is not null
        and project_code in (select project_code from project_worker where worker_id = ${worker.id})
        and time >= ${addDays(today, -30)}::date order by time desc limit 500`.execute(ctx.db)
  const health = healthOf(ctx, worker)
  return {
    healthStatus: health?.healthStatus ?? null,
    bloodType: health?.bloodType ?? null,
    contraindications: health?.contraindications ?? [],
    examDate: health?.examDate ?? null,
    examReport: linksOf(ctx, health?.examReport),
    vaccinated: health?.vaccinated ?? [],
    declarations: health?.declarations ?? [],
    temperatures: rows.map((r) => ({ time: formatInstant(r.time), value: r.value })),
    fitness: fitnessOf(ctx, worker, today),
    version: worker.version,
  }
}

const saveHealth: HandlerOf<typeof contract.saveHealth> = async ({ params, body }, ctx) => {
  const worker = await getHeldWorker(ctx, params.id)
  const before = healthOf(ctx, worker)
  const { version, declare, ...rest } = body
  const health: Health = {
    ...rest,
    examReport: await keptFiles(ctx, body.examReport, before?.examReport),
    declarations: [
      ...(declare ? [{ ...declare, time: formatInstant(ctx.clock.now()), by: ctx.user.name }] : []),
      ...(before?.declarations ?? []),
    ].slice(0, declarationsKept),
  }
  const next = await changeRow(ctx, 'worker', {
    key: { id: worker.id },
    version,
    noun: '档案',
    by: ctx.user.id,
    values: { health: ctx.secrets.seal(JSON.stringify(health)) },
  })
  ctx.note('修改健康信息', worker.id)
  return { version: next }
}
