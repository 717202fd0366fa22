import { submitAdvice } from '@zhugong/contract/advice/calls'
import { complaint } from '@zhugong/contract/advice/moves'
import { createSecurityCheck } from '@zhugong/contract/checks/security-check'
import { changeDayCheck, createDayCheck } from '@zhugong/contract/daychecks/calls'
import type { Endpoint } from '@zhugong/contract/kit/endpoint'
import { createBadAction } from '@zhugong/contract/misconduct/calls'
import { createPlan } from '@zhugong/contract/plans/calls'
import { createRectify } from '@zhugong/contract/rectify/calls'
import { createInspection } from '@zhugong/contract/scoring/inspections'
import { createSheet } from '@zhugong/contract/sheets/calls'
import { createStop } from '@zhugong/contract/stops/calls'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { newId } from '#kit/ids'
import { type CityWorld, openCity, settleCity } from '../city.ts'
import { furnish } from '../furnish.ts'
import { storedFile } from '../givens.ts'
import { referencesOf, sampleInput } from '../sample-input.ts'
import { ownedRows, type Viewer, viewers } from '../tenants.ts'
import type { Caller, World } from '../world.ts'
import { codesKept, IdsFor, lacks, ownInput } from './matrix.ts'

/**
 * Records that nobody on the site may know of yet: every reading call of every account that has to do with the site, with own ids and with
 * the id of the hidden record. No answer contains the record's words, number or id, and no count changes because of it. Calls are taken
 * from the product, so new ones are included.
 */
const mark = '密记七三四九'

/** The accounts that have to do with the site, and one that has not. */
const onlookers = [
  'hospital-pm',
  'hospital-safety',
  'hospital-officer',
  'hospital-labour',
  'hospital-jl',
  'yunze-lu',
  'dingli-cheng',
  'weijian-xia',
  'zhigu-pm',
] as const

interface Hidden {
  what: string
  /** The account of the group that may know of it. */
  by: string
  /** Ids that would tell of it. */
  ids: string[]
}

