import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { createTrigger, updateTrigger } from '@zhugong/contract/rules/endpoints'
import { templateRow } from '@zhugong/contract/rules/model'
import { familyNamed, familyOf } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import { type Context, found, groupTypes, projectsFor, requireCode, requireProject } from '#kit/context'
import type { Tx } from '#kit/db'
import { anywhere } from '#kit/list'
import { pick } from '#kit/pick'
import { rowOf } from '#kit/row-of'
import { comparable } from './in-force.ts'
import { compareRules, type Strictness } from './strictness.ts'
import type { StoredLevel, StoredSchedule } from './tables.ts'
import { checkMeaning, optionsOf } from './trigger-checks.ts'
import type { RuleOptions } from './trigger-parts.ts'
import { insertTrigger, keepVersion, levelViews, optionViews, summaryOf } from './trigger-store.ts'

type CreateBody = ParsedFor<typeof createTrigger>['body']
type UpdateBody = ParsedFor<typeof updateTrigger>['body']
type Item = NonNullable<CreateBody['triggers']>[number]

/** One rule of a template, as stored. */
interface StoredItem {
  name: string
  alarmKey: string
  enabled: boolean
  levels: StoredLevel[]
  schedule: StoredSchedule
  options: RuleOptions
}
export interface TemplateRecord {
  id: string
  groupId: string | null
  name: string
  family: string
  standard: string | null
  remark: string | null
  triggers: StoredItem[]
  version: number
  createTime: Date
  updateTime: Date | null
}

const columns = sql`id, group_id, name, family, standard, remark, triggers, version, create_time, update_time`
/** The platform's templates and those of the user's group; row-level security enforces the same. */
const visible = (ctx: Context) =>
  ctx.group.type === groupTypes.platform ? sql`group_id is null` : sql`(group_id is null or group_id = ${ctx.group.id})`

export async function findTemplate(ctx: Context, id: string): Promise<TemplateRecord | undefined> {
  const { rows } = await sql<TemplateRecord>`select ${columns} from rule_template where id = ${id} and ${visible(ctx)}`.execute(ctx.db)
  return rows[0]
}

function itemsOf(familyName: string, items: readonly Item[]): { family: string; triggers: StoredItem[] } {
  const family = familyNamed(familyName)
  if (!family) throw new AppError('invalidInput', '设备类型不存在', { field: 'family' })
  if (new Set(items.map((i) => i.alarmKey)).size < items.length) {
    throw new AppError('invalidInput', '模板中同一告警只能有一条规则', { field: 'triggers' })
  }
  const triggers = items.map((item, i): StoredItem => {
    const options = optionsOf(item)
    checkMeaning(family, { levels: item.levels, options }, `triggers.${i}.`)
    return {
      ...pick(item, 'name', 'alarmKey', 'enabled'),
      levels: item.levels as StoredLevel[],
      schedule: (item.schedule ?? null) as StoredSchedule,
      options,
    }
  })
  return { family: family.key, triggers }
}

export async function createTemplate(ctx: Context, body: CreateBody): Promise<{ id: string; ids: string[] }> {
  requireCode(ctx, 'rules.template')
  const single = body.levels && body.alarmKey ? [{ ...body, levels: body.levels, alarmKey: body.alarmKey }] : []
  const items = body.triggers ?? single
  if (items.length === 0) throw new AppError('invalidInput', '模板至少包含一条规则', { field: 'triggers' })
  const { family, triggers } = itemsOf(body.family, items)
  const id = ctx.newId()
  await sql`insert into rule_template (id, group_id, name, family, standard, remark, triggers, create_by, create_time)
    values (${id}, ${ctx.group.type === groupTypes.platform ? null : ctx.group.id}, ${body.name}, ${family}, ${body.standard ?? null}, ${body.remark ?? null},
      ${JSON.stringify(triggers)}::jsonb, ${ctx.user.name}, ${new Date(ctx.clock.now())})`.execute(ctx.db)
  ctx.note(`新增规则模板：${body.name}`, id)
  return { id, ids: [id] }
}

