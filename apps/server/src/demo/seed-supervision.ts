import { codesFor } from '@zhugong/contract/access/codes'
import type { DayProblem } from '@zhugong/contract/daychecks/moves'
import { projectStates } from '@zhugong/contract/organisation/codes'
import { contentTemplates } from '@zhugong/contract/plans/moves'
import { windowsOf } from '@zhugong/contract/plans/risk'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { type Random, stream } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { findScope } from '#domains/access/public'
import { createDayCheck } from '#domains/daychecks/create'
import type { DayCheck } from '#domains/daychecks/day-check'
import { dayCheckKind, readDayCheck } from '#domains/daychecks/kind'
import { type BodyOf, checkIn, saveUnit, submitCheck } from '#domains/daychecks/writes'
import { computeRisks, followChecks } from '#domains/plans/follow'
import { insertPlan } from '#domains/plans/insert'
import { type Plan, planKind } from '#domains/plans/kind'
import { approve } from '#domains/plans/writes'
import { take } from '#domains/process/public'
import { itemsForSheets, sheetsOf } from '#domains/scoring/public'
import { withRightsOf } from '#kit/background'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, type Group, groupTypes } from '#kit/context'
import type { Db } from '#kit/db'
import { createLog } from '#kit/log'
import type { Secrets } from '#kit/secret'
import { problems as stories } from './rectify-problems.ts'
import { seedPresence } from './seed-presence.ts'

const hourMs = 3_600_000

interface Officer {
  id: string
  name: string
  account: string
  group: Group
}
interface Site {
  projectCode: string
  name: string
  contractor: string
  lng: number | null
  lat: number | null
  shortName: string
}
/** Runs work at a moment of the past in the name of an officer, with the rights and the functions of the product. */
type At = <T>(who: Officer, at: number, work: (ctx: Context) => Promise<T>) => Promise<T>

/** Plans of the year with the visits that were held or missed, checks of every state, and what waits today. */
export async function seedSupervision(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  followChecks()
  const officers = await officersOf(db)
  const [zhao, qian, wu] = ['bj-zhao', 'bj-qian', 'bj-wu'].map((account) => officers.get(account))
  if (!zhao || !qian || !wu) return
  const act: At = async (who, at, work) => {
    const clock = { now: () => at }
    const log = createLog('demo', 'silent')
    const scope = await findScope(db, who.group, who.id)
    const rights = { codes: new Set(codesFor(groupTypes.government)), bounds: new Map() }
    const user = { id: who.id, account: who.account, name: who.name, mustChangePassword: false }
    return withRightsOf({ db, clock, secrets, log }, { sessionHash: '', user, group: who.group, projectCode: '*', scope, ...rights }, work)
  }
  const sites = await sitesOf(db, zhao)
  const story = new Story(act, { zhao, qian, wu }, stream(city.seed, 'supervision'), now)
  // The last site is left without a plan.
  for (const [i, site] of sites.slice(0, Math.max(1, sites.length - 1)).entries()) await story.plan(site, i)
  for (const site of sites.slice(0, 3)) await story.wait(site)
  const [first, second, third] = sites
  if (!first || !second || !third) return
  await story.returned(second)
  await story.draft(third)
  await story.running(first)
  await story.adjust(first)
  await story.scored(second)
  await story.failed(third)
  for (const site of sites.slice(0, 3)) await story.task(site)
  await computeRisks({ db, clock: { now: () => now }, secrets, log: createLog('demo', 'silent') })
  // Long ago read; the demonstration begins with what is new.
  await sql`delete from message where kind in ('daycheck', 'checkplan') and create_time < ${new Date(now - 7 * 24 * hourMs)}`.execute(db)
}

