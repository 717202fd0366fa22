import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { day, filled, flag, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { sitePlan } from '../organisation/site-plan.ts'
import { cardPlace, figureLimits } from '../settings/dashboard.ts'
import { approvalRow } from '../workflow/endpoints.ts'
import { approvalsAnswer, approvalsQuery } from '../workflow/lists.ts'

/** One figure of a home page: its number, what it means, and the list it leads to. */
export const homeFigure = z.object({
  key: z.string(),
  title: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  digits: z.number().int(),
  /** One line: against what, since when. */
  note: z.string(),
  tone: z.enum(['plain', 'fine', 'warning', 'danger']),
  trend: z.array(z.number()),
  link: z.string().nullable(),
})
export type HomeFigure = z.infer<typeof homeFigure>

/** Something to be done today, what hurts most first. */
export const homeTask = z.object({
  id: z.string(),
  kind: z.string(),
  kindName: z.string(),
  level: z.number().int().nullable(),
  title: z.string(),
  reason: z.string(),
  time: z.string(),
  projectCode: z.string().nullable(),
  projectName: z.string().nullable(),
  /** An alarm that still goes on. */
  active: z.boolean(),
  overdue: z.boolean(),
  /** For a task about several things: their number and how many are overdue. Null for a single one. */
  several: z.object({ count: z.number().int(), late: z.number().int() }).nullable(),
  /** By when: past, today, until Sunday, after it. */
  due: z.enum(['overdue', 'today', 'week', 'later']),
  /** The last day for it; null where there is none. */
  dueDay: z.string().nullable(),
  action: z.string(),
  link: z.string(),
})
export type HomeTask = z.infer<typeof homeTask>

export const deviceFamilyState = z.object({
  family: z.string(),
  name: z.string(),
  total: z.number().int(),
  online: z.number().int(),
  alarming: z.number().int(),
  /** Online and without an alarm, yet not in order by what they say. */
  faulty: z.number().int(),
  /** The one thing wrong, in words. */
  problem: z.string(),
  link: z.string().nullable(),
})

export const homeProject = z.object({
  projectCode: z.string(),
  name: z.string(),
  areaCode: z.string(),
  areaName: z.string(),
  prjStatus: z.string(),
  prjStatusName: z.string(),
  lng: z.number().nullable(),
  lat: z.number().nullable(),
  onSite: z.number().int(),
  attended: z.number().int(),
  /** How many the running day expects: 0 on a rest day and where work stands still. */
  expected: z.number().int(),
  /** Those of them who came, and the percentage; null where nobody is expected. */
  arrived: z.number().int(),
  rate: z.number().nullable(),
  /** Alarms that wait to be dealt with, and those of levels 1 and 2 among them. */
  openAlarms: z.number().int(),
  graveAlarms: z.number().int(),
  worstLevel: z.number().int().nullable(),
  devices: z.number().int(),
  online: z.number().int(),
  absentPosts: z.number().int(),
  /** 0-100, higher = look there first, and why. */
  score: z.number().int(),
  why: z.array(z.string()),
  week: z.array(z.number().int()),
})
export type HomeProject = z.infer<typeof homeProject>

export const mainPage = z.object({
  kind: z.enum(['project', 'corporation', 'government', 'platform', 'index']),
  at: z.string(),
  figures: z.array(homeFigure),
  /** Of the alarms that wait, those of levels 1 and 2. */
  graveAlarms: z.number().int(),
  tasks: z.array(homeTask),
  /** All of them; `tasks` holds the first few. */
  taskCount: z.number().int(),
  /** Project: what stands on the page where and how large, as the site or whoever stands above it set it; null as delivered. */
  layout: z.object({ cards: z.array(cardPlace), limits: figureLimits, forced: z.array(z.string()), arranged: z.boolean() }).nullable(),
  /** Project: the site itself. */
  site: z
    .object({
      projectCode: z.string(),
      name: z.string(),
      lng: z.number().nullable(),
      lat: z.number().nullable(),
      prjStatus: z.string(),
      prjStatusName: z.string(),
      phaseName: z.string().nullable(),
      startDate: z.string().nullable(),
      completeDate: z.string().nullable(),
      sitePlan: sitePlan.nullable(),
      /** Machines with a place in the site's plane. */
      machines: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          family: z.string(),
          x: z.number(),
          y: z.number(),
          state: z.enum(['normal', 'warning', 'alarm', 'offline', 'maintenance']),
          stateText: z.string(),
          jibLength: z.number().nullable(),
          slewAngle: z.number().nullable(),
        }),
      ),
      weather: z.object({
        temperature: z.number().nullable(),
        humidity: z.number().nullable(),
        wind: z.number().nullable(),
        pm10: z.number().nullable(),
        at: z.string().nullable(),
      }),
    })
    .nullable(),
  /** Project: who must be here. Names for the project, its companies and whoever supervises it, not for the platform's operators. */
  keyPosts: z.array(
    z.object({
      post: z.string(),
      postName: z.string(),
      name: z.string(),
      since: z.string().nullable(),
      /** Whether the day asks for him at all. */
      expected: z.boolean(),
      present: z.boolean(),
    }),
  ),
  /** People through the gates by hour today, and on the same day last week. */
  hours: z.array(z.object({ hour: z.string(), today: z.number().int().nullable(), lastWeek: z.number().int() })),
  week: z.array(z.object({ day: z.string(), attended: z.number().int(), onSite: z.number().int() })),
  devices: z.array(deviceFamilyState),
  projects: z.array(homeProject),
  districts: z.array(
    z.object({
      areaCode: z.string(),
      name: z.string(),
      projects: z.number().int(),
      building: z.number().int(),
      onSite: z.number().int(),
      /** Today's: of those expected, how many came; the rate is null while nobody is expected. */
      attended: z.number().int(),
      expected: z.number().int(),
      arrived: z.number().int(),
      rate: z.number().nullable(),
      /** Of the last seven days that are over, as far as they expected people; `change` is against the seven before. */
      weekRate: z.number().nullable(),
      onlineRate: z.number().nullable(),
      openAlarms: z.number().int(),
      graveAlarms: z.number().int(),
      realNameRate: z.number().nullable(),
      score: z.number().nullable(),
      change: z.number().nullable(),
    }),
  ),
  /** Platform: how the service is. */
  service: z
    .object({
      groups: z.number().int(),
      users: z.number().int(),
      withoutAdmin: z.number().int(),
      gatewaysOffline: z.number().int(),
      unregistered: z.number().int(),
      readingsPerMinute: z.number().int(),
      jobsRunning: z.number().int(),
      jobsFailed: z.number().int(),
      databaseMb: z.number().int(),
    })
    .nullable(),
})
export type MainPage = z.infer<typeof mainPage>

