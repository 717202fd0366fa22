import { AppError } from '@zhugong/contract/kit/errors'
import * as calls from '@zhugong/contract/rules/endpoints'
import { found, projectsFor } from '#kit/context'
import { pageSlice } from '#kit/list'
import type { HandlerOf, Serve } from '#kit/serve'
import { ruleBaseOf } from './base.ts'
import { drillRoutes } from './drills.ts'
import { execRoutes } from './execs.ts'
import { levelRoutes } from './levels.ts'
import { rehearseCall } from './rehearse-call.ts'
import { applyTemplate, findTemplate, listTemplates, templateDetail } from './templates.ts'
import { triggersOf } from './trigger-list.ts'
import { findOpenAlarms, findOverrides, findTrigger, findVersions, toTrigger } from './trigger-store.ts'
import { changeTrigger, copyTrigger, createTriggers, removeTrigger } from './triggers.ts'
import { findUnjudged } from './unjudged.ts'

export function ruleRoutes(serve: Serve): void {
  serve(calls.ruleBase, ({ query }, ctx) => ruleBaseOf(ctx, query, pageSlice(query)))
  serve(calls.listTriggers, listTriggers)
  serve(calls.unjudgedRules, async ({ query }, ctx) => {
    const { list, total, devices } = await findUnjudged(ctx.db, { ...query, projects: projectsFor(ctx, query.projectCode) })
    const { offset, limit } = pageSlice(query)
    return { list: list.slice(offset, offset + limit), total, counts: { devices } }
  })
  serve(calls.getTrigger, getTrigger)
  serve(calls.createTrigger, ({ body }, ctx) => createTriggers(ctx, body))
  serve(calls.updateTrigger, ({ params, body }, ctx) => changeTrigger(ctx, params.id, body))
  serve(calls.deleteTrigger, ({ params }, ctx) => removeTrigger(ctx, params.id))
  serve(calls.duplicateTrigger, duplicateTrigger)
  serve(calls.rehearseTrigger, ({ body }, ctx) => rehearseCall(ctx, body))
  drillRoutes(serve)
  execRoutes(serve)
  levelRoutes(serve)
}

const listTriggers: HandlerOf<typeof calls.listTriggers> = ({ query }, ctx) =>
  query.template ? listTemplates(ctx, query, pageSlice(query)) : triggersOf(ctx, query)

const getTrigger: HandlerOf<typeof calls.getTrigger> = async ({ params }, ctx) => {
  const template = await findTemplate(ctx, params.id)
  if (template) return templateDetail(ctx, template)
  const now = ctx.clock.now()
  const projects = projectsFor(ctx)
  const row = found(await findTrigger(ctx.db, params.id, projects, now), '规则')
  const stuck = await findUnjudged(ctx.db, { projects, family: [row.family], ruleId: row.id })
  return {
    ...toTrigger(row, now, stuck.list[0]),
    versions: await findVersions(ctx.db, row.id),
    overrides: await findOverrides(ctx.db, row, projects),
    openAlarms: await findOpenAlarms(ctx.db, row.id, projects),
  }
}

const duplicateTrigger: HandlerOf<typeof calls.duplicateTrigger> = async ({ params, body }, ctx) => {
  if (body.projectCode && body.projectCodes) throw new AppError('invalidInput', '项目请只填写一处', { field: 'projectCode' })
  const template = await findTemplate(ctx, body.templateId ?? params.id)
  if (body.templateId) found(template, '规则模板')
  if (template) {
    if (!body.projectCodes) throw new AppError('invalidInput', '请选择项目', { field: 'projectCodes' })
    return applyTemplate(ctx, template.id, { projectCodes: body.projectCodes, conflict: body.conflict, preview: body.preview })
  }
  return copyTrigger(ctx, params.id, body)
}
