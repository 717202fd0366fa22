import * as contract from '@zhugong/contract/identity/own-projects'
import { AppError } from '@zhugong/contract/kit/errors'
import { dictName } from '@zhugong/contract/settings/dictionaries'
import { sql } from 'kysely'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import { inScope } from '#kit/db'
import type { HandlerOf, Serve } from '#kit/serve'
import { narrow } from '../access/public.ts'
import { type OwnRights, ownRightsInGroups } from './groups.ts'

/** The user's starred and recently visited projects. */
export function ownProjectRoutes(serve: Serve) {
  serve(contract.listOwnProjects, listOwnProjects)
  serve(contract.markProject, markProject)
}

const listOwnProjects: HandlerOf<typeof contract.listOwnProjects> = async (_input, ctx) => {
  const marks = await findMarks(ctx)
  const found = await asSeen(ctx, marks)
  return {
    starred: found
      .filter((one) => one.starred)
      .sort((a, b) => a.name.localeCompare(b.name, 'zh'))
      .slice(0, contract.mostStarred),
    recent: found
      .filter((one) => one.enteredTime !== null)
      .sort((a, b) => (b.enteredTime ?? '').localeCompare(a.enteredTime ?? ''))
      .slice(0, contract.mostRecent),
  }
}

type Own = Pick<Context, 'db' | 'system' | 'user' | 'clock'>
interface Mark {
  projectCode: string
  groupId: string | null
  starred: boolean
  enteredAt: Date | null
}
/** Number of visited projects to read; more than shown, because some may no longer be visible. */
const enteredLookedAt = 4 * contract.mostRecent

async function findMarks({ db, user }: Own): Promise<Mark[]> {
  const { rows } = await sql<Mark>`
    select project_code, group_id, starred, entered_at from (
      select m.*, row_number() over (order by entered_at desc nulls last) as turn from project_mark m where user_id = ${user.id}) m
    where starred or (entered_at is not null and turn <= ${enteredLookedAt})`.execute(db)
  return rows
}

/** The marks the user may enter now, each in the group in which it was marked, otherwise in the first group that sees the project. */
async function asSeen(ctx: Own, marks: readonly Mark[]): Promise<contract.OwnProject[]> {
  if (marks.length === 0) return []
  const codes = marks.map((one) => one.projectCode)
  const places = await Promise.all(
    (await ownRightsInGroups(ctx, ctx.user.id)).map(async (rights) => ({ ...rights, seen: await seenAs(ctx, rights, codes) })),
  )
  return marks.flatMap((mark) => {
    const seeing = places.filter(({ seen }) => seen.has(mark.projectCode))
    const place = seeing.find(({ group }) => group.id === mark.groupId) ?? seeing[0]
    const project = place?.seen.get(mark.projectCode)
    if (!place || !project) return []
    return {
      groupId: place.group.id,
      groupName: place.group.name,
      groupsType: place.group.type,
      projectCode: mark.projectCode,
      name: project.name,
      prjStatus: project.prjStatus,
      prjStatusName: dictName('projectState', project.prjStatus),
      starred: mark.starred,
      enteredTime: mark.enteredAt && formatInstant(mark.enteredAt),
    }
  })
}

/** The projects that may be entered in this group now. */
async function seenAs({ system }: Pick<Own, 'system'>, { scope }: OwnRights, codes: readonly string[]) {
  const within = codes.filter((code) => narrow(scope, code))
  const rows = await inScope(system, scope, (db) =>
    db
      .selectFrom('project')
      .select(['projectCode', 'name', 'prjStatus'])
      .where('enable', '=', '1')
      .where('projectCode', 'in', within.length ? within : [''])
      .execute(),
  )
  return new Map(rows.map((row) => [row.projectCode, row]))
}

const markProject: HandlerOf<typeof contract.markProject> = async ({ params: { projectCode }, body }, ctx) => {
  const groupId = body.groupId ?? ctx.group.id
  const [rights] = await ownRightsInGroups(ctx, ctx.user.id, [groupId])
  if (!rights || !(await seenAs(ctx, rights, [projectCode])).has(projectCode))
    throw new AppError('notFound', '项目不存在或不在您的管辖范围内', { field: 'projectCode' })
  if (body.starred) {
    const others = (await findMarks(ctx)).filter((one) => one.starred && one.projectCode !== projectCode)
    // Stars on projects no longer visible do not count, because the user could not remove them.
    if (others.length >= contract.mostStarred && (await asSeen(ctx, others)).length >= contract.mostStarred)
      throw new AppError('refused', `最多收藏 ${contract.mostStarred} 个项目，请先取消不再需要的`)
  }
  await setMark(ctx, { projectCode, groupId, starred: body.starred })
  return undefined
}

/** Remembers the last visit to a project and the group it was made in. */
export const rememberEntry = (ctx: Own, groupId: string, projectCode: string): Promise<void> =>
  setMark(ctx, { projectCode, groupId, enteredAt: new Date(ctx.clock.now()) })

async function setMark(
  { db, user }: Own,
  { projectCode, ...mark }: { projectCode: string; groupId: string; starred?: boolean; enteredAt?: Date },
): Promise<void> {
  await db
    .insertInto('projectMark')
    .values({ userId: user.id, projectCode, ...mark })
    .onConflict((conflict) => conflict.columns(['userId', 'projectCode']).doUpdateSet(mark))
    .execute()
}
