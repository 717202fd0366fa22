import { z } from 'zod'
import { checkEmail, checkMobile } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { checked, text } from '../kit/fields.ts'

/** Settings that the operator makes for the whole deployment. */

const whole = (label: string, low: number, high: number, unit: string) =>
  z
    .number({ error: `请填写${label}` })
    .int(`${label}应为整数`)
    .min(low, `${label}至少 ${low} ${unit}`)
    .max(high, `${label}最多 ${high} ${unit}`)

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
/** Splits a one-line list into addresses and networks. */
export const networksIn = (list: string): string[] => list.split(/[\s,，;；、]+/).filter(Boolean)
const networkList = checked(text(500, '登录地址'), (list) => {
  const wrong = networksIn(list).find((one) => !network.safeParse(one).success)
  return wrong === undefined ? undefined : `“${wrong.slice(0, 40)}”不是 IP 地址或网段（如 10.1.2.3 或 10.1.0.0/16）`
})

/** Session lifetime, password attempts, and allowed addresses. */
export const safety = z.object({
  /** Minutes of inactivity after which a session ends. */
  idleMinutes: whole('闲置退出', 5, 120, '分钟').default(30),
  /** Lifetime in hours of a session with 保持登录. */
  keepHours: whole('保持登录', 1, 24, '小时').default(12),
  /** Number of consecutive wrong passwords that locks an account; it must be higher than the number after which a captcha is required. */
  lockAfter: whole('锁定次数', 4, 10, '次').default(5),
  lockMinutes: whole('锁定时长', 5, 1440, '分钟').default(15),
  /** Addresses from which platform administrators may log in; empty: any. */
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

/** Logs of what was sent and received must be kept at least six months (网络安全法 第二十一条). */
export const leastLogDays = 180
/** Wage disputes can be raised within a year, so the pictures that prove attendance are kept as long (劳动争议调解仲裁法 第二十七条). */
export const leastAttendancePictureDays = 365
/** Pictures of a hazard are kept as long as somebody may still ask about the alarm. */
export const leastDevicePictureDays = 180
/** Surveillance videos must be kept at least thirty days (公共安全视频图像信息系统管理条例 第二十条). */
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
    /** Channels that this installation can send over. */
    channels: z.object({ mail: z.boolean(), sms: z.boolean() }),
    status: z.array(z.object({ label: z.string(), value: z.string() })),
  }),
})
/** Changes one part at a time; it applies to everything that starts afterwards. */
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
/** Sends a test message over a channel. */
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
