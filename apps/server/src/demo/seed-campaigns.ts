import { codesFor } from '@zhugong/contract/access/codes'
import type { DayProblem } from '@zhugong/contract/daychecks/moves'
import { itemResults } from '@zhugong/contract/scoring/score'
import type { City } from '@zhugong/simulator/city-types'
import { type Random, stream } from '@zhugong/simulator/random'
import { sql } from 'kysely'
import { findScope } from '#domains/access/public'
import { create } from '#domains/campaigns/calls'
import { followDayCheck } from '#domains/campaigns/follow'
import { campaignKind } from '#domains/campaigns/kind'
import type { Body } from '#domains/campaigns/tasks'
import { write } from '#domains/campaigns/writes'
import { dayCheckKind, readDayCheck } from '#domains/daychecks/kind'
import { type BodyOf, checkIn, saveUnit, submitCheck, writeDiscipline } from '#domains/daychecks/writes'
import { isSameUnit } from '#domains/experts/public'
import { take } from '#domains/process/public'
import { sheetsOf } from '#domains/scoring/public'
import { withRightsOf } from '#kit/background'
import { addDays, formatDay, startOfDay } from '#kit/clock'
import { type Context, type Group, groupTypes } from '#kit/context'
import type { Db } from '#kit/db'
import { createLog } from '#kit/log'
import type { Secrets } from '#kit/secret'
import { seedPresence } from './seed-presence.ts'

const hourMs = 3_600_000
interface Person {
  id: string
  name: string
  account: string
  group: Group
}
interface Line {
  id: string
  checkId: string
  projectCode: string
  contractor: string | null
  group: number
}
/** Runs work at a moment of the past in the name of an officer, with the rights and the functions of the product. */
type At = <T>(who: Person, at: number, work: (ctx: Context) => Promise<T>) => Promise<T>

/** Sheets of every campaign: 安全, and 文明施工 beside it. */
const sheets = [
  { discipline: '1', sheetCode: '01' },
  { discipline: '4', sheetCode: '02' },
  { discipline: '1', sheetCode: '0301' },
  { discipline: '1', sheetCode: '07' },
  { discipline: '1', sheetCode: '10' },
]
/** Points lost by item; scaffolding is the weak spot of the city. */
const losses: readonly Readonly<Record<string, number>>[] = [
  { '030102': 9, '030105': 8, '030101': 6, '070004': 6, '070001': 5 },
  { '030101': 9, '030106': 8, '030103': 7, '010002': 6, '020003': 5 },
  { '030103': 9, '030102': 7, '020003': 6, '020001': 5 },
  { '030102': 8, '030104': 8, '030101': 6, '100003': 6 },
]

/** Campaigns of the city: a closed one with its report, one that is being checked, one to be drawn, and two drafts. */
export async function seedCampaigns(db: Db, city: City, secrets: Secrets, now: number): Promise<void> {
  const people = await peopleOf(db)
  const [fang, xu] = ['city-fang', 'city-xu'].map((account) => people.get(account))
  const experts = await expertsOf(db)
  if (!fang || !xu || experts.length < neededExperts) return
  const act: At = async (who, at, work) => {
    const scope = await findScope(db, who.group, who.id)
    const rights = { codes: new Set(codesFor(groupTypes.government)), bounds: new Map() }
    const user = { id: who.id, account: who.account, name: who.name, mustChangePassword: false }
    const deps = { db, clock: { now: () => at }, secrets, log: createLog('demo', 'silent') }
    return withRightsOf(deps, { sessionHash: '', user, group: who.group, projectCode: '*', scope, ...rights }, work)
  }
  const story = new Story(act, [fang, xu], experts, stream(city.seed, 'campaigns'), now)
  await story.closed()
  await story.checking()
  await story.issued()
  await story.drafts()
  await sql`delete from message where kind in ('daycheck', 'provinces') and create_time < ${new Date(now - 7 * 24 * hourMs)}`.execute(db)
}

const neededExperts = 4
/** Experts whose unit takes part in no project: whatever is drawn, each group may check it. */
async function expertsOf(db: Db): Promise<string[]> {
  const { rows: experts } = await sql<{ id: string; workUnit: string }>`select id, work_unit from expert
    where state = '2' order by work_unit, name`.execute(db)
  const { rows: parties } = await sql<{ corpName: string }>`select distinct c.corp_name
    from project_corp u join corporation c using (corp_code)`.execute(db)
  return experts
    .filter((one) => !parties.some(({ corpName }) => isSameUnit(corpName, one.workUnit)))
    .slice(0, neededExperts)
    .map((one) => one.id)
}

