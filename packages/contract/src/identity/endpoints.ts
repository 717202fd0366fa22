import { z } from 'zod'
import { checkMobile } from '../kit/checks.ts'
import { endpoint } from '../kit/endpoint.ts'
import { filled, instant, paged, pageQuery, parseInstant, phoneText, ref, text } from '../kit/fields.ts'
import { siteRights } from '../kit/project-rights.ts'
import { hourMs } from '../kit/time.ts'
import { shownInfo } from '../organisation/group-info.ts'
import { mapType } from '../organisation/map-type.ts'
import { passwordProblem } from './password.ts'

/** Lifetime of a session as the browser stores it: alive while `now < timeStamp + duration` (milliseconds). */
export const keepLive = z.object({ live: z.boolean(), timeStamp: z.number(), duration: z.number() })

/** Days for which an expired membership or role is still shown, with the people to contact. */
export const endedShownDays = 30
export const groupCard = z.object({
  id: z.string(),
  groupsType: z.number().int(),
  code: z.string(),
  name: z.string(),
  sysName: z.string(),
  logo: z.string().nullable(),
  screen: z.string().nullable(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  roleNames: z.array(z.string()),
  /** Roles that expired within `endedShownDays`, with their last day. */
  endedRoles: z.array(z.object({ name: z.string(), until: z.string() })),
  /** The people who can restore an expired role: administrators of the group. */
  ask: z.array(z.string()),
  deadline: z.string().nullable(),
  enabled: z.boolean(),
  /** Why the group cannot be entered. */
  offReason: z.string().nullable(),
  openAlarms: z.number().int(),
  lastVisit: z.string().nullable(),
  isDefault: z.boolean(),
})
export type GroupCard = z.infer<typeof groupCard>

export const myInfo = z.object({
  id: z.string(),
  account: z.string(),
  name: z.string(),
  phone: z.string().nullable(),
  groupsType: z.number().int(),
  /** The group of the session; null before one is chosen. */
  groupId: z.string().nullable(),
  groupName: z.string().nullable(),
  /** The default project of a project group, else `*`. */
  projectCode: z.string(),
  operator: z.array(z.string()),
  standing: siteRights,
  mustChangePassword: z.boolean(),
  /** The group requires a second factor and the account has none: all calls are refused until it is set up. */
  mustSetSecondFactor: z.boolean(),
  passwordAgeDays: z.number().int(),
  lastLogin: z.object({ at: z.string(), ip: z.string() }).nullable(),
  profile: z.object({ sysName: z.string(), logo: z.string().nullable(), primaryColor: z.string().nullable(), mapType }),
  /** The people to contact, and the notice that the group shows to its people. */
  help: shownInfo,
})
export type MyInfo = z.infer<typeof myInfo>

export const credentials = z.object({
  account: filled(64, '账号'),
  password: z.string({ error: '请填写密码' }).min(1, '请填写密码').max(128, '密码过长'),
  captcha: z.string().max(16).optional(),
  captchaKey: z.string().max(64).optional(),
  /** Id of an invitation to accept while logging in, for a user who is in no active group. */
  join: z.string().max(64).optional(),
  /** Login page; `admin` accepts only accounts of group type 0. */
  entry: z.enum(['default', 'classic', 'admin']).default('default'),
  keep: z.boolean().default(false),
  /** Code of the second factor, or a recovery code. */
  otp: z.string().max(20).optional(),
})

export const loginAnswer = z.object({
  token: z.string(),
  keepLive,
  groupsType: z.number().int(),
  mustChangePassword: z.boolean(),
  groups: z.array(groupCard),
  lastLogin: z.object({ at: z.string(), ip: z.string() }).nullable(),
})

export const captcha = endpoint({
  method: 'GET',
  path: '/api/v1/sys/captcha',
  summary: '获取登录验证码',
  perMinute: 60,
  needs: 'public',
  response: z.object({ captchaKey: z.string(), /** A PNG as data URL. */ image: z.string(), expiresIn: z.number() }),
})
export const login = endpoint({
  method: 'POST',
  path: '/api/v1/sys/login',
  summary: '账号密码登录',
  perMinute: 60,
  needs: 'public',
  body: credentials,
  response: loginAnswer,
})
export const logout = endpoint({ method: 'POST', path: '/api/v1/sys/logout', summary: '退出登录', needs: 'self', initialPassword: true })
export const refreshToken = endpoint({
  method: 'POST',
  path: '/api/v1/sys/token/refresh',
  summary: '刷新令牌',
  needs: 'self',
  acts: 'aside',
  initialPassword: true,
  unaudited: 'only prolongs the session',
  response: z.object({ keepLive }),
})
export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/password',
  summary: '修改本人密码',
  needs: 'self',
  acts: 'aside',
  initialPassword: true,
  body: z.object({
    oldPassword: z.string({ error: '请填写原密码' }).min(1, '请填写原密码').max(128, '密码过长'),
    newPassword: z.string({ error: '请填写新密码' }).superRefine((v, context) => {
      const problem = passwordProblem(v)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    }),
  }),
})
/**
 * Where the caller's own notices are sent. Responses contain masked values only. In a change, a field left out is unchanged, and an empty
 * one is deleted.
 */
