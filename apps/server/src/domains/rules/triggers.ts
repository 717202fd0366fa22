import type { ParsedFor } from '@zhugong/contract/kit/endpoint'
import { AppError } from '@zhugong/contract/kit/errors'
import type { createTrigger, duplicateTrigger, updateTrigger } from '@zhugong/contract/rules/endpoints'
import { type Family, familyNamed } from '@zhugong/contract/telemetry/families'
import { sql } from 'kysely'
import { changeRow, conflictOf } from '#kit/change-row'
import { type Context, found, groupTypes, oneProject, projectsFor, requireCode, requireProject } from '#kit/context'
import { defaultRules } from './defaults.ts'
import { checkLocks } from './locks.ts'
import type { RuleScope, StoredLevel, StoredSchedule } from './tables.ts'
import { changeTemplate, createTemplate } from './templates.ts'
import { checkMeaning, optionsOf } from './trigger-checks.ts'
import type { RuleOptions } from './trigger-parts.ts'
import { findTrigger, insertTrigger, keepVersion, lockTrigger, type TriggerRecord } from './trigger-store.ts'

type CreateBody = ParsedFor<typeof createTrigger>['body']
type UpdateBody = ParsedFor<typeof updateTrigger>['body']
type DupBody = ParsedFor<typeof duplicateTrigger>['body']

/** The alarm settings page edits the same rules. */
const mayEdit = (ctx: Context) => ctx.codes.has('rules.edit') || ctx.codes.has('alarm.setting')
const mayLock = (ctx: Context) => ctx.codes.has('rules.lock') || ctx.codes.has('alarm.lock')
const isPlatform = (ctx: Context) => ctx.group.type === groupTypes.platform

/** A site cannot change a rule locked by an authority or company, but may add a stricter one. */
const lockedAbove = () => new AppError('forbidden', '该规则已由上级锁定，可另建更严格的规则', { code: 'rules.lock' })

function familyFor(name: string): Family {
  const family = familyNamed(name)
  if (!family) throw new AppError('invalidInput', '设备类型不存在', { field: 'family' })
  return family
}

export async function createTriggers(ctx: Context, body: CreateBody): Promise<{ id: string; ids: string[] }> {
  if (body.template) return createTemplate(ctx, body)
  if (!mayEdit(ctx)) requireCode(ctx, 'rules.edit')
  if (body.locked && !mayLock(ctx)) requireCode(ctx, 'rules.lock')
  if (!body.alarmKey) throw new AppError('invalidInput', '请选择告警', { field: 'alarmKey' })
  if (!body.levels) throw new AppError('invalidInput', '请添加等级', { field: 'levels' })
  const family = familyFor(body.family)
  const rule = {
    name: body.name,
    family: family.key,
    alarmKey: body.alarmKey,
    levels: body.levels as StoredLevel[],
    schedule: (body.schedule ?? null) as StoredSchedule,
    options: optionsOf(body),
    execIds: body.execIds,
    enabled: body.enabled,
    locked: body.locked ?? false,
  }
  checkMeaning(family, { levels: body.levels, options: rule.options })
  await checkExecs(ctx, body.execIds)
  const ids: string[] = []
  for (const { projectCode, scope } of await ownersOf(ctx, family, body)) {
    await checkLocks(ctx.db, { ...rule, id: '', projectCode, scope })
    const id = ctx.newId()
    await insertTrigger(ctx.db, { ...rule, id, projectCode, scope }, ctx.user.name, ctx.clock.now())
    ids.push(id)
  }
  const [id] = ids
  if (id === undefined) throw new AppError('invalidInput', '请选择范围', { field: 'scope' })
  ctx.note(`新增规则：${body.name}`, id)
  return { id, ids }
}

/**
 * The owners of a new rule. A platform rule may apply everywhere. Rules of other groups belong to one project each, so that the project
 * sees and keeps them.
 */