for (const scopeChecks of [true, false])
  describe(`records that are not disclosed, ${scopeChecks ? 'with both locks' : 'by row-level security alone'}`, () => {
    let world: World
    let settled: CityWorld
    let projectCode = ''
    let reads: Endpoint[]
    const callers = new Map<string, { caller: Caller; viewer: Viewer; ids: IdsFor; codes: ReadonlySet<string> }>()
    const before = new Map<string, string>()
    const hidden: Hidden[] = []

    beforeAll(async () => {
      world = await openCity(inject('postgresUrl'), { scopeChecks })
      settled = await settleCity(world)
      await furnish(world.database.pool, settled.city)
      projectCode = settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
      reads = world.api.serve.endpoints.filter((one) => one.method === 'GET' && one.needs !== 'public')
      const rows = await ownedRows(world.database.pool)
      const everybody = viewers(settled.city)
      for (const account of onlookers) {
        // Colleagues of one site see the same rows.
        const viewer = everybody.find((one) => one.account === account) ?? everybody.find((one) => one.account === 'hospital-pm')
        if (!viewer) throw new Error(`nobody is called ${account}`)
        const caller = await settled.as(account)
        callers.set(account, { caller, viewer, ids: new IdsFor(rows, viewer), codes: await codesKept(world, caller) })
      }
      for (const account of onlookers)
        for (const endpoint of reads) before.set(`${account} ${keyOf(endpoint)}`, countsIn((await ask(account, endpoint)).text))
      await hide()
    }, 600_000)
    afterAll(() => world.close())

    const keyOf = ({ method, path }: Endpoint) => `${method} ${path}`
    /** Asks with own ids, or with `id` wherever the call names a record of that kind. */
    async function ask(account: string, endpoint: Endpoint, id?: string): Promise<{ text: string; asked: boolean }> {
      const known = callers.get(account)
      if (!known || lacks(known.codes, endpoint)) return { text: '', asked: false }
      const references = referencesOf(endpoint)
      const own = ownInput(references, known.ids).map((given) =>
        given.reference.subject === 'project' ? { ...given, value: projectOf(account) } : given,
      )
      const given = id === undefined ? own : [...own.filter(({ reference }) => !kinds.has(reference.subject)), ...named(references, id)]
      const answer = await known.caller.ask(endpoint, wideInput(endpoint, given, id !== undefined) as never)
      return { text: Buffer.isBuffer(answer.data) ? answer.data.toString('latin1') : JSON.stringify(answer), asked: true }
    }
    const named = (references: ReturnType<typeof referencesOf>, value: string) =>
      references.filter(({ subject }) => kinds.has(subject)).map((reference) => ({ reference, value }))
    const projectOf = (account: string) => (account === 'zhigu-pm' ? (callers.get(account)?.ids.own('project') ?? '') : projectCode)

    async function hide(): Promise<void> {
      const db = world.database.kysely
      const groupOf = async (account: string) => {
        const { rows } = await sql<{ id: string; code: string }>`select t.id, t.code from app_user u join member m on m.user_id = u.id
          join tenant t on t.id = m.group_id where u.account = ${account} order by m.is_default desc limit 1`.execute(db)
        return rows[0] ?? { id: '', code: '' }
      }
      const photoOf = async (account: string) => {
        const id = await storedFile(world, (await groupOf(account)).id)
        await sql`update stored_file set name = ${`${mark}.png`} where id = ${id}`.execute(db)
        return id
      }
      const corpCode = (await groupOf('yunze-lu')).code
      const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
      const officer = await settled.as('bj-zhao')
      const photo = await photoOf('bj-zhao')
      const notice = (action: 'save' | 'issue', words: string) => ({
        ...{
          projectCode,
          action,
          corpCode,
          sourceType: '01',
          noticeType: '2',
          category: '01',
          level: '1',
          checkDate: day(0),
          deadline: day(7),
        },
        responsiblePerson: '周大勇',
        lines: [{ description: `${words}临边防护缺失`, part: `${words}三层东侧`, requirement: `${words}补齐防护栏杆`, photos: [photo] }],
      })
      const draft = await officer.call(createRectify, { body: notice('save', mark) })
      const lines = await sql<{ id: string }>`select id from rectify_line where rectify_id = ${draft.id}`.execute(db)
      hidden.push({ what: 'a notice being written', by: 'bj-zhao', ids: [draft.id, ...lines.rows.map((one) => one.id), photo] })

      const { rows: colleagues } = await sql<{ id: string; name: string }>`select id, name from app_user
        where account in ('bj-zhao', 'bj-qian') order by account desc`.execute(db)
      const head = await settled.as('bj-wu')
      const checkers = [...colleagues, { id: null, name: `${mark}专家` }]
      const planned = await head.call(createDayCheck, {
        query: { projectCode },
        body: { inspectType: '01', discipline: ['1'], plannedDate: day(0), checkers, template: ['01'] },
      })
      const arrival = await photoOf('bj-zhao')
      const begun = { action: 'checkIn' as const, version: 0, abnormalReason: `${mark}无信号`, photos: [arrival] }
      await officer.call(changeDayCheck, { params: { id: planned.id }, query: { projectCode }, body: begun })
      const units = await sql<{ id: string }>`select id from day_check_unit where check_id = ${planned.id}
        union all select id from check_sheet where check_id = ${planned.id}`.execute(db)
      hidden.push({ what: 'a check that runs', by: 'bj-zhao', ids: [planned.id, arrival, ...units.rows.map((one) => one.id)] })
      const plan = await officer.call(createPlan, {
        query: { projectCode },
        body: {
          ...{ action: 'submit', discipline: '2', year: 2026, title: `${mark}监督计划`, supervisors: checkers },
          ...{ startDate: day(0), endDate: day(60), frequencyReason: mark, mainContent: mark },
          frequency: [{ phase: '3', times: 2, from: day(0), to: day(60) }],
        },
      })
      hidden.push({ what: 'a plan that waits for approval', by: 'bj-zhao', ids: [plan.id] })

      const issued = await officer.call(createRectify, { body: notice('issue', '') })
      const penalty = newId()
      await sql`insert into rectify_penalty (id, rectify_id, project_code, corp_code, shown_at, groups, issuer_group, facts, clause, create_time)
        select ${penalty}, r.id, r.project_code, r.corp_code, null, array[r.issuer_group], r.issuer_group, ${`${mark}拒不整改`}, ${mark}, now()
        from rectify r where r.id = ${issued.id}`.execute(db)
      hidden.push({ what: 'a penalty being prepared', by: 'bj-zhao', ids: [penalty] })

      const worker = await settled.as('bj-wu')
      const said = await worker.call(submitAdvice, {
        query: { projectCode },
        body: {
          title: `${mark}夜间违规吊装`,
          type: complaint,
          content: `${mark}夜里十一点仍在吊装`,
          addressee: (await groupOf('city-fang')).id,
          images: [],
        },
      })
      hidden.push({ what: 'a complaint', by: 'city-fang', ids: [said.id] })

      const company = await settled.as('yunze-lu')
      const inspection = await company.call(createInspection, {
        query: { projectCode },
        body: {
          ...{ id: newId(), inspectType: '11', checkTime: `${day(0)} 00:00:00`, checkers: [`${mark}甲`, `${mark}乙`], part: mark },
          sheets: [{ sheetCode: '01', label: mark, assignee: `${mark}甲` }],
        },
      })
      hidden.push({ what: 'an inspection that has begun', by: 'yunze-lu', ids: [inspection.id] })

      const site = await settled.as('hospital-safety')
      const own = await photoOf('hospital-safety')
      const round = newId()
      await site.call(createSecurityCheck, {
        query: { projectCode },
        body: {
          ...{ id: round, action: 'save', part: `${mark}三层` },
          problems: [
            {
              ...{
                description: `${mark}临边防护缺失`,
                part: mark,
                dangerLevel: '1',
                requirement: `${mark}补齐`,
                corpCode,
                deadline: day(3),
              },
              photos: [own],
            },
          ],
        },
      })
      hidden.push({ what: 'a round being written', by: 'hospital-safety', ids: [round, own] })

      const builder = await settled.as('weijian-xia')
      const proposed = await officer.call(createBadAction, {
        body: {
          action: 'submit',
          projectCode,
          targetType: '3',
          target: corpCode,
          type: '2',
          level: '2',
          degree: '4',
          occurrenceDate: day(0),
          fact: `${mark}三层临边防护缺失，交底后仍未补齐`,
          basis: `${mark}第六十二条`,
          score: 8,
          files: [photo],
        },
      })
      hidden.push({ what: 'a proposed record of misconduct', by: 'bj-zhao', ids: [proposed.id] })

      const stop = await builder.call(createStop, {
        query: { projectCode },
        body: { action: 'save', type: '1', reason: `${mark}停工`, guardPersons: mark },
      })
      hidden.push({ what: 'an application being written', by: 'weijian-xia', ids: [stop.id] })

      const sheet = await officer.call(createSheet, {
        query: { projectCode },
        body: {
          ...{ id: newId(), docType: '208', checkPart: mark, content: `${mark}约谈`, meetPlace: mark },
          problems: [{ description: `${mark}临边防护缺失` }],
          persons: [{ name: mark }],
        },
      })
      hidden.push({ what: 'a record sheet being written', by: 'bj-zhao', ids: [sheet.id] })
    }

    /** Accounts of the group that wrote the record know of it. */
    const knows = (account: string, { by }: Hidden) =>
      account === by || (by.startsWith('hospital') && account.startsWith('hospital') && account !== 'hospital-jl')

    test('a colleague of the author finds the round being written: the calls read what they would tell of', async () => {
      const round = hidden.find((one) => one.what === 'a round being written')
      const texts = await Promise.all(reads.map((endpoint) => ask('hospital-pm', endpoint)))
      expect(texts.filter(({ text }) => text.includes(round?.ids[0] ?? 'none') && text.includes(mark)).length).toBeGreaterThan(0)
    }, 120_000)

    test.each(onlookers)(
      '%s finds nothing of them in any answer',
      async (account) => {
        const secret = hidden.filter((one) => !knows(account, one))
        // Words cannot be told apart by record: only accounts that know of none are asked for them.
        const isOutside = secret.length === hidden.length
        const found: string[] = []
        let requests = 0
        for (const endpoint of reads)
          for (const id of [undefined, ...secret.map((one) => one.ids[0])]) {
            if (id !== undefined && !referencesOf(endpoint).some(({ subject }) => kinds.has(subject))) continue
            const answer = await ask(account, endpoint, id)
            if (!answer.asked) continue
            requests++
            const leaked = secret.filter((one) => one.ids.some((tell) => tell !== id && answer.text.includes(tell)))
            for (const one of leaked) found.push(`${keyOf(endpoint)}: ${one.what}`)
            if (isOutside && answer.text.includes(mark)) found.push(`${keyOf(endpoint)}: its words`)
          }
        expect(found).toEqual([])
        expect(requests).toBeGreaterThan(100)
      },
      300_000,
    )

    test.each(
      onlookers.filter(
        (account) =>
          !['yunze-lu', 'weijian-xia', 'hospital-pm', 'hospital-safety', 'hospital-officer', 'hospital-labour'].includes(account),
      ),
    )(
      'no count of %s changes because of them',
      async (account) => {
        const changed: string[] = []
        for (const endpoint of reads) {
          const was = before.get(`${account} ${keyOf(endpoint)}`)
          const is = countsIn((await ask(account, endpoint)).text)
          // The issued notice is known to everybody of the site; its own lists and the supervision file count it.
          if (was !== is && !/rectify|abarbeitung|projectRectify|document\/supervision|todo|message|mainPage|audit/i.test(endpoint.path))
            changed.push(`${keyOf(endpoint)}: ${was} -> ${is}`)
        }
        expect(changed).toEqual([])
      },
      300_000,
    )
  })

