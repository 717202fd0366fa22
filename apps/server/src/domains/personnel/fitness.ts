import { examDays, heightRisks } from '@zhugong/contract/personnel/rules'
import type { WorkerDetail } from '@zhugong/contract/personnel/worker-model'
import { addDays } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'

/** Stored as one encrypted value, so nothing in it can be searched. */
export interface Health {
  healthStatus: string | null
  bloodType: string | null
  contraindications: string[]
  examDate: string | null
  examReport: string[]
  vaccinated: { dose: number; date: string }[]
  declarations: { time: string; temperature: number | null; symptoms: string | null; trip: string | null; by: string }[]
}
export function healthOf(ctx: Pick<Context, 'secrets'>, worker: Pick<Row<'worker'>, 'health'>): Health | undefined {
  const text = ctx.secrets.open(worker.health)
  return text ? (JSON.parse(text) as Health) : undefined
}

/** The fitness line for users without access to health data: state and date, no diagnosis. */
export function fitnessOf(ctx: Pick<Context, 'secrets'>, w: Row<'worker'>, today: string): WorkerDetail['fitness'] {
  const health = healthOf(ctx, w)
  if (!health) return { state: 'unknown', date: null }
  const risky = health.contraindications.some((c) => (heightRisks as readonly string[]).includes(c))
  const fresh = health.examDate !== null && health.examDate >= addDays(today, -examDays)
  return { state: risky ? 'check' : fresh ? 'fit' : 'check', date: health.examDate }
}