async function ownersOf(
  ctx: Context,
  family: Family,
  body: { scope?: RuleScope | undefined; projectCode?: string | undefined },
): Promise<{ projectCode: string | null; scope: RuleScope }[]> {
  const { scope } = body
  if (scope?.kind === 'projects') {
    for (const code of scope.projectCodes) requireProject(ctx, code)
    if (isPlatform(ctx)) return [{ projectCode: body.projectCode ?? null, scope }]
    return scope.projectCodes.map((code) => ({ projectCode: code, scope: { kind: 'projects', projectCodes: [code] } }))
  }
  if (!scope || scope.kind === 'global') {
    if (isPlatform(ctx) && !body.projectCode) return [{ projectCode: null, scope: { kind: 'global' } }]
    const projectCode = oneProject(ctx, body.projectCode)
    return [{ projectCode, scope: { kind: 'projects', projectCodes: [projectCode] } }]
  }
  const table = scope.kind === 'gateways' ? sql`gateway` : sql`device`
  const ids =
    scope.kind === 'gateways' ? scope.gatewayIds : scope.kind === 'devices' ? scope.deviceIds : scope.points.map((p) => p.deviceId)
  const ofFamily = scope.kind === 'gateways' ? sql`true` : sql`family = ${family.key}`
  const projects = projectsFor(ctx)
  const { rows } = await sql<{ id: string; projectCode: string }>`
    select id, project_code from ${table} where id = any (${ids}) and ${ofFamily}
      and ${projects ? sql`project_code = any (${[...projects]})` : sql`true`}`.execute(ctx.db)
  if (rows.length < new Set(ids).size) throw new AppError('invalidInput', `范围中有不存在或不是${family.name}的设备`, { field: 'scope' })
  const owners = [...new Set(rows.map((r) => r.projectCode))]
  if (owners.length > 1 && !isPlatform(ctx)) throw new AppError('invalidInput', '一条规则的设备须在同一项目', { field: 'scope' })
  return [{ projectCode: owners.length > 1 ? null : (owners[0] ?? null), scope }]
}

async function checkExecs(ctx: Context, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`select id from rule_exec where id = any (${[...ids]})`.execute(ctx.db)
  if (rows.length < new Set(ids).size) throw new AppError('invalidInput', '执行动作不存在或已删除', { field: 'execIds' })
}

async function ownTrigger(ctx: Context, id: string): Promise<TriggerRecord> {
  await lockTrigger(ctx.db, id)
  const row = found(await findTrigger(ctx.db, id, projectsFor(ctx), ctx.clock.now()), '规则')
  if (row.projectCode === null && !isPlatform(ctx)) throw new AppError('forbidden', '平台规则只能由平台修改，可另建本项目的规则')
  return row
}

export async function changeTrigger(ctx: Context, id: string, body: UpdateBody): Promise<{ id: string; version: number }> {
  const template = await changeTemplate(ctx, id, body)
  if (template) return template
  const before = await ownTrigger(ctx, id)
  if (body.version !== undefined && body.version !== before.version) throw await conflictOf(ctx, 'ruleTrigger', { id: before.id }, '规则')
  if (body.projectCode !== undefined && body.projectCode !== before.projectCode) {
    requireProject(ctx, body.projectCode)
    throw new AppError('invalidInput', '规则不能改到其他项目，请复制', { field: 'projectCode' })
  }
  const family = familyFor(body.family ?? before.family)
  if (family.key !== before.family || (body.alarmKey ?? before.alarmKey) !== before.alarmKey) {
    throw new AppError('invalidInput', '不能改变规则的设备类型和告警，请新建规则', {
      field: body.alarmKey === before.alarmKey ? 'family' : 'alarmKey',
    })
  }
  const own = optionsOf(body)
  const given = new Set(Object.keys(body).filter((k) => body[k as keyof UpdateBody] !== undefined))
  const options = Object.fromEntries(
    Object.entries({ ...before.options, ...own }).filter(([k]) => !(given.has(k) && !(k in own))),
  ) as RuleOptions
  const next = {
    ...before,
    name: body.name ?? before.name,
    levels: (body.levels as StoredLevel[] | undefined) ?? before.levels,
    schedule: body.schedule === undefined ? before.schedule : (body.schedule as StoredSchedule),
    options,
    execIds: given.has('execIds') ? (body.execIds ?? []) : before.execIds,
    enabled: given.has('enabled') ? (body.enabled ?? before.enabled) : before.enabled,
    locked: body.locked ?? before.locked,
  }
  const scope = body.scope ? await sameOwner(ctx, family, before, body) : before.scope
  const touched = (a: unknown, b: unknown) => JSON.stringify(a) !== JSON.stringify(b)
  if (next.enabled !== before.enabled && !ctx.codes.has('rules.enable') && !ctx.codes.has('alarm.setting')) requireCode(ctx, 'rules.enable')
  if ((next.locked !== before.locked || before.locked) && !mayLock(ctx)) throw lockedAbove()
  const edited = touched(
    [next.name, next.levels, next.schedule, next.options, next.execIds, scope],
    [before.name, before.levels, before.schedule, before.options, before.execIds, before.scope],
  )
  if (edited && !mayEdit(ctx)) requireCode(ctx, 'rules.edit')
  if (body.levels || touched(next.options, before.options)) checkMeaning(family, { levels: next.levels as never, options: next.options })
  if (given.has('execIds')) await checkExecs(ctx, next.execIds)
  const serious = before.projectCode === null && next.levels.some((l) => l.level === 1)
  if (serious && before.enabled && (!next.enabled || next.options.off) && !body.reason) {
    throw new AppError('invalidInput', '停用含一级告警的规则请填写原因', { field: 'reason' })
  }
  await checkLocks(ctx.db, { ...next, id, scope })
  const version = await changeRow(ctx, 'ruleTrigger', {
    key: { id },
    version: before.version,
    noun: '规则',
    by: ctx.user.name,
    values: {
      name: next.name,
      levels: JSON.stringify(next.levels),
      schedule: next.schedule === null ? null : JSON.stringify(next.schedule),
      options: JSON.stringify(next.options),
      scope: JSON.stringify(scope),
      execIds: [...next.execIds],
      enabled: next.enabled,
      locked: next.locked,
    },
  })
  await keepVersion(ctx.db, id, ctx.user.name, ctx.clock.now())
  const what = next.enabled === before.enabled ? '修改' : next.enabled ? '启用' : '停用'
  ctx.note(`${what}规则：${next.name}${body.reason ? `（${body.reason}）` : ''}`, id)
  return { id, version }
}

