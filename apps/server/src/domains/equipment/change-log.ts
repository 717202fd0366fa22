import type { Change } from '@zhugong/contract/equipment/quality'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Tx } from '#kit/db'

export type Subject = 'factory' | 'brand' | 'model' | 'device' | 'gateway' | 'docking'
export interface Difference {
  label: string
  before: string | null
  after: string | null
}

const shown = (value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) return value.length ? value.map((v) => shown(v) ?? '').join('、') : null
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 200)
}

/** The changed fields with their labels and displayed values. Fields missing in the request count as unchanged. */
export function differences<T extends object>(
  labels: Partial<Record<keyof T & string, string>>,
  before: T,
  after: Partial<T>,
): Difference[] {
  return Object.entries(labels).flatMap(([key, label]) => {
    const next = after[key as keyof T]
    if (next === undefined) return []
    const [old, now] = [shown(before[key as keyof T]), shown(next)]
    return old === now ? [] : [{ label: label as string, before: old, after: now }]
  })
}

/** Records a change for the history on the object's page. The audit log is visible to administrators only. */
export async function noteChange(
  ctx: Pick<Context, 'db' | 'clock' | 'user' | 'newId'>,
  change: { subject: Subject; id: string; projectCode?: string | null; act: string; detail?: readonly Difference[] },
): Promise<void> {
  await sql`insert into equipment_change (id, subject, subject_id, project_code, at, by_name, act, detail)
    values (${ctx.newId()}, ${change.subject}, ${change.id}, ${change.projectCode ?? null}, ${new Date(ctx.clock.now())}, ${ctx.user.name}, ${change.act},
      ${JSON.stringify(change.detail ?? [])}::jsonb)`.execute(ctx.db)
}

export async function findChanges(db: Tx, subject: Subject, id: string): Promise<Change[]> {
  const { rows } = await sql<{ id: string; at: Date; byName: string; act: string; detail: Difference[] }>`
    select id, at, by_name, act, detail from equipment_change where subject = ${subject} and subject_id = ${id} order by at desc, id desc limit 100`.execute(
    db,
  )
  return rows.map((r) => ({ ...r, at: formatInstant(r.at) }))
}
