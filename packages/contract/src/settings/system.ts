import { z } from 'zod'
import { checkEmail, checkMobile } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, text } from '../kit/fields.ts'

/** What the operator of a deployment decides for all of it. */

const whole = (label: string, low: number, high: number, unit: string) =>
  z
    .number({ error: `请填写${label}` })
    .int(`${label}应为整数`)
    .min(low, `${label}至少 ${low} ${unit}`)
    .max(high, `${label}最多 ${high} ${unit}`)

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** The addresses and networks of a list that is written in one line. */
export const networksIn = (list: string): string[] => list.split(/[\s,，;；、]+/).filter(Boolean)
const networkList = checked(text(500, '登录地址'), (list) => {
  const wrong = networksIn(list).find((one) => !network.safeParse(one).success)
  return wrong === undefined ? undefined : `“${wrong.slice(0, 40)}”不是 IP 地址或网段（如 10.1.2.3 或 10.1.0.0/16）`
})

/** How long sessions last, from where and how often a password may be guessed. */
export const safety = z.object({
  /** Minutes without a touch after which a session is over. */
  idleMinutes: whole('闲置退出', 5, 120, '分钟').default(30),
  /** Hours that 保持登录 lasts. */
  keepHours: whole('保持登录', 1, 24, '小时').default(12),
  /** Wrong passwords in a row after which an account is locked; more than ask for a captcha. */
  lockAfter: whole('锁定次数', 4, 10, '次').default(5),
  lockMinutes: whole('锁定时长', 5, 1440, '分钟').default(15),
  /** From where platform administrators may log in; empty is from everywhere. */
  adminAddresses: networkList.default(''),
})
export type Safety = z.output<typeof safety>
export const safetyNames = {
  idleMinutes: '闲置退出（分钟）',
  keepHours: '保持登录（小时）',
  lockAfter: '输错几次锁定',
  lockMinutes: '锁定时长（分钟）',
  adminAddresses: '平台管理员登录地址',
} as const satisfies Record<keyof Safety, string>

/** Records of what went out and came in are kept six months at least (网络安全法 第二十一条). */
export const leastLogDays = 180
/** What a wage is disputed over may be asked for within a year (劳动争议调解仲裁法 第二十七条). */
export const leastAttendancePictureDays = 365
/** Pictures of a hazard are kept while the alarm may be asked about. */
export const leastDevicePictureDays = 180
/** Pictures of surveillance are kept thirty days at least (公共安全视频图像信息系统管理条例 第二十条). */
export const leastVideoDays = 30
export const retention = z.object({
  messageDays: whole('站内消息保留', 30, 730, '天').default(90),
  logDays: whole('通知与执行日志保留', leastLogDays, 1825, '天').default(400),
  attendancePictureDays: whole('考勤抓拍保留', leastAttendancePictureDays, 3650, '天').default(1095),
  devicePictureDays: whole('设备照片保留', leastDevicePictureDays, 3650, '天').default(1095),
  videoDays: whole('视频截图与书签保留', leastVideoDays, 3650, '天').default(365),
})
export type Retention = z.output<typeof retention>
export const retentionNames = {
  messageDays: '站内消息（天）',
  logDays: '通知与执行日志（天）',
  attendancePictureDays: '考勤抓拍照片（天）',
  devicePictureDays: '设备与应用上传的照片（天）',
  videoDays: '视频截图与书签（天）',
} as const satisfies Record<keyof Retention, string>

const last = z.object({ updateBy: z.string().nullable(), updateTime: z.string().nullable(), version: z.number().int() })

export const getSystem = endpoint({
  method: 'GET',
  path: '/api/v1/sys/setting/system',
  summary: '系统设置',
  needs: 'system.set',
  groupTypes: [0],
  response: z.object({
    safety: last.extend({ value: safety }),
    retention: last.extend({ value: retention }),
    /** Ways out that this installation has. */
    channels: z.object({ mail: z.boolean(), sms: z.boolean() }),
    status: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
})
/** One part at a time; it holds for whatever begins after it. */
export const setSystem = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/setting/system',
  summary: '保存系统设置',
  needs: 'system.set',
  acts: 'aside',
  groupTypes: [0],
  body: z.discriminatedUnion('part', [
    z.object({ part: z.literal('safety'), value: safety, version: z.number().int() }),
    z.object({ part: z.literal('retention'), value: retention, version: z.number().int() }),
  ]),
})
/** Sends a line to try a way out. */
export const tryChannel = endpoint({
  method: 'POST',
  path: '/api/v1/sys/setting/channel/test',
  summary: '通知渠道测试',
  needs: 'system.set',
  acts: 'aside',
  groupTypes: [0],
  perMinute: 6,
  body: z.discriminatedUnion('channel', [
    z.object({ channel: z.literal('mail'), to: checked(text(100, '邮箱').min(1, '请填写邮箱'), checkEmail) }),
    z.object({ channel: z.literal('sms'), to: checked(text(20, '手机号').min(1, '请填写手机号'), (v) => checkMobile(v)) }),
  ]),
})
