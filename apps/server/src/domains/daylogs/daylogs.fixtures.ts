import { randomUUID } from 'node:crypto'
import { changeConstructionLog, createConstructionLog, removeConstructionLog } from '@zhugong/contract/daylogs/construction'
import { changeOwnLog, createOwnLog, removeOwnLog } from '@zhugong/contract/daylogs/own-log'
import { changeSafetyLog, createSafetyLog, handleSafetyLogs, removeSafetyLog } from '@zhugong/contract/daylogs/safety-log'
import type pg from 'pg'
import { anyProject, call, daysAgo, type Fixtures, ofProject, rowId } from '../../../test/fixtures/helpers.ts'

/** A submitted log of each kind with an unanswered comment, and one of the institution that builds the site. */
async function insertLogs(pool: pg.Pool, projectCode: string): Promise<void> {
  const row = [projectCode]
  await pool.query(`insert into unit_project (id, project_code, seq, name) values (md5('log unit ' || $1::text), $1, 903, '日志单体')`, row)
  for (const kind of ['safetyPLog', 'construction'])
    await pool.query(
      `insert into day_log (id, kind, project_code, unit_id, shown_at, groups, author_group, author_group_name, day, weather, worker_count, parts,
         safety_state, quality_state, recorder, submitted_at, state, create_by, create_time)
       values (md5($2 || ' log ' || $1::text), $2, $1, case when $2 = 'construction' then md5('log unit ' || $1::text) end, now(), '{}', 'nobody', '样例机构',
         '2026-01-05', '1', 10, '样例', '样例', '样例', '样例', now(), '1', 'nobody', now())`,
      [projectCode, kind],
    )
  for (const table of [
    'day_log_fact',
    'day_log_problem',
    'day_log_task',
    'day_log_pour',
    'day_log_block',
    'day_log_comment',
    'day_log_change',
  ])
    await pool.query(
      `insert into ${table} (id, log_id, project_code, shown_at, groups, ${columns[table]?.[0]})
       values (md5('${table} ' || $1::text), md5('construction log ' || $1::text), $1, now(), '{}', ${columns[table]?.[1]})`,
      row,
    )
  await pool.query(
    `insert into day_log_comment (id, log_id, project_code, shown_at, groups, content, by_id, by_name, group_name, at)
     values (md5('log comment ' || $1::text), md5('safetyPLog log ' || $1::text), $1, now(), '{}', '样例', 'nobody', '样例', '样例机构', now())`,
    row,
  )
  await pool.query(
    `insert into day_log (id, kind, shown_at, groups, author_group, author_group_name, day, weather, parts, visited, recorder, submitted_at, state,
       create_by, create_time)
     select md5('own log ' || $1::text), 'log', now(), array[t.id], t.id, t.name, '2026-01-05', '1', '样例', array[$1::text], '样例', now(), '1', $1::text, now()
     from project p join tenant t on t.type = 2 and t.code = p.contractor_corp_code where p.project_code = $1`,
    row,
  )
}
const columns: Readonly<Record<string, readonly [names: string, values: string]>> = {
  day_log_fact: ['seq, kind, ref_id, words', `1, 'gang', 'x', '样例'`],
  day_log_problem: ['seq, description', `1, '样例'`],
  day_log_task: ['seq, task_id, name, before, percent', `1, 'x', '样例', 1, 2`],
  day_log_pour: ['seq, part, grade, volume, from_time, until_time, by_name', `1, '样例', 'C30', 1, '08:00', '09:00', '样例'`],
  day_log_block: ['seq, part, content, by_id, by_name, at', `1, '样例', '样例', 'nobody', '样例', now()`],
  day_log_comment: ['content, by_id, by_name, group_name, at', `'样例', 'nobody', '样例', '样例机构', now()`],
  day_log_change: ['field, before, after, by_name, at', `'样例', '旧', '新', '样例', now()`],
}

const newId = () => randomUUID().replaceAll('-', '')
const ofKind = (kind: string, key: string) => rowId(`${kind} log`, { key })

export const fixtures: Fixtures = {
  calls: [
    call(
      createSafetyLog,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { id: newId(), action: 'save', day: daysAgo(1), parts: '样例' },
    })),
    call(
      changeSafetyLog,
      'review',
    )((s) => ({
      params: { id: ofKind('safetyPLog', s.projectCode) },
      query: anyProject,
      body: { action: 'comment', version: 0, content: '请补充照片' },
    })),
    call(
      changeSafetyLog,
      'site',
    )((s) => ({
      params: { id: ofKind('safetyPLog', s.projectCode) },
      query: anyProject,
      body: { action: 'answer', version: 0, commentId: rowId('log comment', { key: s.projectCode }), content: '已补充' },
    })),
    call(
      handleSafetyLogs,
      'review',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { action: 'remind', projects: [s.projectCode], day: daysAgo(1) },
    })),
    call(
      createConstructionLog,
      'site',
    )((s) => ({
      query: { projectCode: s.projectCode },
      body: { id: newId(), action: 'save', day: daysAgo(1), unitId: rowId('log unit', { key: s.projectCode }), parts: '样例' },
    })),
    call(
      changeConstructionLog,
      'site',
    )((s) => ({
      params: { id: ofKind('construction', s.projectCode) },
      query: anyProject,
      body: { action: 'block', version: 0, blockId: null, part: '样例', content: '样例' },
    })),
  ],
  exempt: [
    { why: 'a draft is known to the group that wrote it only: daylogs.test.ts', calls: [removeSafetyLog, removeConstructionLog] },
    {
      why: 'belongs to an institution, not to a part in a project; who may do what is in daylogs.test.ts',
      calls: [createOwnLog, changeOwnLog, removeOwnLog],
    },
  ],
  withoutPage: [{ why: 'pages ask for its views, listSafetyLogs and safetyLogMatrix', names: ['safetyLogRecords'] }],
  projectRows: ({ pool, projectCode }) => insertLogs(pool, projectCode),
  owners: {
    safetyLog: `select id, project_code from day_log where kind = 'safetyPLog'`,
    constructionLog: `select id, project_code from day_log where kind = 'construction'`,
    ownLog: `select x.id, null as project_code, t.type || '/' || t.code as group_key from day_log x join tenant t on t.id = x.author_group
      where x.kind = 'log'`,
    logBlock: ofProject('day_log_block'),
  },
  guarded: [
    'day_log',
    'day_log_fact',
    'day_log_problem',
    'day_log_task',
    'day_log_pour',
    'day_log_block',
    'day_log_comment',
    'day_log_change',
    'day_log_urge',
  ],
}