async function officersOf(db: Db): Promise<ReadonlyMap<string, Officer>> {
  type Raw = { id: string; name: string; account: string; groupId: string; code: string; groupName: string; areaCode: string | null }
  const { rows } = await sql<Raw>`select u.id, u.name, u.account, t.id as group_id, t.code, t.name as group_name, t.area_code
    from app_user u join member m on m.user_id = u.id and m.is_default join tenant t on t.id = m.group_id and t.type = 1`.execute(db)
  return new Map(
    rows.map(({ groupId, code, groupName, areaCode, ...one }) => [
      one.account,
      { ...one, group: { id: groupId, type: groupTypes.government, code, name: groupName, areaCode } },
    ]),
  )
}

/** Sites under construction in the officer's area, those with accounts first. */
async function sitesOf(db: Db, { group }: Officer): Promise<Site[]> {
  const front = (group.areaCode ?? '').replace(/(00){1,2}$/, '')
  const { rows } =
    await sql<Site>`select p.project_code, p.name, p.contractor_corp_code as contractor, p.lng, p.lat, coalesce(p.short_name, p.name) as short_name
    from project p where p.prj_status = ${projectStates.building} and p.area_code ^@ ${front} and p.contractor_corp_code is not null
      and exists (select from project_corp u where u.project_code = p.project_code and u.corp_code = p.contractor_corp_code and u.exit_time is null)
    order by exists (select from app_user u where u.account like 'hospital%' and p.name like '%医院%') desc, p.project_code`.execute(db)
  return rows
}

type Pattern = Readonly<Record<string, number>>
const visitsOfPlan = 6

class Story {
  private readonly at: At
  private readonly cast: { zhao: Officer; qian: Officer; wu: Officer }
  private readonly random: Random
  private readonly now: number
  private readonly today: string
  private readonly year: number

  constructor(at: At, cast: { zhao: Officer; qian: Officer; wu: Officer }, random: Random, now: number) {
    this.at = at
    this.cast = cast
    this.random = random
    this.now = now
    this.today = formatDay(now)
    this.year = Number(this.today.slice(0, 4))
  }

  private get checkers() {
    return [this.cast.zhao, this.cast.qian].map(({ id, name }) => ({ id, name }))
  }

  private input(site: Site, discipline: string, from: string, times: number) {
    const template = contentTemplates[discipline]
    // Late in the year it goes on into the next one.
    const least = addDays(from, 60)
    const end = `${this.year}-12-31`
    const to = least > end ? least : end
    const turn = addDays(from, Math.floor((Date.parse(to) - Date.parse(from)) / 86_400_000 / 1.5))
    return {
      projectCode: site.projectCode,
      discipline,
      year: this.year,
      title: `${site.shortName}${this.year} 年${discipline === '2' ? '质量' : '安全'}监督计划`,
      supervisors: this.checkers,
      startDate: from,
      endDate: to,
      frequency: [
        { phase: '3', times: Math.max(1, times - 2), from, to: turn },
        { phase: '4', times: 2, from: addDays(turn, 1), to },
      ],
      frequencyReason: '按机构年度监督力量安排',
      mainContent: template?.content ?? '',
      measures: template?.measures ?? null,
      focus: ['起重机械', '高支模'],
      disclosureDate: from,
      files: [],
    }
  }

  private take(plan: Plan, who: Officer, at: number, action: 'submit' | 'approve' | 'reject', opinion = ''): Promise<Plan> {
    return this.at(who, at, (ctx) =>
      take(ctx, planKind, { id: plan.id, action, version: plan.version }, (row) => {
        if (action === 'approve') return approve(ctx, row, opinion)
        const submitted = { submitBy: who.id, submitName: who.name, submitAt: new Date(at) }
        return Promise.resolve(action === 'submit' ? { values: submitted } : { values: { opinion }, opinion })
      }),
    )
  }