/** Changes a template; undefined if the id is not a visible template. Sites keep their rules until the new version is applied. */
export async function changeTemplate(ctx: Context, id: string, body: UpdateBody): Promise<{ id: string; version: number } | undefined> {
  const before = await findTemplate(ctx, id)
  if (!before) return undefined
  requireCode(ctx, 'rules.template')
  if (before.groupId === null && ctx.group.type !== groupTypes.platform) throw new AppError('forbidden', '平台模板只能由平台修改')
  if (body.version !== undefined && body.version !== before.version) throw await conflictOf(ctx, 'ruleTemplate', { id: before.id }, '模板')
  const triggers = body.triggers ? itemsOf(before.family, body.triggers).triggers : before.triggers
  const version = await changeRow(ctx, 'ruleTemplate', {
    key: { id },
    version: before.version,
    noun: '模板',
    by: ctx.user.name,
    values: {
      name: body.name ?? before.name,
      standard: body.standard ?? before.standard,
      remark: body.remark ?? before.remark,
      triggers: JSON.stringify(triggers),
    },
  })
  ctx.note(`修改规则模板：${body.name ?? before.name}`, id)
  return { id, version }
}

interface SiteRule extends StoredItem {
  id: string
  projectCode: string
  projectName: string
  templateVersion: number | null
  appliedAt: Date
}

async function siteRules(db: Tx, templateId: string, projects: readonly string[] | undefined): Promise<SiteRule[]> {
  const { rows } = await sql<SiteRule>`
    select t.id, t.name, t.alarm_key, t.enabled, t.levels, t.schedule, t.options, t.project_code, p.name as project_name, t.template_version,
      coalesce(t.update_time, t.create_time) as applied_at
    from rule_trigger t join project p on p.project_code = t.project_code where t.template_id = ${templateId}
      and ${projects ? sql`t.project_code = any (${[...projects]})` : sql`true`} order by t.project_code`.execute(db)
  return rows
}

/** Compares each site's copies with the current template. */
function driftOf(template: TemplateRecord, rules: readonly SiteRule[]) {
  const byProject = Map.groupBy(rules, (r) => r.projectCode)
  const label = (key: string) => familyOf(template.family)?.alarm(key)?.label ?? key
  return [...byProject].map(([projectCode, own]) => {
    const differences = template.triggers.flatMap((item) => {
      const site = own.find((r) => r.alarmKey === item.alarmKey)
      const strictness: Strictness | 'missing' = site ? compareRules(comparable(item), comparable(site)) : 'missing'
      if (strictness === 'same') return []
      const words = (one: StoredItem | undefined) =>
        one ? (one.enabled ? summaryOf({ ...one, family: template.family }) : '停用') : '无此规则'
      return [{ alarmKey: item.alarmKey, alarmLabel: label(item.alarmKey), template: words(item), site: words(site), strictness }]
    })
    return {
      projectCode,
      projectName: own[0]?.projectName ?? projectCode,
      appliedAt: formatInstant(Math.max(...own.map((r) => r.appliedAt.getTime()))),
      version: Math.min(...own.map((r) => r.templateVersion ?? 0)),
      drift: differences.length,
      differences,
    }
  })
}

async function toTemplate(ctx: Context, row: TemplateRecord) {
  const applied = driftOf(row, await siteRules(ctx.db, row.id, projectsFor(ctx)))
  return {
    view: rowOf(templateRow, row, {
      template: true as const,
      familyName: familyOf(row.family)?.name ?? row.family,
      triggers: row.triggers.map((item) => ({
        ...optionViews(item.options),
        ...pick(item, 'name', 'alarmKey', 'enabled', 'schedule'),
        alarmLabel: familyOf(row.family)?.alarm(item.alarmKey)?.label ?? item.alarmKey,
        levels: levelViews({ ...item, family: row.family }),
        summary: summaryOf({ ...item, family: row.family }),
      })),
      sites: applied.length,
      drifted: applied.filter((a) => a.drift > 0).length,
      outdated: applied.filter((a) => a.version < row.version).length,
      updateTime: formatInstant(row.updateTime ?? row.createTime),
    }),
    applied,
  }
}

