import { changeRectify, changeRectifySetting, createRectify } from '@zhugong/contract/rectify/calls'
import { changePenalty } from '@zhugong/contract/rectify/penalty'
import { changeAbarbeitung, changeProjectRectify, createAbarbeitung, createProjectRectify } from '@zhugong/contract/rectify/process'
import { signRectify } from '@zhugong/contract/rectify/seats'
import type pg from 'pg'
import { newId } from '#kit/ids'
import { anyProject, call, daysAgo, type Fixtures, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'
import { strokes } from '../../../test/givens.ts'

interface Given {
  /** By an authority unless said otherwise. */
  origin?: 'site'
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
}

/** A notice that its company has to act on, with one problem and its answer. */
async function insertNotice(pool: pg.Pool, { origin, name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into rectify (id, code, origin, project_code, corp_code, shown_at, groups, issuer_group, issuer_group_name, issuer_id, issuer_name,
       source_type, notice_type, category, level, check_date, deadline, responsible_person, issue_time, state, create_by, create_time)
     values (md5($1), '样例-' || md5($1), $5, $2, $3, now(), '{}', 'nobody', '样例机构', 'nobody', '样例', '01', '2', '01', '1', '2026-11-01', '2026-11-20',
       '样例', now(), $4, 'nobody', now())`,
    [...row, state, origin ?? 'gov'],
  )
  await pool.query(
    `insert into rectify_line (id, rectify_id, project_code, corp_code, shown_at, groups, seq, description, part, requirement, state)
     values (md5($1 || ' line'), md5($1), $2, $3, now(), '{}', 1, '临边防护缺失', '三层', '补齐', $4)`,
    [...row, state === '4' ? 'answered' : 'open'],
  )
  await pool.query(
    `insert into rectify_answer (line_id, round, rectify_id, project_code, corp_code, shown_at, groups, measure, by_id, by_name, at, draft)
     values (md5($1 || ' line'), 1, md5($1), $2, $3, now(), '{}', '已补齐防护栏杆', 'nobody', '样例', now(), false)`,
    row,
  )
  await pool.query(
    `insert into rectify_reply (rectify_id, round, project_code, corp_code, shown_at, groups, origin, lines, at, by_id, by_name, group_name, state, since)
     values (md5($1), 1, $2, $3, now(), '{}', $4, 1, now(), 'nobody', '样例', '样例机构', 'review', now())`,
    [...row, origin ?? 'gov'],
  )
  await pool.query(
    `insert into rectify_extension (id, rectify_id, project_code, corp_code, shown_at, groups, until_day, reason, by_name, at)
     values (md5($1 || ' extension'), md5($1), $2, $3, now(), '{}', '2026-12-01', '材料未到', '样例', now())`,
    row,
  )
  await pool.query(
    `insert into photo_use (id, sha256, file_id, kind, object_id, stage, project_code, corp_code, shown_at, groups, at)
     values (md5($1 || ' photo'), md5($1), md5($1), '整改单', md5($1), 'before', $2, $3, now(), '{}', now())`,
    row,
  )
  await pool.query(
    `insert into process_log (id, kind, object_id, project_code, corp_code, shown_at, groups, action, to_state, by_id, by_name, group_name, at)
     values (md5($1 || ' log'), 'rectify', md5($1), $2, $3, now(), '{}', 'issue', '1', 'nobody', '样例', '样例机构', now())`,
    row,
  )
  await pool.query(
    `insert into process_todo (id, kind, object_id, project_code, corp_code, shown_at, groups, turn, codes, title, link, since)
     values (md5($1 || ' todo'), 'rectify', md5($1), $2, $3, now(), '{}', 'responsible', '{inspection.rectifySign}', '签收整改通知', '/', now())`,
    row,
  )
  await pool.query(
    `insert into process_signature (id, kind, object_id, project_code, corp_code, shown_at, groups, seat, role, name, image, hash, by_id, by_name, at)
     values (md5($1 || ' signature'), 'rectify', md5($1), $2, $3, now(), '{}', 'issuer', '监督员', '样例', '\\x00', 'nothing', 'nobody', '样例', now())`,
    row,
  )
  await pool.query(
    `insert into rectify_penalty (id, code, rectify_id, project_code, corp_code, shown_at, groups, issuer_group, facts, clause, state, create_time)
     values (md5($1 || ' penalty'), '样例-' || md5($1), md5($1), $2, $3, now(), '{}', 'nobody', '三次复查仍不合格', '第 3.1 条', '1', now())`,
    row,
  )
}

/** A notice about the site of the case, with a picture of the caller's. */
const content = (c: { corpCode: string }, a: { fileId: string }) => ({
  action: 'save' as const,
  corpCode: c.corpCode,
  sourceType: '12',
  noticeType: '2',
  category: '01',
  level: '1',
  checkDate: daysAgo(0),
  deadline: daysAgo(-7),
  responsiblePerson: '周大勇',
  lines: [{ description: '临边防护缺失两处', part: '三层', requirement: '补齐防护栏杆', photos: [a.fileId] }],
})

export const fixtures: Fixtures = {
  calls: [
    call(createRectify, 'review')((s, c, a) => ({ body: { projectCode: s.projectCode, ...content(c, a) } })),
    call(createAbarbeitung, 'review')((s, c, a) => ({ query: { projectCode: s.projectCode }, body: content(c, a) })),
    call(createProjectRectify, 'body')((s, c, a) => ({ query: { projectCode: s.projectCode }, body: content(c, a) })),
    call(changeRectifySetting, 'site')((s) => ({ body: { projectCode: s.projectCode, supervisorCloses: true, version: 0 } })),
    call(changeRectify, 'people')((_s, c) => ({ body: { id: rowId('to sign', c), version: 0, action: 'sign' } })),
    call(changeRectify, 'supervision')((_s, c) => ({ body: { id: rowId('to review', c), version: 0, action: 'jlPass', opinion: '属实' } })),
    call(
      changeProjectRectify,
      'people',
    )((_s, c) => ({ params: { id: rowId('to sign by process', c) }, query: anyProject, body: { version: 0, action: 'sign' } })),
    call(
      changeAbarbeitung,
      'people',
    )((_s, c) => ({ params: { id: rowId('to sign on site', c) }, query: anyProject, body: { version: 0, action: 'sign' } })),
    call(
      signRectify,
      'people',
    )((_s, c) => ({
      params: { id: rowId('received', c) },
      query: anyProject,
      body: { action: 'sign', id: newId(), seat: 'receiver', image: strokes() },
    })),
    call(
      changePenalty,
      'body',
    )((_s, c) => ({
      params: { id: rowId('received', { key: `${c.key} penalty` }) },
      body: { version: 0, action: 'drop', reason: '已经整改到位' },
    })),
  ],
  withoutPage: [
    { why: 'pages ask for its views, listRectify and listReplies', names: ['rectifyLists'] },
    {
      why: 'the notices as process types, for clients that handle all process types alike; pages use /api/v2/oa/se/rectify',
      names: [
        'listProjectRectify',
        'getProjectRectify',
        'createProjectRectify',
        'changeProjectRectify',
        'listAbarbeitung',
        'getAbarbeitung',
        'createAbarbeitung',
        'changeAbarbeitung',
      ],
    },
  ],
  projectRows: async ({ pool, projectCode }) => {
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0]) await insertNotice(pool, { name: 'of project', key: projectCode, projectCode, corpCode: rows[0].corp_code, state: '1' })
    await pool.query(
      `insert into rectify_setting (id, project_code, changed_by) values (md5('setting ' || $1), $1, '样例') on conflict do nothing`,
      [projectCode],
    )
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    await insertNotice(pool, { name: 'to sign', key, projectCode, corpCode, state: '1' })
    await insertNotice(pool, { name: 'to sign by process', key, projectCode, corpCode, state: '1' })
    await insertNotice(pool, { origin: 'site', name: 'to sign on site', key, projectCode, corpCode, state: '1' })
    await insertNotice(pool, { name: 'received', key, projectCode, corpCode, state: '2' })
    await insertNotice(pool, { name: 'to review', key, projectCode, corpCode, state: '4' })
  },
  owners: {
    rectify: ofPeople('rectify'),
    rectifyLine: ofPeople('rectify_line'),
    rectifyPenalty: ofPeople('rectify_penalty'),
    signature: ofPeople('process_signature'),
  },
  guarded: [
    'rectify',
    'rectify_setting',
    'rectify_line',
    'rectify_extension',
    'photo_use',
    'process_log',
    'process_todo',
    'process_signature',
    'rectify_penalty',
  ],
}
