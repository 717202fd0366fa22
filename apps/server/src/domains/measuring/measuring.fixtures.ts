import { changeMeasureRule, createMeasureRule, removeMeasureRule } from '@zhugong/contract/measuring/rules'
import { changeMeasureTask, createMeasureTask, removeMeasureTask } from '@zhugong/contract/measuring/tasks'
import type pg from 'pg'
import { anyProject, call, type Fixtures, ofGroup, ofPeople, rowId } from '../../../test/fixtures/helpers.ts'

interface Given {
  name: string
  key: string
  projectCode: string
  corpCode: string
  state: string
}

/** A template of the site with one rule. */
async function insertTemplate(pool: pg.Pool, projectCode: string): Promise<void> {
  await pool.query(
    `insert into measure_template (id, group_id, name, stage, target_rate)
     select md5('measure template ' || $1::text), id, '样例模板', '1', 90 from tenant where type = 3 and code = $1`,
    [projectCode],
  )
  await pool.query(
    `insert into measure_rule (id, template_id, group_id, item_code, standard_name, judge_start, judge_end, is_absolute, is_range, is_custom_base, area_count,
       point_count, origin_id)
     select md5('measure rule ' || $1::text), md5('measure template ' || $1::text), id, '102', '表面平整度', 0, 8, true, false, false, 1, 2,
       md5('measure rule ' || $1::text) from tenant where type = 3 and code = $1`,
    [projectCode],
  )
}

/** A task with one measured area; its place is the room of the places' fixtures. */
async function insertTask(pool: pg.Pool, { name, key, projectCode, corpCode, state }: Given): Promise<void> {
  const row = [`${name} ${key}`, projectCode, corpCode]
  await pool.query(
    `insert into measure_task (id, project_code, corp_code, shown_at, groups, task_no, task_name, check_type, template_id, template_name, template_revision,
       target_rate, place_name, place_count, author_group, author_group_name, member_id, member_name, member_group, total_items, total_points, current_points,
       qualified_points, first_qualified, state, create_by, create_time)
     values (md5($1), $2, $3, now(), '{}', md5($1), '样例任务', '2', 'none', '样例模板', 1, 90, '101', 1, 'nobody', '样例机构', 'nobody', '样例', 'nobody', 1, 2, 2,
       1, 1, $4, 'nobody', now())`,
    [...row, state],
  )
  await pool.query(
    `insert into measure_task_item (task_id, no, project_code, corp_code, rule_id, origin_id, revision, item_code, standard_name, judge_start, judge_end,
       is_absolute, is_range, is_custom_base, area_count, point_count, forbid_manual, burst_factor)
     values (md5($1), 1, $2, $3, 'none', 'none', 1, '102', '表面平整度', 0, 8, true, false, false, 1, 2, false, 1.5)`,
    row,
  )
  await pool.query(
    `insert into measure_task_place (task_id, place_id, project_code, corp_code, seq) values (md5($1), md5('room ' || $2::text), $2, $3, 0)`,
    row,
  )
  await pool.query(
    `insert into measure_area (id, task_id, project_code, corp_code, place_id, item_no, area_no)
     values (md5($1 || ' area'), md5($1), $2, $3, md5('room ' || $2::text), 1, 1)`,
    row,
  )
  await pool.query(
    `insert into measure_point (id, area_id, task_id, project_code, corp_code, place_id, item_code, area_no, point_no, value, deviation, result, measurer, at)
     select md5($1 || ' point' || n), md5($1 || ' area'), md5($1), $2, $3, md5('room ' || $2::text), '102', 1, n, n * 6, n * 6, n::text, '样例', now()
     from generate_series(1, 2) n`,
    row,
  )
}

const spare = `insert into measure_task (id, project_code, shown_at, groups, task_no, task_name, check_type, template_id, template_name, template_revision,
    target_rate, place_name, place_count, author_group, author_group_name, member_id, member_name, member_group, total_items, total_points, state, create_by,
    create_time)
  values (md5('measure spare ' || $1::text), $1, now(), '{}', 'spare', '样例任务', '2', 'none', '样例模板', 1, 90, '101', 1, 'nobody', '样例机构', 'nobody', '样例',
    'nobody', 1, 2, '1', 'nobody', now()) on conflict do nothing`

export const fixtures: Fixtures = {
  withoutPage: [
    {
      why: 'pages ask for its views, findMeasurePoints, findMeasureHeat and findMeasureMatrix',
      names: ['measureRecords'],
    },
  ],
  calls: [
    call(
      changeMeasureTask,
      'people',
    )((_s, c) => ({
      query: anyProject,
      body: { id: rowId('measure to fix', c), version: 0, action: 'fix', note: '已剔凿修补完成' },
    })),
    call(
      changeMeasureTask,
      'review',
    )((s, c) => ({
      query: anyProject,
      body: {
        id: rowId('measure to retest', c),
        version: 0,
        action: 'retest',
        retests: [{ placeId: rowId('room', s), itemNo: 1, areaNo: 1, values: [null, 3] }],
      },
    })),
    call(removeMeasureTask, 'site', { meanwhile: [spare, spare] })((s) => ({ params: { id: rowId('measure spare', s) } })),
  ],
  exempt: [
    { why: 'the templates of the caller’s own group: measuring.test.ts', calls: [createMeasureRule, changeMeasureRule, removeMeasureRule] },
    { why: 'names an account that may measure on the site: measuring.test.ts tries every part', calls: [createMeasureTask] },
  ],
  projectRows: async ({ pool, projectCode }) => {
    await insertTemplate(pool, projectCode)
    const { rows } = await pool.query<{ corp_code: string }>(
      'select corp_code from project_corp where project_code = $1 order by entry_time, id limit 1',
      [projectCode],
    )
    if (rows[0])
      await insertTask(pool, { name: 'measure of project', key: projectCode, projectCode, corpCode: rows[0].corp_code, state: '4' })
  },
  companyRows: async (pool, { key, corpCode }, { projectCode }) => {
    await insertTask(pool, { name: 'measure to fix', key, projectCode, corpCode, state: '4' })
    await insertTask(pool, { name: 'measure to retest', key, projectCode, corpCode, state: '5' })
  },
  owners: {
    measureTemplate: ofGroup('measure_template'),
    measureRule: ofGroup('measure_rule'),
    measureTask: ofPeople('measure_task'),
  },
  guarded: ['measure_task', 'measure_area', 'measure_point'],
}