export async function listTemplates(
  ctx: Context,
  filter: { family?: string[] | undefined; name?: string | undefined },
  slice: { limit: number; offset: number },
) {
  const where = sql`${visible(ctx)} and ${filter.family?.length ? sql`family = any (${filter.family})` : sql`true`}
    and ${filter.name ? sql`name ilike ${anywhere(filter.name)}` : sql`true`}`
  const { rows } = await sql<TemplateRecord & { total: number }>`
    select ${columns}, count(*) over ()::int as total from rule_template where ${where} order by family, name, id
    limit ${slice.limit} offset ${slice.offset}`.execute(ctx.db)
  const list = []
  for (const row of rows) list.push((await toTemplate(ctx, row)).view)
  return { list, total: rows[0]?.total ?? 0, counts: { enabled: rows.length, neverEvaluated: 0, silent30d: 0, imprecise: 0 } }
}

export async function templateDetail(ctx: Context, row: TemplateRecord) {
  const { view, applied } = await toTemplate(ctx, row)
  return { ...view, applied }
}

/** Applies a template's rules to projects. A project's own rule for the same alarm is kept unless `conflict` is `replace`. */
export async function applyTemplate(
  ctx: Context,
  templateId: string,
  body: { projectCodes: readonly string[]; conflict: 'keep' | 'replace'; preview: boolean },
) {
  requireCode(ctx, 'rules.apply')
  const template = found(await findTemplate(ctx, templateId), '规则模板')
  const applied: { projectCode: string; created: number; updated: number; kept: number; conflicts: string[] }[] = []
  const ids: string[] = []
  const now = ctx.clock.now()
  for (const projectCode of new Set(body.projectCodes)) {
    requireProject(ctx, projectCode)
    const { rows } = await sql<{ id: string; alarmKey: string; templateId: string | null }>`
      select id, alarm_key, template_id from rule_trigger where project_code = ${projectCode} and family = ${template.family}
        and scope->>'kind' = 'projects' order by (template_id = ${templateId}) desc nulls last, create_time`.execute(ctx.db)
    const outcome = { projectCode, created: 0, updated: 0, kept: 0, conflicts: [] as string[] }
    for (const item of template.triggers) {
      const existing = rows.find((r) => r.alarmKey === item.alarmKey)
      const isOwn = existing !== undefined && existing.templateId !== templateId
      if (isOwn) outcome.conflicts.push(familyOf(template.family)?.alarm(item.alarmKey)?.label ?? item.alarmKey)
      if (isOwn && body.conflict === 'keep') {
        outcome.kept++
        continue
      }
      if (existing) outcome.updated++
      else outcome.created++
      if (body.preview) continue
      ids.push(await writeItem(ctx, template, item, projectCode, existing?.id, now))
    }
    applied.push(outcome)
  }
  if (!body.preview) ctx.note(`下发规则模板：${template.name}（${applied.length} 个项目）`, templateId)
  return { id: templateId, ids, applied }
}

async function writeItem(
  ctx: Context,
  template: TemplateRecord,
  item: StoredItem,
  projectCode: string,
  existingId: string | undefined,
  now: number,
): Promise<string> {
  if (existingId === undefined) {
    const id = ctx.newId()
    const scope = { kind: 'projects' as const, projectCodes: [projectCode] }
    const row = {
      ...item,
      id,
      family: template.family,
      scope,
      projectCode,
      execIds: [],
      locked: false,
      templateId: template.id,
      templateVersion: template.version,
    }
    await insertTrigger(ctx.db, row, ctx.user.name, now)
    return id
  }
  await changeRow(ctx, 'ruleTrigger', {
    key: { id: existingId },
    version: null,
    noun: '规则',
    by: ctx.user.name,
    values: {
      name: item.name,
      levels: JSON.stringify(item.levels),
      schedule: item.schedule === null ? null : JSON.stringify(item.schedule),
      options: JSON.stringify(item.options),
      enabled: item.enabled,
      templateId: template.id,
      templateVersion: template.version,
    },
  })
  await keepVersion(ctx.db, existingId, ctx.user.name, now)
  return existingId
}
