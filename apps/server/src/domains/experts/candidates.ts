import type { drawCandidates, Half } from '@zhugong/contract/experts/draws'
import { expertStates, planReview } from '@zhugong/contract/experts/moves'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { type Context, projectsFor } from '#kit/context'
import { pick } from '#kit/pick'
import type { HandlerOf } from '#kit/serve'
import { requireLibrary } from './library.ts'

interface Wanted {
  projectCode: string | null
  purpose: string
  meetingDate: string
  half: Half
  specialties: readonly string[]
  exclusions: readonly { expert: string; reason: string }[]
}
interface Known {
  id: string
  name: string
  workUnit: string
  specialties: string[]
  phoneMask: string
}
interface Recused extends Pick<Known, 'id' | 'name' | 'workUnit'> {
  reason: string
  manual: boolean
}
interface Candidates {
  /** In the order of their ids. */
  free: Known[]
  recused: Recused[]
  busy: Known[]
  cooling: Known[]
}

const squeezed = (name: string) => name.replace(/[\s()（）]/g, '')
/** Shortest name that may be the front of a branch's name. */
const shortestStem = 6
const legalForm = /(有限责任公司|股份有限公司|有限公司)$/
/** The same unit, or a parent and its branch: the name of one begins with that of the other, without its legal form. */
export function isSameUnit(one: string, other: string): boolean {
  const [short, long] = [squeezed(one), squeezed(other)].sort((a, b) => a.length - b.length) as [string, string]
  const stem = short.replace(legalForm, '')
  return short === long || (stem.length >= shortestStem && long.startsWith(stem))
}

/** Who can be drawn, who cannot, and why. Names leave the server only for those that are recused. */
export async function findCandidates(ctx: Context, library: { groupId: string; coolDays: number }, wanted: Wanted): Promise<Candidates> {
  const { rows: fit } = await sql<Known & { ofSite: boolean }>`select e.id, e.name, e.work_unit, e.specialties, e.phone_mask,
      exists (select 1 from project_worker w where w.project_code = ${wanted.projectCode} and w.id_card_hash = e.id_card_hash) as of_site
    from expert e where e.library_group = ${library.groupId} and e.state = ${expertStates.listed} and e.valid_end >= ${wanted.meetingDate}::date
      and e.specialties && ${[...wanted.specialties]}::text[] order by e.id`.execute(ctx.db)
  const units = await unitsOf(ctx, wanted.projectCode)
  const manual = new Map(wanted.exclusions.map((one) => [one.expert, one.reason]))
  const why = ({ id, workUnit, ofSite }: (typeof fit)[number]): Pick<Recused, 'reason' | 'manual'> | undefined => {
    const unit = units.find((name) => isSameUnit(name, workUnit))
    if (unit) return { reason: `与参建单位有关：${unit}`, manual: false }
    if (wanted.purpose === planReview && ofSite) return { reason: '是本项目人员', manual: false }
    const given = manual.get(id)
    return given === undefined ? undefined : { reason: given, manual: true }
  }
  const recused = fit.flatMap((one): Recused[] => {
    const known = why(one)
    return known ? [{ id: one.id, name: one.name, workUnit: one.workUnit, ...known }] : []
  })
  const out = new Set(recused.map((one) => one.id))
  const frozen = await frozenOf(
    ctx,
    fit.map((one) => one.id),
  )
  const rest = fit.filter((one) => !out.has(one.id) && !frozen.has(one.id))
  const taken = await takenOf(
    ctx,
    rest.map((one) => one.id),
    wanted,
    library.coolDays,
  )
  return {
    free: rest.filter((one) => !taken.has(one.id)).map(({ ofSite: _ofSite, ...one }) => one),
    recused,
    busy: rest.filter((one) => taken.get(one.id) === 'busy'),
    cooling: rest.filter((one) => taken.get(one.id) === 'cooling'),
  }
}

/** Names of the companies that take or took part in the project. */
async function unitsOf(ctx: Context, projectCode: string | null): Promise<string[]> {
  if (projectCode === null) return []
  const { rows } = await sql<{ corpName: string }>`select distinct c.corp_name from project_corp u join corporation c using (corp_code)
    where u.project_code = ${projectCode} order by c.corp_name`.execute(ctx.system)
  return rows.map((one) => one.corpName)
}

/** Who has an open case of misconduct: neither drawn nor named, so that nobody outside the library learns of it. */
async function frozenOf(ctx: Pick<Context, 'db'>, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from zg_expert_frozen(${[...ids]}::text[]) as id`.execute(ctx.db)
  return new Set(rows.map((one) => one.id))
}

/** Who is taken in this half day, whoever organises that, or rests. */
export async function takenOf(
  ctx: Pick<Context, 'db'>,
  ids: readonly string[],
  { meetingDate, half }: Pick<Wanted, 'meetingDate' | 'half'>,
  coolDays: number,
): Promise<Map<string, 'busy' | 'cooling'>> {
  const { rows } = await sql<{ expertId: string; why: 'busy' | 'cooling' }>`select expert_id, why
    from zg_expert_taken(${[...ids]}::text[], ${meetingDate}::date, ${half}, ${coolDays}) order by why desc`.execute(ctx.db)
  return new Map(rows.map((one) => [one.expertId, one.why]))
}

/** The project that a call is about; null for none. */
export function aboutOf(ctx: Context, projectCode: string): string | null {
  if (projectCode === '*') return null
  projectsFor(ctx, projectCode)
  return projectCode
}

export const countCandidates: HandlerOf<typeof drawCandidates> = async ({ query }, ctx) => {
  const projectCode = aboutOf(ctx, query.projectCode)
  const library = await requireLibrary(ctx, projectCode)
  const found = await findCandidates(ctx, library, {
    projectCode,
    purpose: planReview,
    ...pick(query, 'meetingDate', 'half', 'specialties'),
    exclusions: (query.excluded ?? []).map((expert) => ({ expert, reason: '手工回避' })),
  })
  const known = await specialtiesOf(
    ctx,
    found.recused.map((one) => one.id),
  )
  const n = (list: readonly Known[], specialty: string) => list.filter((one) => one.specialties.includes(specialty)).length
  const list = query.specialties.map((specialty) => ({
    specialty,
    name: dictName('expertSpecialty', specialty) ?? specialty,
    candidates: n(found.free, specialty),
    recused: found.recused.filter((one) => known.get(one.id)?.includes(specialty)).length,
    busy: n(found.busy, specialty),
    cooling: n(found.cooling, specialty),
  }))
  const recusals = found.recused.map(({ name, workUnit, reason, manual }) => ({ name, workUnit, reason, manual }))
  return { list, total: list.length, recusals }
}

async function specialtiesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{
    id: string
    specialties: string[]
  }>`select id, specialties from expert where id = any (${[...ids]})`.execute(ctx.db)
  return new Map(rows.map((one) => [one.id, one.specialties]))
}
