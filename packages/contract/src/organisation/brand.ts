import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { filled, nullable, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { screenBodyPart, screenPart, whoseScreen } from '../screens/part.ts'

/** WCAG 2.2, 1.4.3: least contrast of coloured text and buttons on white. */
export const leastContrast = 4.5
/** Colours to choose from, readable on white and distinct from the state colours. */
export const brandColors = ['#1558D6', '#0F5E7A', '#4338A8', '#7A3E9D', '#8A2A6B', '#334155']
/** Accepted types of a logo; formats that can contain scripts (SVG) are excluded. */
export const logoTypes = ['image/png', 'image/jpeg', 'image/webp']
export const logoMaxBytes = 1024 * 1024

/** Contrast of a colour (#rrggbb) with white, 1 to 21 (WCAG 2.2, relative luminance). */
export function contrastOnWhite(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05)
}

/** Hues of the state colours, in degrees. */
const stateHues = { 报警: 0, 预警: 34, 正常: 142 } as const
const nearHue = 20
/** Below this chroma a colour looks grey. */
const leastChroma = 0.2
/** The state whose colour is similar to a brand colour; undefined if there is none. */
export function stateLike(color: string): keyof typeof stateHues | undefined {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const chroma = most - least
  if (!(chroma >= leastChroma)) return undefined
  const sixth = most === r ? (g - b) / chroma : most === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4
  const hue = (sixth * 60 + 360) % 360
  const away = (other: number) => Math.abs(((hue - other + 540) % 360) - 180)
  return (Object.keys(stateHues) as (keyof typeof stateHues)[]).find((state) => away(stateHues[state]) <= nearHue)
}