  /** A plan since the beginning of the year; its visits so far are held, except one that was missed at every third site. */
  async plan(site: Site, n: number): Promise<void> {
    const from = `${this.year}-01-05`
    const begin = startOfDay(from) + 9 * hourMs
    if (begin + 3 * 24 * hourMs > this.now) return
    const { zhao, wu } = this.cast
    const draft = await this.at(zhao, begin, (ctx) => insertPlan(ctx, this.input(site, '1', from, visitsOfPlan)))
    const submitted = await this.take(draft, zhao, begin + hourMs, 'submit')
    const plan = await this.take(submitted, wu, begin + 26 * hourMs, 'approve', '同意')
    const input = this.input(site, '1', from, visitsOfPlan)
    const windows = windowsOf(input.frequency).filter((one) => one.end < this.today)
    const visits = await this.visitsOf(plan)
    for (const [i, window] of windows.entries()) {
      const visitId = visits.find((one) => one.windowStart === window.start)?.id
      // A visit of the last window but one was missed at every third site.
      if (!visitId || (n % 3 === 0 && i === windows.length - 2)) continue
      const day = addDays(window.start, 3 + ((n * 5) % 12))
      await this.held(
        site,
        day,
        { planId: plan.id, visitId },
        { '010002': 2, '070001': this.random.pick([1, 2, 3]) },
        i === windows.length - 1,
      )
    }
  }

  private visitsOf(plan: Plan): Promise<{ id: string; windowStart: string }[]> {
    return this.at(this.cast.zhao, this.now, async (ctx) => {
      const { rows } = await sql<{
        id: string
        windowStart: string
      }>`select id, window_start from check_plan_visit where plan_id = ${plan.id}`.execute(ctx.db)
      return rows
    })
  }

  /** A submitted check. `open`: its notices still run. */
  private async held(
    site: Site,
    day: string,
    more: { planId?: string; visitId?: string; template?: readonly string[]; inspectType?: string },
    lost: Pattern,
    open: boolean,
    abnormal = false,
  ): Promise<void> {
    const { zhao } = this.cast
    const arrive = startOfDay(day) + (9 + this.random.float(0, 5)) * hourMs
    const made = await this.at(zhao, startOfDay(day) - 12 * hourMs, (ctx) =>
      createDayCheck(ctx, {
        projectCode: site.projectCode,
        inspectType: '01',
        discipline: ['1'],
        plannedDate: day,
        checkers: this.checkers,
        template: ['01', '07'],
        ...more,
      }),
    )
    const begun = await this.arrive(made, site, arrive, abnormal)
    await this.judge(begun, arrive + hourMs, lost)
    await this.submit(site, made.id, arrive + 2.5 * hourMs, lost)
    if (!open) await this.close(made.id, arrive)
  }

  private arrive(check: DayCheck, site: Site, at: number, abnormal: boolean): Promise<DayCheck> {
    const off = abnormal ? 0.02 : 0.0003
    const place = { lng: site.lng === null ? null : site.lng + off, lat: site.lat }
    const body = {
      ...place,
      at: null,
      abnormalReason: '围栏坐标与现场不符',
      photos: [],
      progress: '3',
      action: 'checkIn' as const,
      version: 0,
    }
    return this.at(this.cast.zhao, at, async (ctx) => {
      const arrived = await take(ctx, dayCheckKind, { id: check.id, action: 'checkIn', version: check.version }, (row) =>
        checkIn(ctx, row, body),
      )
      await seedPresence(ctx, check.id, at)
      return arrived
    })
  }

  /** Judges every unit, or only the first ones. */
  private judge(check: DayCheck, at: number, lost: Pattern, most = Number.POSITIVE_INFINITY): Promise<void> {
    return this.at(this.cast.zhao, at, async (ctx) => {
      const row = await readDayCheck(ctx, check.id)
      const stored = await sheetsOf(ctx, check.id)
      const units = [...Map.groupBy(stored, ({ sheet }) => sheet.taskId ?? '')]
      const wrong = new Set<string>()
      for (const [taskId, sheets] of units.slice(0, most)) {
        const items = sheets.flatMap(({ sheet, results }) =>
          results.map(({ itemCode, name }): BodyOf<'saveUnit'>['items'][number] => {
            const deduction = wrong.has(itemCode) ? undefined : lost[itemCode]
            wrong.add(itemCode)
            return deduction
              ? { sheetId: sheet.id, itemCode, result: itemResults.wrong, deduction, note: `${name}落实不到位`, photos: [], reason: null }
              : { sheetId: sheet.id, itemCode, result: itemResults.right, deduction: 0, note: null, photos: [], reason: null }
          }),
        )
        await saveUnit(ctx, row, { action: 'saveUnit', version: 0, taskId, notApplicable: [], items, done: true })
      }
    })
  }