export const getMyContact = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/contact',
  summary: '本人接收方式',
  needs: 'self',
  response: z.object({
    phoneMask: z.string().nullable(),
    emailMask: z.string().nullable(),
    /** Whether a new number must be confirmed by a code sent to it; false when this installation cannot send text messages. */
    codeNeeded: z.boolean(),
  }),
})
/** Sends a code to the new number, so that a mistyped number, or one of somebody else, is not saved. */
export const sendContactCode = endpoint({
  method: 'POST',
  path: '/api/v1/sys/my/contact/code',
  summary: '发送新手机号验证码',
  needs: 'self',
  acts: 'aside',
  perMinute: 5,
  body: z.object({
    phone: phoneText('手机号', 20).refine((v) => checkMobile(v, { mainlandOnly: true }) === undefined, '手机号应为 1 开头的 11 位数字'),
    password: z.string({ error: '请填写登录密码' }).min(1, '请填写登录密码').max(128, '密码过长'),
  }),
  response: z.object({ /** Minutes for which the code is valid. */ minutes: z.number().int() }),
})
export const changeMyContact = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/contact',
  summary: '修改本人接收方式',
  needs: 'self',
  acts: 'aside',
  body: z.object({
    phone: phoneText('手机号', 20)
      .refine((v) => v === '' || checkMobile(v, { mainlandOnly: true }) === undefined, '手机号应为 1 开头的 11 位数字')
      .optional(),
    email: text(100, '邮箱')
      .refine((v) => v === '' || /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(v), '邮箱格式不正确')
      .optional(),
    /** Code for a new number, if this installation sends codes. */
    code: text(8, '验证码').optional(),
    /**
     * The password is required, so that somebody at an unlocked screen cannot redirect the notices, or the code for a forgotten password.
     */
    password: z.string({ error: '请填写登录密码' }).min(1, '请填写登录密码').max(128, '密码过长'),
  }),
  response: z.object({ phoneMask: z.string().nullable(), emailMask: z.string().nullable() }),
})
/** The caller's own sessions, one per device. `id` identifies a session but gives no access to it. */
export const listMySessions = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/session',
  summary: '本人登录设备',
  needs: 'self',
  answers: 'list',
  response: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        isCurrent: z.boolean(),
        entry: z.string(),
        device: z.string(),
        ip: z.string(),
        createTime: z.string(),
        seenTime: z.string(),
      }),
    ),
    total: z.number().int(),
  }),
})
export const endMySession = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/my/session/:id',
  summary: '退出本人的其他登录',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: z.string().regex(/^[0-9a-f]{16}$/, '登录编号格式不正确') }),
})
/** The caller's own logins including refused ones: the owner is the first to notice somebody else's attempts. */
export const listMySignIns = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/sign-in',
  summary: '本人登录记录',
  needs: 'self',
  answers: 'list',
  query: pageQuery,
  response: paged(z.object({ id: z.string(), at: z.string(), result: z.string(), summary: z.string(), ip: z.string() })),
})
export const getMyInfo = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/info',
  summary: '本人信息',
  needs: 'self',
  initialPassword: true,
  response: myInfo,
})

export const ownGroups = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/own/groups',
  summary: '本人所属组',
  needs: 'self',
  answers: 'list',
  response: z.object({ list: z.array(groupCard), total: z.number().int() }),
})

/** Switches the session to another of the caller's groups, and to one of its projects or all. */
export const switchProject = endpoint({
  method: 'POST',
  path: '/api/v2/oa/project/switch/project',
  summary: '切换当前项目',
  needs: 'self',
  acts: 'aside',
  body: z.object({ projectCode: ref('project').default('*'), groupId: ref('group').optional(), makeDefault: z.boolean().optional() }),
  response: myInfo,
})