export const brandFields = {
  sysName: filled(20, '系统名称'),
  /** Id of a stored file, or the link it was displayed under; null for the product's own logo. */
  logo: nullable(text(400, '标识')),
  /** Address of the group's wall. */
  screen: nullable(text(200, '大屏地址').refine((v) => v === '' || /^(\/(?!\/)|https:\/\/)/.test(v), '大屏地址应以 / 或 https:// 开头')),
  lng: nullable(z.coerce.number({ error: '经度应为数字' }).min(73, '经度应在 73-136 之间').max(136, '经度应在 73-136 之间')),
  lat: nullable(z.coerce.number({ error: '纬度应为数字' }).min(3, '纬度应在 3-54 之间').max(54, '纬度应在 3-54 之间')),
  primaryColor: nullable(z.string().regex(/^#[0-9a-fA-F]{6}$/, '颜色应为 #RRGGBB')),
}
/** Refinement for any body with the colour. */
export const checkColor = (b: { primaryColor?: string | null | undefined }, context: z.RefinementCtx) => {
  if (b.primaryColor && contrastOnWhite(b.primaryColor) < leastContrast)
    context.addIssue({ code: 'custom', path: ['primaryColor'], message: '颜色太浅，白底上看不清（对比度须达到 4.5:1）' })
}
/** Fields of a brand that lower groups inherit, and that can be locked for them. */
export const brandFieldNames = { sysName: '系统名称', logo: '标识', primaryColor: '主色', screen: '大屏地址' } as const
export type BrandField = keyof typeof brandFieldNames
const brandField = z.enum(Object.keys(brandFieldNames) as [BrandField, ...BrandField[]])
/** Fields of our brand that lower groups must show. */
export const brandPolicy = z.object({ locked: z.array(brandField).max(10).default([]) })
export type BrandPolicy = z.infer<typeof brandPolicy>

export const brandRead = z.object({
  id: z.string(),
  /** Selects the group's own login page: `/login?org=`. */
  code: z.string(),
  sysName: z.string(),
  logo: z.string().nullable(),
  screen: z.string().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  primaryColor: z.string().nullable(),
  updateBy: z.string().nullable(),
  updateTime: z.string().nullable(),
  version: z.number().int(),
})

/** Maximum number of departments and posts in a template: as many as can be managed by hand. */
const mostDepartments = 20
const mostPosts = 40

/** Rules for the organisation of a group. */
export const orgRules = z.object({
  /** Departments that a group should have, at the top level or below its first department. */
  departments: z
    .array(filled(30, '部门名称').refine((v) => !v.includes('/'), '部门名称不能含有“/”'))
    .max(mostDepartments, `最多 ${mostDepartments} 个部门`)
    .default([]),
  posts: z
    .array(
      z.object({
        post: filled(20, '岗位'),
        /** Role for new members on this post who are given no other role. */
        roleId: ref('role').nullable().default(null),
        /** At least one person must have this post at any time. */
        isKey: z.boolean().default(false),
      }),
    )
    .max(mostPosts, `最多 ${mostPosts} 个岗位`)
    .refine((list) => new Set(list.map((one) => one.post)).size === list.length, '岗位不能重复')
    .default([]),
})
export type OrgRules = z.infer<typeof orgRules>

const brandPart = brandRead.extend({
  type: z.number().int(),
  /** The group's own value; null if inherited. */
  ownName: z.string().nullable(),
  /** The values shown to the group's users, and which group they come from. */
  shown: z.record(
    brandField,
    z.object({ value: z.string().nullable(), fromName: z.string().nullable(), own: z.boolean(), lockedBy: z.string().nullable() }),
  ),
  policy: brandPolicy,
})
const brandBody = z
  .object({ part: z.literal('brand').optional(), ...brandFields, sysName: nullable(text(20, '系统名称')), version: z.number().int() })
  .superRefine(checkColor)

/** A group's presentation: its brand, or with `part=screen` its wall. Clients use one of the two views. */
export const readPresentation = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/logo/settings',
  summary: '获取机构标识设置',
  needs: ['org.set', 'org.view', 'screens.set'],
  query: z.object({ part: z.enum(['brand', 'screen']).optional(), ...whoseScreen }),
  response: z.union([screenPart, brandPart]),
})
export const saveBrand = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org/logo/settings',
  summary: '保存机构标识设置',
  needs: ['org.set', 'screens.set'],
  body: z.discriminatedUnion('part', [screenBodyPart, brandBody]),
})
export const getBrand = viewOf(readPresentation, { query: z.object({ part: z.literal('brand').optional() }), response: brandPart })
export const getScreenPart = viewOf(readPresentation, {
  query: z.object({ part: z.literal('screen'), ...whoseScreen }),
  response: screenPart,
})
/** Parsed input of the brand, and of the wall. */
export type BrandGiven = z.output<typeof brandBody>
export type ScreenGiven = z.output<typeof screenBodyPart>
const below = z.object({
  id: z.string(),
  name: z.string(),
  type: z.number().int(),
  sysName: z.string().nullable(),
  logo: z.string().nullable(),
  primaryColor: z.string().nullable(),
  /** Fields with a value of its own. */
  own: z.array(z.string()),
})
/** Groups that inherit our brand where they have none. */
export const brandsBelow = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/logo/below',
  summary: '下级机构标识',
  needs: ['org.set', 'org.view'],
  groupTypes: [0, 1, 2],
  answers: 'list',
  query: pageQuery.extend({ name: text(50).optional() }),
  response: paged(below),
})
/** Locks fields; the lower groups' own values are kept while ours are shown. */
export const saveBrandPolicy = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/org/logo/policy',
  summary: '锁定下级机构标识',
  needs: 'brand.lock',
  acts: 'aside',
  groupTypes: [0, 1, 2],
  body: z.object({ locked: brandPolicy.shape.locked, version: z.number().int() }),
})

const orgState = z.object({
  id: z.string(),
  rules: orgRules,
  /** Departments of the template that the group lacks. */
  missingDepartments: z.array(z.string()),
  /** Per post: who has it now, and which of them lack its role. */
  posts: z.array(
    z.object({
      post: z.string(),
      isKey: z.boolean(),
      roleName: z.string().nullable(),
      holders: z.array(z.string()),
      without: z.number().int(),
    }),
  ),
  updateBy: z.string().nullable(),
  updateTime: z.string().nullable(),
  version: z.number().int(),
})
/** The rules of the caller's own group, and how far it follows them. An addition to the original API. */
export const getOrgRules = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/rules',
  summary: '获取组织规则',
  needs: ['org.set', 'org.view'],
  response: orgState,
})
export const applyOrgTemplate = endpoint({
  method: 'POST',
  path: '/api/v1/oa/org/rules/apply',
  summary: '按模板补齐部门',
  needs: 'org.set',
  acts: 'aside',
  response: z.object({ made: z.array(z.string()) }),
})
