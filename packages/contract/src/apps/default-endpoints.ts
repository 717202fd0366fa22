import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { filled, pointsTo, ref, text } from '../kit/fields.ts'
import { version } from './app-endpoints.ts'
import { longestDays } from './codes.ts'

const defaultCell = z.object({
  areaCode: z.string(),
  category: z.string(),
  appId: z.string(),
  on: z.boolean(),
  required: z.boolean(),
  days: z.number().int().nullable(),
  /** The value comes from an area above, or from the default package. */
  inherited: z.boolean(),
})
export const packageRow = z.object({
  id: z.string(),
  name: z.string(),
  groupType: z.number().int(),
  apps: z.array(z.string()),
  days: z.number().int().nullable(),
  roleIds: z.array(z.string()),
  uiGroupId: z.string().nullable(),
  isDefault: z.boolean(),
  builtIn: z.boolean(),
  remark: z.string(),
  groups: z.number().int(),
  drifted: z.number().int(),
  version,
})
export type PackageRow = z.infer<typeof packageRow>
export type DefaultCell = z.infer<typeof defaultCell>
const useRow = z.object({
  groupId: z.string(),
  groupName: z.string(),
  groupType: z.number().int(),
  areaName: z.string().nullable(),
  appliedTime: z.string(),
  /** Apps of the package that the group lacks, and apps that it has in addition. */
  missing: z.array(z.string()),
  beyond: z.array(z.string()),
})
/** Instead of an area code: the caller's own area, for the platform the city with most projects. */
export const ownArea = 'own'
/** Packages. With `areaCode`, the cells of what new projects there get; with `schemeId`, the groups that use a package. */
export const listDefaults = endpoint({
  method: 'GET',
  path: '/api/v1/sys/grant/default/app',
  summary: '获取默认应用',
  needs: ['grant.view', 'appDefault.edit', 'appPackage.edit'],
  answers: 'list',
  query: z.object({
    groupType: z.enum(['1', '2', '3'], { error: '组类型应为 1、2 或 3' }).optional(),
    areaCode: text(6).optional(),
    schemeId: ref('appPackage').optional(),
  }),
  response: z.object({ list: z.array(z.union([defaultCell, packageRow, useRow])), total: z.number().int() }),
})
export const defaultCells = viewOf(listDefaults, {
  query: z.object({ groupType: z.literal('3').default('3'), areaCode: text(6) }),
  response: z.object({ list: z.array(defaultCell), total: z.number().int() }),
})
export const packages = viewOf(listDefaults, {
  query: z.object({ groupType: z.enum(['1', '2', '3']).optional() }),
  response: z.object({ list: z.array(packageRow), total: z.number().int() }),
})
export const packageUses = viewOf(listDefaults, {
  query: z.object({ schemeId: ref('appPackage') }),
  response: z.object({ list: z.array(useRow), total: z.number().int() }),
})

const days = z.number().int().min(1, '天数至少 1 天').max(longestDays, `天数最多 ${longestDays} 天`).nullable()
/** Saves the cells of an area, or creates, changes or removes a package. */
export const saveDefaults = endpoint({
  method: 'POST',
  path: '/api/v1/sys/grant/default/app',
  summary: '设置默认应用',
  needs: ['appDefault.edit', 'appPackage.edit'],
  acts: 'aside',
  largeBody: 'the whole matrix of an area',
  body: z.union([
    z.object({
      areaCode: filled(6, '区划'),
      cells: z
        .array(
          z.object({
            category: filled(4, '项目类别'),
            appId: ref('app'),
            /** Null: inherited from the area above. */
            on: z.boolean().nullable(),
            required: z.boolean().default(false),
            days: days.default(null),
          }),
        )
        .min(1, '没有修改')
        .max(2000),
    }),
    z.object({
      schemeId: pointsTo('appPackage', text(64)).optional(),
      name: filled(30, '方案名称'),
      groupType: z.number().int().min(1).max(3, '组类型应为 1、2 或 3'),
      apps: z.array(ref('app')).max(200),
      days: days.default(null),
      roleIds: z.array(ref('role')).max(100).default([]),
      uiGroupId: ref('uiScheme').nullable().default(null),
      isDefault: z.boolean().default(false),
      remark: text(200, '说明').default(''),
      version: z.number().int().optional(),
    }),
    z.object({ schemeId: ref('appPackage'), remove: z.literal(true), version }),
  ]),
  response: z.object({ id: z.string().nullable() }),
})