export const getMainPage = endpoint({
  method: 'GET',
  path: '/api/v1/home/web/mainPage',
  summary: '首页数据',
  needs: 'home.view',
  query: z.object({ view: z.enum(['main', 'hs', 'v1', 'index']).default('main'), projectCode: ref('project').optional() }),
  response: mainPage,
})
export const homeReport = z.object({
  attendance: z.array(z.object({ day: z.string(), attended: z.number().int(), inPlace: z.number().int() })),
  alarms: z.array(
    z.object({ day: z.string(), level1: z.number().int(), level2: z.number().int(), level3: z.number().int(), level4: z.number().int() }),
  ),
  trades: z.array(z.object({ name: z.string(), count: z.number().int() })),
  /** Of those in place now: verified, under contract, trained on entry, with an account for wages. */
  compliance: z.object({
    inPlace: z.number().int(),
    realName: z.number().int(),
    contract: z.number().int(),
    trained: z.number().int(),
    account: z.number().int(),
  }),
})
export const getHomeReport = endpoint({
  method: 'GET',
  path: '/api/v1/home/web/report',
  summary: '首页报表',
  needs: 'home.view',
  query: z.object({ days: z.coerce.number().int().min(1).max(90).default(30), projectCode: ref('project').optional() }),
  response: homeReport,
})
export const listHomeAlerts = endpoint({
  method: 'GET',
  path: '/api/v1/home/web/alert',
  summary: '首页提醒',
  needs: 'home.view',
  answers: 'list',
  query: pageQuery.extend({ projectCode: ref('project').optional() }),
  response: z.object({ list: z.array(homeTask), total: z.number().int() }),
})
const todosQuery = pageQuery.extend({
  group: z.enum(['*', 'active']).default('active'),
  kind: text(30).optional(),
  /** As `due` of a task; approvals have a filter of that name. */
  dueIn: z.enum(['overdue', 'today', 'week', 'later']).optional(),
  /** Of which this is the last day. */
  dueOn: day.optional(),
  /** What one has put off, in the place of what waits. */
  snoozed: flag.optional(),
})
const todoRow = homeTask.extend({ groupId: z.string(), groupName: z.string(), mine: z.boolean(), snoozedUntil: z.string().nullable() })
const todosBeside = {
  groups: z.array(
    z.object({
      groupId: z.string(),
      groupName: z.string(),
      count: z.number().int(),
      overdue: z.number().int(),
      /** Alarms of levels 1 and 2 that wait, singly: tasks hold repeated ones as one. */
      graveAlarms: z.number().int(),
    }),
  ),
  /** Over all groups; an alarm seen from two of them counts once. */
  graveAlarms: z.number().int(),
  dueToday: z.number().int(),
  /** How much of what waits has its last day when, whatever is chosen. */
  days: z.array(z.object({ day: z.string(), count: z.number().int() })),
  snoozed: z.number().int(),
  /** What one has asked for as the active group and nobody has decided yet, and as one's other groups. */
  startedOpen: z.number().int(),
  startedElsewhere: z.number().int(),
}
/** What waits, of every kind; with `box` approvals, one by one. */
export const todoMessages = endpoint({
  method: 'GET',
  path: '/api/v1/oa/todo/message/list',
  summary: '待办消息列表',
  needs: 'self',
  answers: 'list',
  query: z.object({ ...approvalsQuery.shape, box: approvalsQuery.shape.box.optional(), ...todosQuery.shape }),
  response: paged(z.union([approvalRow, todoRow])).extend({
    groups: todosBeside.groups.optional(),
    graveAlarms: todosBeside.graveAlarms.optional(),
    dueToday: todosBeside.dueToday.optional(),
    days: todosBeside.days.optional(),
    snoozed: todosBeside.snoozed.optional(),
    startedOpen: todosBeside.startedOpen.optional(),
    startedElsewhere: todosBeside.startedElsewhere.optional(),
    counts: approvalsAnswer.shape.counts.optional(),
    kinds: approvalsAnswer.shape.kinds.optional(),
  }),
})
/** What waits for me, in all my groups or the active one. */
export const listTodos = viewOf(todoMessages, { query: todosQuery, response: paged(todoRow).extend(todosBeside) })
/** The longest that something may be put off, in hours. */
export const longestSnoozeHours = 7 * 24
/** Puts a task of one's own off for some hours, or takes it back with 0. Alarms of level 1 cannot be. */
export const snoozeTodo = endpoint({
  method: 'POST',
  path: '/api/v1/oa/todo/snooze',
  summary: '待办稍后提醒',
  needs: 'self',
  acts: 'aside',
  body: z.object({
    groupId: ref('group'),
    task: filled(120, '待办'),
    hours: z.number({ error: '请填写小时数' }).int('小时数应为整数').min(0, '小时数不能为负').max(longestSnoozeHours, '最多推迟 7 天'),
  }),
  response: z.object({ until: z.string().nullable() }),
})
/** Approvals of the active group, by box. */
export const listApprovals = viewOf(todoMessages, { query: approvalsQuery, response: approvalsAnswer })
export const approvalList = listOf(listApprovals, {
  feature: 'approval',
  columns: {
    code: '编号',
    title: '事项',
    bizType: '业务',
    projectName: '项目',
    groupName: '发起单位',
    applicant: '发起人',
    node: '当前节点',
    createTime: '发起时间',
    deadline: '时限',
    stay: '停留小时',
    state: '状态',
    doneTime: '办结时间',
  },
})
export const deviceCenter = endpoint({
  method: 'GET',
  path: '/api/v1/home/device/center',
  summary: '设备中心数据',
  needs: 'home.view',
  query: z.object({ projectCode: ref('project').optional() }),
  response: z.object({
    total: z.number().int(),
    online: z.number().int(),
    alarming: z.number().int(),
    families: z.array(deviceFamilyState),
  }),
})
export const deviceCenterColumns = endpoint({
  method: 'GET',
  path: '/api/v1/home/device/center/column',
  summary: '设备中心统计列',
  needs: 'home.view',
  answers: 'list',
  query: pageQuery,
  response: z.object({
    list: z.array(
      z.object({
        projectCode: z.string(),
        projectName: z.string(),
        total: z.number().int(),
        online: z.number().int(),
        families: z.array(z.object({ family: z.string(), name: z.string(), total: z.number().int(), online: z.number().int() })),
      }),
    ),
    total: z.number().int(),
  }),
})
