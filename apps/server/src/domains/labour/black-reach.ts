import { AppError } from '@zhugong/contract/kit/errors'
import { normalIdNumber } from '@zhugong/contract/kit/normal'
import { blackScopes } from '@zhugong/contract/labour/black-codes'
import { sql } from 'kysely'
import { type Context, groupTypes, requireProject } from '#kit/context'
import type { BlackKind } from './black-hold.ts'

interface Wanted {
  scope: string
  scopeProject?: string | null | undefined
  scopeArea?: string | null | undefined
  sourceProject?: string | null | undefined
}
export interface Reach {
  scope: string
  scopeCode: string
  sourceProject: string | null
}

const front = (area: string | null) => (area ?? 'none').replace(/(00){1,2}$/, '')

/** The reach a group may request: a site its own or its contractor's projects, a company its own projects, an authority its area. */
export async function reachOf(ctx: Context, wanted: Wanted): Promise<Reach> {
  const { group } = ctx
  const wrong = (message: string, field = 'scope') => new AppError('refused', message, { field })
  const own = group.type === groupTypes.project ? group.code : null
  if (wanted.sourceProject) requireProject(ctx, wanted.sourceProject)
  if (wanted.scope === blackScopes.project) {
    const code = wanted.scopeProject ?? own ?? ''
    requireProject(ctx, code)
    if (ctx.scope.supervised.includes(code) || ctx.scope.limited.includes(code))
      throw wrong('本企业在该项目只能查看，不能提出项目级名单', 'scopeProject')
    return { scope: wanted.scope, scopeCode: code, sourceProject: code }
  }
  if (wanted.scope === blackScopes.company) {
    if (group.type === groupTypes.corporation)
      return { scope: wanted.scope, scopeCode: group.code, sourceProject: wanted.sourceProject ?? null }
    if (!own) throw wrong('企业级名单由企业或其项目提出')
    const project = await ctx.db.selectFrom('project').select('contractorCorpCode').where('projectCode', '=', own).executeTakeFirst()
    if (!project?.contractorCorpCode) throw wrong('本项目没有登记总承包单位，不能提出企业级名单')
    return { scope: wanted.scope, scopeCode: project.contractorCorpCode, sourceProject: own }
  }
  if (group.type !== groupTypes.government) throw wrong('地区级名单由监管机构提出')
  const area = wanted.scopeArea ?? group.areaCode ?? ''
  if (!front(area).startsWith(front(group.areaCode))) throw wrong('地区不在本机构管辖范围内', 'scopeArea')
  return { scope: wanted.scope, scopeCode: area, sourceProject: wanted.sourceProject ?? null }
}

/** Throws if a company that sees only its own people in the project names someone else. */
export async function requireSource(ctx: Context, sourceProject: string | null, whom: { kind: BlackKind; subject: string }): Promise<void> {
  if (!sourceProject || !ctx.scope.limited.includes(sourceProject)) return
  if (whom.kind === 'worker') {
    const { rows } = await sql`
      select 1 from project_worker where project_code = ${sourceProject} and id_card_hash = ${whom.subject}
        and corp_code = any (${[...ctx.scope.corps]}) limit 1`.execute(ctx.db)
    if (rows.length) return
  }
  throw new AppError('refused', '在该项目只能提出本企业的人员', { field: 'sourceProject' })
}

/** Shows the effect of an entry before it is proposed. */
export async function previewReach(
  ctx: Context,
  body: Wanted & { idCardType: string; idCardNumber?: string | undefined },
): Promise<{ projects: number; presentAt: string[]; entryId: string | null; name: string | null }> {
  const reach = await reachOf(ctx, body)
  const number = body.idCardNumber && normalIdNumber(body.idCardNumber)
  const hash = number ? ctx.secrets.blindIndex('id-card', number) : ''
  const projects = await sql<{ n: number }>`
    select count(*)::int as n from project p where zg_black_reaches(${reach.scope}, ${reach.scopeCode}, p, null)`.execute(ctx.db)
  const present = await sql<{ projectName: string; name: string }>`
    select p.name as project_name, w.worker_name as name from project_worker w join project p using (project_code)
    where w.id_card_hash = ${hash} and w.exit_time is null and zg_black_reaches(${reach.scope}, ${reach.scopeCode}, p, w.corp_code)
    order by p.name`.execute(ctx.db)
  const open = await sql<{ id: string }>`
    select id from black_entry where kind = 'worker' and id_card_hash = ${hash} and id_card_type = ${body.idCardType} and scope = ${reach.scope}
      and scope_code = ${reach.scopeCode} and state in ('0', '1', '2', '4') limit 1`.execute(ctx.db)
  return {
    projects: projects.rows[0]?.n ?? 0,
    presentAt: present.rows.map((r) => r.projectName),
    entryId: open.rows[0]?.id ?? null,
    name: present.rows[0]?.name ?? null,
  }
}
