import { ageOn } from '@zhugong/contract/kit/checks'
import { leastHours, trainColumns } from '@zhugong/contract/personnel/train-model'
import * as contract from '@zhugong/contract/personnel/training'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatDay } from '#kit/clock'
import type { Serve } from '#kit/serve'
import type { ListContext } from '../exports/registry.ts'
import { linkOf } from '../files/public.ts'
import { getSeenWorker } from './store.ts'
import { trainedStay, trainFigures } from './train-rows.ts'

export function trainCardRoutes(serve: Serve) {
  serve(contract.trainFigures, trainFigures)
  serve(contract.trainCard, ({ params }, ctx) => cardOf(ctx, params.id))
}

export type Card = NonNullable<(typeof contract.trainCard)['types']>['out']
const levels = [trainColumns.company, trainColumns.project, trainColumns.team] as const

interface Taught {
  id: string
  sessionId: string | null
  projectWorkerId: string
  name: string | null
  trainingType: string
  trainDate: string
  hours: number
  score: number | null
  passed: boolean | null
  trainer: string | null
  projectName: string | null
  content: string | null
  changed: number
}

/** A person's training: the three levels of the current (or last) stay, and all other visible records. */
export async function cardOf(ctx: ListContext, workerId: string, stayId?: string): Promise<Card> {
  const { worker, until } = await getSeenWorker(ctx, workerId)
  const today = formatDay(ctx.clock.now())
  const { rows: stays } = await sql<{ id: string }>`
    select id from project_worker where worker_id = ${worker.id} and (${stayId ?? null}::text is null or id = ${stayId ?? null})
    order by exit_time is null desc, entry_time desc limit 1`.execute(ctx.db)
  const stay = stays[0] && (await trainedStay(ctx, stays[0].id))
  const { rows } = await sql<Taught>`
    select x.id, x.training_id as session_id, x.project_worker_id, x.name, x.training_type, x.train_date, x.hours, x.score, x.passed, x.trainer,
      p.name as project_name, t.content, jsonb_array_length(x.changes) as changed
    from worker_training x left join project p on p.project_code = x.project_code left join training t on t.id = x.training_id
    where x.worker_id = ${worker.id} and (${until}::timestamptz is null or x.create_time <= ${until}::timestamptz)
    order by x.train_date desc, x.create_time desc, x.id`.execute(ctx.db)
  const done = rows.filter((r) => r.passed !== null)
  const newest = (type: string) => {
    const own = done.filter((r) => r.projectWorkerId === stay?.id && r.trainingType === type)
    return own.find((r) => r.passed) ?? own[0]
  }
  const years = [
    ...Map.groupBy(
      done.filter((r) => r.passed),
      (r) => r.trainDate.slice(0, 4),
    ),
  ]
  return {
    workerId: worker.id,
    name: worker.name,
    gender: dictName('gender', worker.gender),
    age: ageOn(worker.birthday, today),
    idCardNumber: worker.idCardMask,
    photo: linkOf(ctx, worker.headImage),
    stay: stay ?? null,
    levels: levels.map(({ type, title }) => {
      const t = newest(type)
      return {
        type,
        title: `${title}安全教育`,
        least: leastHours[type] ?? 0,
        date: t?.trainDate ?? null,
        hours: t?.hours ?? 0,
        trainer: t?.trainer ?? null,
        content: t?.content ?? null,
        score: t?.score ?? null,
        passed: t?.passed === true,
      }
    }),
    list: rows.map(({ content: _content, ...t }) => ({
      ...t,
      typeName: dictName('trainingType', t.trainingType),
      short: t.hours < (leastHours[t.trainingType] ?? 0),
      ofThisStay: t.projectWorkerId === stay?.id,
    })),
    years: years
      .map(([year, own]) => ({ year, hours: own.reduce((sum, t) => sum + t.hours, 0), times: own.length }))
      .sort((a, b) => (a.year < b.year ? -1 : 1)),
  }
}