/** The sample without its filters: a list narrowed to nothing tells nothing. */
function wideInput(endpoint: Endpoint, given: Parameters<typeof sampleInput>[1], isNamed: boolean): unknown {
  const input = sampleInput(endpoint, given) as { query?: Record<string, unknown> }
  const { query } = endpoint.schemas
  if (!query || !input.query) return input
  const { required = [], properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as {
    required?: string[]
    properties?: object
  }
  // The project, and the record asked for; other references are filters, too.
  const requests = given.filter(
    ({ reference }) => reference.part === 'query' && (reference.subject === 'project' || kinds.has(reference.subject)),
  )
  const names = new Set([
    ...required,
    ...(isNamed ? requests : requests.filter(({ reference }) => reference.subject === 'project')).map(({ reference }) => reference.path[0]),
  ])
  const kept = Object.fromEntries(Object.entries(input.query).filter(([name]) => names.has(name)))
  return { ...input, query: { ...kept, ...('size' in properties ? { size: 200 } : {}) } }
}

/** Subjects whose ids a hidden record may have. */
const kinds: ReadonlySet<string> = new Set([
  'rectify',
  'rectifyLine',
  'rectifyPenalty',
  'advice',
  'siteCheck',
  'stopapply',
  'manualsheet',
  'badAction',
  'checkSheet',
  'daycheck',
  'daycheckUnit',
  'checkplan',
  'checkplanVisit',
  'signature',
])

/** The totals and counts of an answer; everything else may change with the time. */
function countsIn(text: string): string {
  if (text === '') return ''
  let data: unknown
  try {
    data = (JSON.parse(text) as { data?: unknown }).data
  } catch {
    return 'a file'
  }
  const { total, counts } = (data ?? {}) as { total?: unknown; counts?: unknown }
  return JSON.stringify({ total, counts })
}