  private async submit(site: Site, id: string, at: number, lost: Pattern): Promise<void> {
    await this.at(this.cast.zhao, at, async (ctx) => {
      const row = await readDayCheck(ctx, id)
      const problems = this.problems(site, formatDay(at), lost)
      const signatures = row.checkers.map((_, i) => ({ seat: `checker${i + 1}` })) as BodyOf<'submit'>['signatures']
      const body = { action: 'submit' as const, version: row.version, progress: '3', summary: '现场总体受控，问题已当场告知。', signatures }
      const conclusion = problems.length === 0 ? '1' : '3'
      await take(ctx, dayCheckKind, { id, action: 'submit', version: row.version }, (locked) =>
        submitCheck(ctx, locked, { ...body, conclusion, problems }),
      )
    })
  }

  /** Every item that lost half of its marks is among them. */
  private problems(site: Site, day: string, lost: Pattern): DayProblem[] {
    const words = stories.filter((one) => one.category === '01')
    return Object.entries(lost).map(([itemCode], i) => {
      const story = words[(i + this.random.pick([0, 1, 2])) % words.length]
      return {
        description: story?.description ?? '现场防护不符合要求',
        part: story?.place ?? '施工现场',
        placeId: null,
        pin: null,
        itemCode,
        clause: story?.clause ?? null,
        dangerLevel: '1',
        majorClause: null,
        requirement: story?.requirement ?? '整改到位',
        corpCode: site.contractor,
        person: null,
        deadline: addDays(day, 7),
        photos: [],
        mended: null,
        mendedPhotos: [],
        noticeType: null,
      }
    })
  }

  /** Answered, reviewed and passed after some days; the check follows its notices. */
  private async close(checkId: string, from: number): Promise<void> {
    const days = (n: number) => new Date(from + n * 24 * hourMs)
    await this.at(this.cast.zhao, this.now, async (ctx) => {
      await sql`update rectify_line set state = 'passed' where rectify_id in (select id from rectify where source_id = ${checkId})`.execute(
        ctx.db,
      )
      await sql`update rectify set state = '7', receiver = responsible_person, receive_time = ${days(0.5)}, reply_time = ${days(4)},
        close_time = ${days(6)} where source_id = ${checkId}`.execute(ctx.db)
      await sql`delete from process_todo where object_id in (select id from rectify where source_id = ${checkId})`.execute(ctx.db)
    })
  }

  /** A quality plan that waits for the section head. */
  async wait(site: Site): Promise<void> {
    const at = this.now - 20 * hourMs
    const plan = await this.at(this.cast.zhao, at, (ctx) => insertPlan(ctx, this.input(site, '2', this.today, 3)))
    await this.take(plan, this.cast.zhao, at + hourMs, 'submit')
  }

  async returned(site: Site): Promise<void> {
    const at = this.now - 50 * hourMs
    const plan = await this.at(this.cast.zhao, at, (ctx) => insertPlan(ctx, this.input(site, '3', this.today, 3)))
    const submitted = await this.take(plan, this.cast.zhao, at + hourMs, 'submit')
    await this.take(submitted, this.cast.wu, at + 20 * hourMs, 'reject', '扬尘检查应覆盖夜间土方作业时段，请补充夜间抽查')
  }