export const publicSettings = endpoint({
  method: 'GET',
  path: '/api/v1/sys/setting/fetch',
  summary: '获取公共设置',
  needs: 'public',
  query: z.object({ org: text(64).optional() }),
  response: z.object({
    mainHead: z.string(),
    subHead: z.string(),
    privateCloudIdentifier: z.string(),
    /** Always empty: calls and files use the origin of the page. */
    serverHost: z.string(),
    mqttHost: z.string(),
    resourceHost: z.string(),
    logoImage: z.string(),
    backgroundImage: z.string(),
    appQrcodePrj: z.string(),
    appQrcodeGov: z.string(),
    prjBtnName: z.string(),
    govBtnName: z.string(),
    helpDoc: z.string(),
    serviceHotline: z.string(),
    footers: z.array(z.string()),
    /** Only on a demonstration: accounts to try, with the passwords generated for this installation. */
    demoAccounts: z.array(z.object({ role: z.string(), account: z.string(), password: z.string(), groupName: z.string() })).optional(),
    keepLiveAllowed: z.boolean(),
    /** Whether this installation can send the code for resetting a forgotten password. */
    forgotAllowed: z.boolean(),
    /** Colour of the group for which the page was opened; null: the product's own. */
    primaryColor: z.string().nullable().default(null),
    version: z.string(),
    map: z.object({ tiles: z.string(), crs: z.string(), attribution: z.string() }).nullable(),
    /** Planned maintenance of the platform; null when none is planned or it is over. */
    maintenance: z.object({ from: z.string(), until: z.string(), words: z.string() }).nullable().default(null),
  }),
})
/** Longest maintenance: a longer one is a mistyped date. */
const longestMaintenanceHours = 72

export const updateSettings = endpoint({
  method: 'POST',
  path: '/api/v1/sys/setting/update',
  summary: '更新公共设置',
  needs: 'system.set',
  acts: 'aside',
  groupTypes: [0],
  body: z
    .object({
      mainHead: text(40),
      subHead: text(60),
      privateCloudIdentifier: text(40),
      /** A port (`:9001`) or path (`/mqtt`) on the page's host, or another host, with or without a scheme. */
      mqttHost: text(200, '实时数据地址').regex(
        /^(|:\d{1,5}(\/[\w./-]*)?|\/[\w./-]+|(wss?:\/\/)?[\w-]+(\.[\w-]+)*(:\d{1,5})?(\/[\w./-]*)?)$/,
        '实时数据地址应为 :端口、/路径 或 wss://主机',
      ),
      logoImage: text(400),
      backgroundImage: text(400),
      appQrcodePrj: text(400),
      appQrcodeGov: text(400),
      prjBtnName: text(10),
      govBtnName: text(10),
      helpDoc: text(400),
      serviceHotline: text(40),
      footers: z.array(text(100)).max(6),
      keepLiveAllowed: z.boolean(),
      /** A map tile service with its URL pattern, coordinate system and required attribution; null: none. */
      map: z
        .object({
          tiles: text(400, '瓦片地址').refine(
            (v) => /^(https:\/\/|\/)/.test(v) && ['{x}', '{z}'].every((part) => v.includes(part)) && /\{-?y\}/.test(v),
            '瓦片地址应以 https:// 或 / 开头，并含 {z}、{x}、{y}',
          ),
          crs: z.enum(['wgs84', 'gcj02', 'bd09'], { error: '坐标系应为 wgs84、gcj02 或 bd09' }),
          attribution: text(200, '版权与审图号').min(1, '请填写版权与审图号'),
        })
        .nullable(),
      /** Shown on the login page and the entrance, and from a day before on every page; null cancels it. */
      maintenance: z
        .object({ from: instant, until: instant, words: text(100, '维护说明').min(1, '请填写维护说明') })
        .superRefine(({ from, until }, issues) => {
          const lasts = (parseInstant(until) ?? Number.NaN) - (parseInstant(from) ?? Number.NaN)
          const wrong = (message: string) => issues.addIssue({ code: 'custom', path: ['until'], message })
          if (lasts <= 0) wrong('结束时间应晚于开始时间')
          else if (lasts > longestMaintenanceHours * hourMs) wrong(`一次维护最长 ${longestMaintenanceHours} 小时`)
        })
        .nullable(),
    })
    .partial(),
})
