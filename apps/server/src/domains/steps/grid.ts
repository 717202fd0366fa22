import type { StepFloor, stepGrid } from '@zhugong/contract/steps/calls'
import { stepChain } from '@zhugong/contract/steps/chain'
import { sql } from 'kysely'
import { type Context, oneProject } from '#kit/context'
import type { Row } from '#kit/db'
import { pageSlice } from '#kit/list'

type Query = NonNullable<(typeof stepGrid)['types']>['parsed']['query']
type Cell = StepFloor['cells'][number]
type Seen = Pick<Row<'siteStep'>, 'id' | 'work' | 'kind' | 'state' | 'early'> & { floor: string }

/** The worse a state, the later it stands: a floor shows the worst of its rooms. */
const severity: readonly Cell['state'][] = ['none', 'passed', 'waiting', 'early', 'blocked']
const stateOf = ({ state, early }: Seen): Cell['state'] =>
  state === '3' ? 'blocked' : early ? 'early' : state === '1' ? 'waiting' : 'passed'

/** The floors of a unit from the top, by link of the chain; without `unit` those of the first one that has any. */
export async function readGrid(ctx: Context, query: Query) {
  const projectCode = oneProject(ctx, query.projectCode)
  const { rows: units } = await sql<{
    id: string
    name: string
  }>`select u.id, u.name from unit_project u where u.project_code = ${projectCode}
      and exists (select from site_place q where q.unit_id = u.id and q.archived_at is null)
      and (${query.unit?.[0] ?? null}::text is null or u.id = ${query.unit?.[0] ?? null})
    order by (exists (select from site_step s join site_place q on q.id = s.place_id join site_place b on b.id = any (q.path) and b.unit_id = u.id)) desc, u.seq, u.id
    limit 1`.execute(ctx.db)
  const unit = units[0]
  if (!unit) return { list: [], total: 0, unit: null }
  const { rows: floors } = await sql<{ id: string; name: string }>`select f.id, f.name from site_place f
    join site_place b on b.id = any (f.path) and b.unit_id = ${unit.id} where f.kind = 'floor' and f.archived_at is null
    order by f.seq desc, f.id`.execute(ctx.db)
  const { limit, offset } = pageSlice(query)
  const page = floors.slice(offset, offset + limit)
  const { rows: seen } = await sql<Seen>`select s.id, s.work, s.kind, s.state, s.early, f.id as floor
    from site_place f join site_place q on f.id = any (q.path) join site_step s on s.place_id = q.id
    where f.id = any (${page.map((one) => one.id)}) and s.state <> '0'`.execute(ctx.db)
  return {
    list: page.map(({ id, name }) => {
      const here = seen.filter((one) => one.floor === id)
      const cells = stepChain.map((link): Cell => {
        const worst = here
          .filter((one) => one.work === link.work && one.kind === link.kind)
          .map((one) => ({ id: one.id, state: stateOf(one) }))
          .toSorted((a, b) => severity.indexOf(b.state) - severity.indexOf(a.state))[0]
        return { ...link, state: worst?.state ?? 'none', id: worst?.id ?? null }
      })
      return { placeId: id, name, blocked: cells.some((one) => one.state === 'blocked'), cells }
    }),
    total: floors.length,
    unit,
  }
}
