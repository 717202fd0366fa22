import { resumeItems, stopTypes } from '@zhugong/contract/stops/moves'
import { stopSeatRights as rights } from '@zhugong/contract/stops/seats'
import { sql } from 'kysely'
import type { Context } from '#kit/context'
import type { Row } from '#kit/db'
import type { Seat } from '../process/public.ts'

type Application = Row<'stopapply'>

/** What is applied for. */
const applied = (row: Application) => {
  const { code, projectCode, corpCode, type, reasonType, reason, stopDate, planResumeDate, ongoingParts, guardPersons, attachments } = row
  return { code, projectCode, corpCode, type, reasonType, reason, stopDate, planResumeDate, ongoingParts, guardPersons, attachments }
}

/** What the authority decided, as its 告知书 says it. */
export const decisionContent = (row: Application) => {
  const { decideName, decideGroup, decideTime, decidePassed, decideOpinion, docCode } = row
  return { ...applied(row), decideName, decideGroup, decideTime, decidePassed, decideOpinion, docCode }
}

async function found(ctx: Pick<Context, 'db'>, row: Application) {
  type Finding = Pick<Row<'stopapplyCheck'>, 'item' | 'sitePassed' | 'siteNote'>
  const { rows } =
    await sql<Finding>`select item, site_passed, site_note from stopapply_check where apply_id = ${row.id} order by item`.execute(ctx.db)
  return resumeItems.map(({ item }) => rows.find((one) => one.item === item) ?? null)
}

/** The seats that an application has got so far: 监理, the officers of the site check, who decided, who receives the 告知书. */
export async function stopSeats(ctx: Pick<Context, 'db'>, row: Application): Promise<readonly Seat[]> {
  const named = (name: string | null, at: Date | null) => (name && at ? { expects: name, known: { name, at } } : undefined)
  const seats: Seat[] = []
  const audit = named(row.auditName, row.auditTime)
  if (audit)
    seats.push({
      seat: 'supervisor',
      role: '监理审核人',
      own: rights.supervisor,
      from: ['2', '3', '4', '5'],
      ...audit,
      content: applied(row),
    })
  if (row.type === stopTypes.resume && row.officer) {
    const content = await found(ctx, row)
    const officer = { own: rights.authority, tablet: rights.authority, from: ['3', '4', '5'], content }
    seats.push({ ...officer, seat: 'officer', role: '核查人', expects: row.officer })
    if (row.secondOfficer) seats.push({ ...officer, seat: 'officer2', role: '第二名核查人', expects: row.secondOfficer })
  }
  const decided = named(row.decideName, row.decideTime)
  if (decided)
    seats.push({ seat: 'decider', role: '审定人', own: rights.authority, from: ['4', '5'], ...decided, content: decisionContent(row) })
  if (row.docCode)
    seats.push({
      seat: 'receiver',
      role: '签收人',
      own: rights.applicant,
      tablet: rights.authority,
      refuses: rights.authority,
      from: ['4'],
      content: decisionContent(row),
    })
  return seats
}