/**
 * The scope of a rule may change, its owner may not.
 * @throws AppError when the scope belongs to another owner.
 */
async function sameOwner(ctx: Context, family: Family, before: TriggerRecord, body: UpdateBody): Promise<RuleScope> {
  const request = { scope: body.scope, projectCode: before.projectCode ?? undefined }
  const [owner, ...others] = await ownersOf(ctx, family, request)
  const isSame =
    owner && others.length === 0 && (owner.projectCode === before.projectCode || (isPlatform(ctx) && before.projectCode === null))
  if (!isSame) throw new AppError('invalidInput', '规则不能改到其他项目，请复制', { field: 'scope' })
  return owner.scope
}

const delivered = new Set(defaultRules.map((r) => r.id))

export async function removeTrigger(ctx: Context, id: string): Promise<void> {
  if (await removeTemplate(ctx, id)) return
  requireCode(ctx, 'rules.delete')
  const row = await ownTrigger(ctx, id)
  if (row.locked && !mayLock(ctx)) throw lockedAbove()
  // The next start would insert it again.
  if (delivered.has(id)) throw new AppError('refused', '系统内置规则不能删除，可以停用')
  await sql`delete from rule_trigger where id = ${id}`.execute(ctx.db)
  ctx.note(`删除规则：${row.name}`, id)
}

async function removeTemplate(ctx: Context, id: string): Promise<boolean> {
  const { rows } = await sql<{ name: string; groupId: string | null }>`select name, group_id from rule_template where id = ${id}`.execute(
    ctx.db,
  )
  const [template] = rows
  if (!template) return false
  requireCode(ctx, 'rules.template')
  if (template.groupId === null && !isPlatform(ctx)) throw new AppError('forbidden', '平台模板只能由平台删除')
  // Rules already applied to projects stay, without a link to the template.
  await sql`update rule_trigger set template_id = null, template_version = null where template_id = ${id}`.execute(ctx.db)
  await sql`delete from rule_template where id = ${id}`.execute(ctx.db)
  ctx.note(`删除规则模板：${template.name}`, id)
  return true
}

export async function copyTrigger(ctx: Context, id: string, body: DupBody): Promise<{ id: string; ids: string[] }> {
  if (!mayEdit(ctx)) requireCode(ctx, 'rules.edit')
  const row = found(await findTrigger(ctx.db, id, projectsFor(ctx), ctx.clock.now()), '规则')
  const targets = body.projectCodes ?? (body.projectCode ? [body.projectCode] : isPlatform(ctx) ? [] : [row.projectCode ?? oneProject(ctx)])
  for (const code of targets) requireProject(ctx, code)
  const ids: string[] = []
  for (const projectCode of targets.length ? targets : [row.projectCode]) {
    const copyId = ctx.newId()
    const moves = projectCode !== row.projectCode && projectCode !== null
    const scope: RuleScope = moves ? { kind: 'projects', projectCodes: [projectCode] } : row.scope
    const copy = {
      ...row,
      id: copyId,
      name: `${row.name} 副本`.slice(0, 100),
      scope,
      projectCode,
      enabled: false,
      locked: false,
      templateId: null,
      templateVersion: null,
    }
    await insertTrigger(ctx.db, copy, ctx.user.name, ctx.clock.now())
    ids.push(copyId)
  }
  ctx.note(`复制规则：${row.name}`, id)
  return { id: ids[0] as string, ids }
}
