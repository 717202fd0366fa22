import { z } from 'zod'
import { checkPhone, checkUrl } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, day, nullable, phoneText, text } from '../kit/fields.ts'
import { restDays } from '../kit/rest-days.ts'
import { mapType } from './map-type.ts'

/** Contacts and texts for the users of a group; plain text only. */
const fields = {
  introduction: nullable(text(500, '简介')),
  contact: nullable(text(20, '联系人')),
  servicePhone: nullable(checked(phoneText('服务电话', 20), checkPhone)),
  dutyPhone: nullable(checked(phoneText('值班电话', 20), checkPhone)),
  address: nullable(text(100, '地址')),
  officeHours: nullable(text(50, '办公时间')),
  helpDoc: nullable(checked(text(300, '帮助文档'), checkUrl)),
  notice: nullable(text(200, '首页通知')),
  noticeUntil: nullable(day),
  /** Null means inherited; the module map is the empty string, so '' is not treated as null here. */
  mapType: mapType.nullable().default(null),
  /** The working calendar; null means inherited. */
  calendar: restDays.nullable().default(null),
}
export const groupInfo = z.object(fields)
export type GroupInfo = z.output<typeof groupInfo>
export const groupInfoNames = {
  introduction: '简介',
  contact: '联系人',
  servicePhone: '服务电话',
  dutyPhone: '值班电话',
  address: '地址',
  officeHours: '办公时间',
  helpDoc: '帮助文档',
  notice: '首页通知',
  noticeUntil: '通知截止',
  mapType: '地图类型',
  calendar: '工作日历',
} as const satisfies Record<keyof GroupInfo, string>
/** Fields that a group without a value inherits from the group above; a notice is never inherited. */
export const inheritedInfo = ['contact', 'servicePhone', 'dutyPhone', 'officeHours', 'helpDoc'] as const

/** Help information for a user: from the user's group, else from the group above. */
export const shownInfo = z.object({
  contact: z.string().nullable(),
  servicePhone: z.string().nullable(),
  dutyPhone: z.string().nullable(),
  officeHours: z.string().nullable(),
  helpDoc: z.string().nullable(),
  /** Until its last day; null after that. */
  notice: z.string().nullable(),
})
export type ShownInfo = z.infer<typeof shownInfo>

export const getGroupInfo = endpoint({
  method: 'GET',
  path: '/api/v1/oa/org/info',
  summary: '机构信息设置',
  needs: ['org.set', 'org.view'],
  response: z.object({
    own: groupInfo,
    /** For empty own fields: the inherited value and the group it comes from. */
    above: z.record(z.enum(inheritedInfo), z.object({ value: z.string(), fromName: z.string() }).nullable()),
    /** The inherited values; `fromName` null means the default of the product. */
    mapTypeAbove: z.object({ value: mapType, fromName: z.string().nullable() }),
    calendarAbove: z.object({ value: restDays, fromName: z.string().nullable() }),
    /** Whether this deployment has tiles for a world map. */
    hasTiles: z.boolean(),
    updateBy: z.string().nullable(),
    updateTime: z.string().nullable(),
    version: z.number().int(),
  }),
})
export const saveGroupInfo = endpoint({
  method: 'PUT',
  path: '/api/v1/oa/org/info',
  summary: '保存机构信息设置',
  needs: 'org.set',
  acts: 'aside',
  body: groupInfo.extend({ version: z.number().int() }).superRefine((b, context) => {
    if (b.notice && !b.noticeUntil) context.addIssue({ code: 'custom', path: ['noticeUntil'], message: '请填写通知显示到哪一天' })
  }),
})
