import { z } from 'zod'
import { endpoint, viewOf } from '../kit/endpoint.ts'
import { day, filled, flag, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { listOf } from '../kit/list.ts'
import { sitePlan } from '../organisation/site-plan.ts'
import { cardPlace, figureLimits } from '../settings/dashboard.ts'
import { approvalRow } from '../workflow/endpoints.ts'
import { approvalsAnswer, approvalsQuery } from '../workflow/lists.ts'

/** One figure of a home page: its number, its meaning, and the list that it links to. */
export const homeFigure = z.object({
  key: z.string(),
  title: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  digits: z.number().int(),
  /** One line: comparison value or start of the period. */
  note: z.string(),
  tone: z.enum(['plain', 'fine', 'warning', 'danger']),
  trend: z.array(z.number()),
  link: z.string().nullable(),
})
export type HomeFigure = z.infer<typeof homeFigure>

/** A task for today. Tasks are sorted by urgency. */
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
  /** The alarm condition still persists. */
  active: z.boolean(),
  overdue: z.boolean(),
  /** For a task about several records: their number, and how many are overdue. Null for a single record. */
  several: z.object({ count: z.number().int(), late: z.number().int() }).nullable(),
  /** Due: before today, today, until Sunday, later. */
  due: z.enum(['overdue', 'today', 'week', 'later']),
  /** The last day for it; null without one. */
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
  /** Devices that are online and without an alarm but report a fault. */
  faulty: z.number().int(),
  /** The one problem, as displayed. */
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
  /** People expected on the current day: 0 on a rest day and when work is suspended. */
  expected: z.number().int(),
  /** How many of them arrived, and the percentage; null when nobody is expected. */
  arrived: z.number().int(),
  rate: z.number().nullable(),
  /** Unhandled alarms, and those of levels 1 and 2 among them. */
  openAlarms: z.number().int(),
  graveAlarms: z.number().int(),
  worstLevel: z.number().int().nullable(),
  devices: z.number().int(),
  online: z.number().int(),
  absentPosts: z.number().int(),
  /** 0-100; a higher score needs attention sooner. `why` gives the reasons. */
  score: z.number().int(),
  why: z.array(z.string()),
  week: z.array(z.number().int()),
})
export type HomeProject = z.infer<typeof homeProject>

export const mainPage = z.object({
  kind: z.enum(['project', 'corporation', 'government', 'platform', 'index']),
  at: z.string(),
  figures: z.array(homeFigure),
  /** Unhandled alarms of levels 1 and 2. */
  graveAlarms: z.number().int(),
  tasks: z.array(homeTask),
  /** Number of all tasks; `tasks` contains the first ones. */
  taskCount: z.number().int(),
  /** Project: position and size of the cards, as the site or a group above has arranged them; null for the delivered layout. */
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
      /** Machines with a position on the site plan. */
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
  /**
   * Project: people who must be present. Names only for the project, its companies and its supervising authorities, not for the platform's
   * operators.
   */
  keyPosts: z.array(
    z.object({
      post: z.string(),
      postName: z.string(),
      name: z.string(),
      since: z.string().nullable(),
      /** Whether the person is expected on this day. */
      expected: z.boolean(),
      present: z.boolean(),
    }),
  ),
  /** People through the gates per hour, today and on the same weekday of the previous week. */
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
      /** Today: people who arrived of those expected; the rate is null while nobody is expected. */
      attended: z.number().int(),
      expected: z.number().int(),
      arrived: z.number().int(),
      rate: z.number().nullable(),
      /** Rate over the last seven completed days with expected people; `change` is the difference to the seven days before. */
      weekRate: z.number().nullable(),
      onlineRate: z.number().nullable(),
      openAlarms: z.number().int(),
      graveAlarms: z.number().int(),
      realNameRate: z.number().nullable(),
      score: z.number().nullable(),
      change: z.number().nullable(),
    }),
  ),
  /** Platform: state of the service. */
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
  /** Of the people on the books: identity verified, with a contract, trained on entry, with a wage account. */
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
  /** Like `due` of a task. The name differs because approvals have another filter `due`. */
  dueIn: z.enum(['overdue', 'today', 'week', 'later']).optional(),
  /** Tasks whose last day this is. */
  dueOn: day.optional(),
  /** The tasks that the caller has postponed, instead of the waiting ones. */
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
      /** Unhandled alarms of levels 1 and 2, counted singly: tasks combine repeated alarms. */
      graveAlarms: z.number().int(),
    }),
  ),
  /** Over all groups; an alarm visible from two groups counts once. */
  graveAlarms: z.number().int(),
  dueToday: z.number().int(),
  /** Number of waiting tasks by last day, regardless of the filters. */
  days: z.array(z.object({ day: z.string(), count: z.number().int() })),
  /** Number of tasks by kind, the most frequent first, regardless of the filter by kind. */
  byKind: z.array(z.object({ kind: z.string(), kindName: z.string(), count: z.number().int() })),
  snoozed: z.number().int(),
  /** The caller's own requests that are undecided: as the active group, and as the caller's other groups. */
  startedOpen: z.number().int(),
  startedElsewhere: z.number().int(),
}
/** Waiting tasks of every kind; with `box`, single approvals. */
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
    byKind: todosBeside.byKind.optional(),
    snoozed: todosBeside.snoozed.optional(),
    startedOpen: todosBeside.startedOpen.optional(),
    startedElsewhere: todosBeside.startedElsewhere.optional(),
    counts: approvalsAnswer.shape.counts.optional(),
    kinds: approvalsAnswer.shape.kinds.optional(),
  }),
})
/** Waiting tasks of the caller, in all groups or in the active one. */
export const listTodos = viewOf(todoMessages, { query: todosQuery, response: paged(todoRow).extend(todosBeside) })
/** Longest time to postpone a task, in hours. */
export const longestSnoozeHours = 7 * 24
/** Postpones one of the caller's tasks by some hours; 0 cancels the postponement. Alarms of level 1 cannot be postponed. */
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