  async draft(site: Site): Promise<void> {
    await this.at(this.cast.zhao, this.now - 3 * hourMs, (ctx) => insertPlan(ctx, this.input(site, '3', this.today, 3)))
  }

  /** The first plan of a site gets a second version after an accident nearby. */
  async adjust(site: Site): Promise<void> {
    const { zhao, wu } = this.cast
    const at = this.now - 40 * 24 * hourMs
    const plan = await this.at(zhao, at, async (ctx) => {
      const { rows } = await sql<{
        id: string
        version: number
      }>`select id, version from check_plan where project_code = ${site.projectCode}
        and discipline = '1' and state in ('3', '4')`.execute(ctx.db)
      const [row] = rows
      if (!row) return undefined
      const reason = '相邻项目发生起重伤害事故，增加起重机械检查'
      const values = { submitBy: zhao.id, submitName: zhao.name, submitAt: new Date(at), reason, versionNo: 2, opinion: null }
      return take(ctx, planKind, { id: row.id, action: 'adjust', version: row.version }, (before) =>
        Promise.resolve({
          values: {
            ...values,
            focus: [...before.focus, '塔机附着与顶升'],
            mainContent: `${before.mainContent}\n7. 塔机附着、顶升和群塔作业防碰撞措施。`,
          },
          opinion: reason,
        }),
      )
    })
    if (plan) await this.take(plan, wu, at + 5 * hourMs, 'approve', '同意调整')
  }

  /** Today's check of the first site: two of three units are done. */
  async running(site: Site): Promise<void> {
    const at = Math.max(startOfDay(this.today) + hourMs, this.now - 1.5 * hourMs)
    const made = await this.planned(site, this.today, ['01', '06', '07', '0301'])
    const begun = await this.arrive(made, site, at, false)
    const left = await this.at(this.cast.zhao, at, async (ctx) => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from day_check_unit where check_id = ${made.id}`.execute(ctx.db)
      return rows[0]?.n ?? 1
    })
    await this.judge(begun, at + 0.5 * hourMs, { '010002': 2, '060001': 3 }, Math.max(1, Math.min(2, left - 1)))
  }

  private planned(site: Site, day: string, template: readonly string[] | null, inspectType = '01'): Promise<DayCheck> {
    return this.at(this.cast.zhao, Math.min(this.now, startOfDay(day)), (ctx) =>
      createDayCheck(ctx, {
        projectCode: site.projectCode,
        inspectType,
        discipline: ['1'],
        plannedDate: day,
        checkers: this.checkers,
        template,
      }),
    )
  }

  async task(site: Site): Promise<void> {
    await this.planned(site, this.today, ['01', '07', '0901'], this.random.pick(['01', '03', '09']))
  }

  /** 合格 at 76.4 points, far from the fence. */
  async scored(site: Site): Promise<void> {
    const lost = await this.spread('01', 23.6)
    await this.held(site, addDays(this.today, -12), { template: ['01'], inspectType: '04' }, lost, true, true)
  }

  /** 不合格 because a 保证项目 got no point, far from the fence. */
  async failed(site: Site): Promise<void> {
    await this.held(
      site,
      addDays(this.today, -20),
      { template: ['01', '02', '06', '07', '10'], inspectType: '02' },
      { '070001': 10, '020003': 4, '020004': 4 },
      true,
      true,
    )
  }

  /** Points taken off the items of a sheet, less than half of each. */
  private spread(sheetCode: string, total: number): Promise<Pattern> {
    return this.at(this.cast.zhao, this.now, async (ctx) => {
      const items = await itemsForSheets(ctx, 'safety', [sheetCode])
      let left = Math.round(total * 10)
      const lost: Record<string, number> = {}
      for (const { itemCode, maxScore } of items.toReversed()) {
        const own = Math.min(left, Math.floor(maxScore * 4))
        if (own > 0) lost[itemCode] = own / 10
        left -= own
      }
      return lost
    })
  }
}