async function peopleOf(db: Db): Promise<ReadonlyMap<string, Person>> {
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

class Story {
  private readonly at: At
  private readonly leaders: readonly [Person, Person]
  private readonly experts: readonly string[]
  private readonly random: Random
  private readonly now: number
  private readonly today: string

  constructor(at: At, leaders: [Person, Person], experts: readonly string[], random: Random, now: number) {
    this.at = at
    this.leaders = leaders
    this.experts = experts
    this.random = random
    this.now = now
    this.today = formatDay(now)
  }

  private setup(name: string, start: string, end: string, more: object = {}) {
    const group = (i: 0 | 1) => ({
      name: `第${i === 0 ? '一' : '二'}检查组`,
      areaCode: null,
      members: [
        { userId: this.leaders[i].id, expertId: null, leader: true, disciplines: ['1', '4'] },
        ...this.experts.slice(i * 2, i * 2 + 2).map((expertId) => ({ userId: null, expertId, leader: false, disciplines: ['1'] })),
      ],
    })
    return {
      name,
      level: '3' as const,
      startDate: start,
      endDate: end,
      surprise: false,
      drawMode: '2' as const,
      deadlineDays: 7,
      recheck: 'district' as const,
      groups: [group(0), group(1)],
      quotas: [{ areaCode: null, riskLevel: null, category: null, seats: 4 }],
      sheets,
      ...more,
    }
  }

  private make(at: number, action: 'save' | 'issue', setup: ReturnType<Story['setup']>): Promise<string> {
    return this.at(this.leaders[0], at, async (ctx) => {
      const answer = await create({ params: undefined, query: { projectCode: '*' }, body: { action, ...setup } } as never, ctx)
      return (answer as { id: string }).id
    })
  }

  private take(id: string, at: number, body: { action: Body['action'] } & Record<string, unknown>): Promise<unknown> {
    return this.at(this.leaders[0], at, async (ctx) => {
      const { version } = await campaignKind.lock(ctx, id)
      return take(ctx, campaignKind, { id, action: body.action, version }, (row) =>
        write(ctx, row, { ...body, version } as unknown as Body),
      )
    })
  }

  /** Frozen, drawn before witnesses, grouped and locked. */
  private async drawn(id: string, at: number): Promise<Line[]> {
    const witnesses = [
      { name: '市纪检监察组 王建国', digits: '17' },
      { name: '市建筑业协会 李秀兰', digits: '402' },
    ]
    await this.take(id, at, { action: 'freeze', reason: null })
    await this.take(id, at + 0.2 * hourMs, { action: 'draw', witnesses })
    await this.take(id, at + 0.4 * hourMs, { action: 'assign', tasks: [] })
    await this.take(id, at + 0.6 * hourMs, { action: 'lock' })
    return this.lines(id)
  }

  /** The largest site last: it has enough to show. */
  private lines(id: string): Promise<Line[]> {
    return this.at(this.leaders[0], this.now, async (ctx) => {
      const { rows } = await sql<
        Line & { large: boolean }
      >`select t.id, t.check_id, t.project_code, p.contractor_corp_code as contractor, t.group_seq as "group",
          p.name like '%医院%' as large
        from campaign_project t join project p on p.project_code = t.project_code where t.campaign_id = ${id} and t.dropped_at is null
        order by large, t.project_code`.execute(ctx.db)
      return rows
    })
  }

  /** The hospital of the demonstration accounts: they can read what a published campaign found. */
  private largest(): Promise<string[]> {
    return this.at(this.leaders[0], this.now, async (ctx) => {
      const { rows } = await sql<{ projectCode: string }>`select project_code from project
        where name like '%医院%' order by project_code limit 1`.execute(ctx.db)
      return rows.map((one) => one.projectCode)
    })
  }

  private leaderOf(line: Line): Person {
    return line.group === 1 ? this.leaders[1] : this.leaders[0]
  }

  private async arrive(line: Line, at: number): Promise<void> {
    const body = {
      action: 'checkIn' as const,
      version: 0,
      at: null,
      lng: null,
      lat: null,
      abnormalReason: '地下室作业面无定位信号',
      photos: [],
      progress: '3',
    }
    await this.at(this.leaderOf(line), at, async (ctx) => {
      const { version } = await readDayCheck(ctx, line.checkId)
      const after = await take(ctx, dayCheckKind, { id: line.checkId, action: 'checkIn', version }, (row) => checkIn(ctx, row, body))
      await followDayCheck(ctx, after)
      await seedPresence(ctx, line.checkId, at)
    })
  }

  /** Records the sheets of these disciplines; every failed item once. */
  private async judge(
    line: Line,
    at: number,
    lost: Readonly<Record<string, number>>,
    disciplines: readonly string[],
    done: boolean,
  ): Promise<void> {
    const codes = sheets.filter((one) => disciplines.includes(one.discipline)).map((one) => one.sheetCode)
    await this.at(this.leaderOf(line), at, async (ctx) => {
      const row = await readDayCheck(ctx, line.checkId)
      const seen = new Set<string>()
      for (const [taskId, all] of Map.groupBy(await sheetsOf(ctx, row.id), ({ sheet }) => sheet.taskId ?? '')) {
        const items = all
          .filter(({ sheet }) => codes.includes(sheet.sheetCode))
          .flatMap(({ sheet, results }) =>
            results.map(({ itemCode, name, maxScore }): BodyOf<'saveUnit'>['items'][number] => {
              const deduction = seen.has(itemCode) ? 0 : Math.min(lost[itemCode] ?? 0, maxScore - 1)
              seen.add(itemCode)
              const found =
                deduction > 0
                  ? { result: itemResults.wrong, deduction, note: `${name}落实不到位` }
                  : { result: itemResults.right, deduction: 0, note: null }
              return { sheetId: sheet.id, itemCode, photos: [], reason: null, ...found }
            }),
          )
        await saveUnit(ctx, row, { action: 'saveUnit', version: 0, taskId, notApplicable: [], items, done })
      }
      for (const discipline of disciplines)
        await writeDiscipline(ctx, row, { action: 'submitDiscipline', version: 0, discipline, place: null })
    })
  }

  /** A submitted check; `closed`: its notices are. */
  private async check(line: Line, day: string, n: number, closed: boolean): Promise<void> {
    const at = startOfDay(day) + (9 + this.random.float(0, 4)) * hourMs
    const lost = losses[n % losses.length] ?? {}
    await this.arrive(line, at)
    await this.judge(line, at + hourMs, lost, ['1', '4'], true)
    const problems = this.problems(line, day, lost)
    await this.at(this.leaderOf(line), at + 3 * hourMs, async (ctx) => {
      const row = await readDayCheck(ctx, line.checkId)
      const signatures = row.checkers.map((_, i) => ({ seat: `checker${i + 1}` })) as BodyOf<'submit'>['signatures']
      const body = {
        action: 'submit' as const,
        version: row.version,
        progress: '3',
        summary: '现场总体受控，脚手架为薄弱环节。',
        signatures,
      }
      const after = await take(ctx, dayCheckKind, { id: row.id, action: 'submit', version: row.version }, (locked) =>
        submitCheck(ctx, locked, { ...body, conclusion: problems.length === 0 ? '1' : '3', problems }),
      )
      await followDayCheck(ctx, after)
      if (!closed) return
      const later = (days: number) => new Date(at + days * 24 * hourMs)
      await sql`update rectify_line set state = 'passed' where rectify_id in (select id from rectify where source_id = ${row.id})`.execute(
        ctx.db,
      )
      await sql`update rectify set state = '7', receiver = responsible_person, receive_time = ${later(0.5)}, reply_time = ${later(4)},
        close_time = ${later(6)} where source_id = ${row.id}`.execute(ctx.db)
      await sql`delete from process_todo where object_id in (select id from rectify where source_id = ${row.id})`.execute(ctx.db)
    })
  }

  private problems(line: Line, day: string, lost: Readonly<Record<string, number>>): DayProblem[] {
    const words: Readonly<Record<string, [string, string]>> = {
      '03': ['脚手架连墙件缺失，剪刀撑不连续', '按专项方案补齐连墙件和剪刀撑，验收后使用'],
      '07': ['分配电箱一闸多用，电缆拖地', '按一机一闸一漏整改，电缆架空敷设'],
      '01': ['专项方案交底记录签字不全', '补充交底并签字确认'],
      '02': ['材料堆放混乱，裸土未覆盖', '分区堆码，裸土全部覆盖'],
      10: ['钢筋机械防护罩缺失', '补装防护罩，验收挂牌'],
    }
    const { contractor } = line
    if (!contractor) return []
    return Object.keys(lost).map((itemCode, i) => {
      const [description, requirement] = words[itemCode.slice(0, 2)] ?? ['现场防护不符合要求', '整改到位']
      return {
        description,
        part: `${i + 1}#楼`,
        placeId: null,
        pin: null,
        itemCode,
        clause: 'JGJ 59-2011',
        dangerLevel: '1',
        majorClause: null,
        requirement,
        corpCode: contractor,
        person: null,
        deadline: addDays(day, 7),
        photos: [],
        mended: null,
        mendedPhotos: [],
        noticeType: null,
      }
    })
  }

  async closed(): Promise<void> {
    const start = addDays(this.today, -110)
    const begin = startOfDay(addDays(start, -5)) + 9 * hourMs
    const setup = this.setup('三季度全市建筑施工安全督查', start, addDays(start, 20), {
      quotas: [{ areaCode: null, riskLevel: null, category: null, seats: 3 }],
      recheck: 'organiser',
    })
    const id = await this.make(begin, 'issue', setup)
    const projects = await this.largest()
    if (projects.length > 0)
      await this.take(id, begin + 0.5 * hourMs, { action: 'addProjects', projects, reason: '在建体量最大，群塔作业，列为本季重点' })
    for (const [i, line] of (await this.drawn(id, begin + hourMs)).entries()) await this.check(line, addDays(start, 2 + i), i, true)
    const summary =
      '三季度督查共检查项目 4 个，发现的问题已全部整改闭合。脚手架连墙件、剪刀撑设置不到位仍是薄弱环节，请各区县、各单位举一反三，对在用脚手架逐一复核验收。'
    await this.take(id, startOfDay(addDays(start, 40)) + 10 * hourMs, { action: 'finish', summary })
  }

  async checking(): Promise<void> {
    const start = addDays(this.today, -12)
    const begin = startOfDay(addDays(start, -4)) + 9 * hourMs
    const id = await this.make(begin, 'issue', this.setup('四季度全市建筑施工安全质量督查', start, addDays(start, 25)))
    const lines = await this.drawn(id, begin + hourMs)
    const replaced = await this.replaced(id, lines[0], begin + 30 * hourMs)
    for (const [i, line] of replaced.slice(0, 2).entries()) await this.check(line, addDays(start, 3 + i * 2), i, i === 0)
    const running = replaced[2]
    if (!running) return
    const at = Math.max(startOfDay(this.today) + hourMs, this.now - 2 * hourMs)
    await this.arrive(running, at)
    await this.judge(running, at + 0.5 * hourMs, losses[1] ?? {}, ['1'], false)
  }

  /** A project that stood still for a while when the campaign began: the next of the draw stepped in. */
  private async replaced(id: string, out: Line | undefined, at: number): Promise<Line[]> {
    if (!out) return this.lines(id)
    const set = (state: string) =>
      this.at(this.leaders[0], at, (ctx) =>
        sql`update project set prj_status = ${state} where project_code = ${out.projectCode}`.execute(ctx.db),
      )
    await set('005')
    await this.take(id, at, { action: 'replace', taskId: out.id, reason: '区域电网检修，项目停工十日' })
    await set('003')
    return this.lines(id)
  }

  async issued(): Promise<void> {
    const setup = this.setup('建筑起重机械飞行检查', addDays(this.today, 3), addDays(this.today, 18), {
      surprise: true,
      recheck: 'organiser',
    })
    await this.make(this.now - 20 * hourMs, 'issue', setup)
  }

  async drafts(): Promise<void> {
    await this.make(this.now - 50 * hourMs, 'save', this.setup('岁末年初安全生产督查', addDays(this.today, 30), addDays(this.today, 50)))
    await this.make(
      this.now - 5 * hourMs,
      'save',
      this.setup('春节后复工检查', addDays(this.today, 75), addDays(this.today, 90), { groups: [] }),
    )
  }
}
